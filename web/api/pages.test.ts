import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Document, Resource } from './client.ts'
import { PAGE, RecordPages } from './pages.ts'

/** A list whose answers come when they are let. */
function slow(total: number) {
  const asked: { offset: number; signal: AbortSignal; come(): Promise<void> }[] = []
  const pages = new RecordPages(
    (offset, signal) =>
      new Promise<Document<readonly Resource[]>>((answer, fail) => {
        signal.addEventListener('abort', () => fail(new Error('aborted')))
        const data = Array.from({ length: Math.max(0, Math.min(PAGE, total - offset)) }, (_, i) => ({
          type: 'data1',
          id: String(offset + i + 1),
          attributes: { f1: `r${offset + i}` },
        }))
        asked.push({
          offset,
          signal,
          async come() {
            answer({ data, meta: { total } })
            await new Promise(setImmediate)
          },
        })
      }),
  )
  return { pages, asked, open: () => asked.filter(({ signal }) => !signal.aborted).map(({ offset }) => offset) }
}

describe('the pages of a list', () => {
  it('are asked for where somebody looks, two at a time, what is in sight first', async () => {
    const { pages, asked, open } = slow(1_000_000)
    pages.look({ from: 0, to: 30 })
    assert.deepEqual(open(), [0])
    await asked[0]!.come()
    assert.equal(pages.total, 1_000_000)
    assert.equal(pages.record(49)?.id, '50')
    assert.equal(pages.record(50), undefined)
    pages.look({ from: 500_020, to: 500_060 })
    assert.deepEqual(open().slice(1), [500_000, 500_050])
    await asked[1]!.come()
    assert.deepEqual(open().slice(3), [500_100])
  })

  it('are abandoned when they have gone out of sight', async () => {
    const { pages, asked, open } = slow(100_000)
    pages.look({ from: 0, to: 30 })
    await asked[0]!.come()
    pages.look({ from: 5000, to: 5030 })
    pages.look({ from: 90_000, to: 90_030 })
    await new Promise(setImmediate)
    assert.deepEqual(open(), [0, 90_000, 90_050])
  })

  it('are kept up to 200, never without those in sight', async () => {
    const { pages, asked } = slow(100_000)
    pages.look({ from: 0, to: 0 })
    await asked.at(-1)!.come()
    for (let page = 0; page < 260; page++) {
      pages.look({ from: page * PAGE, to: page * PAGE })
      while (!pages.record(page * PAGE)) await asked.find(({ offset, signal }) => offset === page * PAGE && !signal.aborted)!.come()
    }
    const here = Array.from({ length: 260 }, (_, page) => page).filter((page) => pages.record(page * PAGE))
    assert.equal(here.length <= 200, true)
    assert.equal(here.includes(259), true)
    assert.equal(here.includes(0), false)
  })

  it('come again after a refresh, and show what they had until then', async () => {
    const { pages, asked } = slow(120)
    pages.look({ from: 0, to: 10 })
    await asked[0]!.come()
    pages.put({ type: 'data1', id: '3', attributes: { f1: 'changed' } })
    assert.equal(pages.record(2)?.attributes['f1'], 'changed')
    const before = asked.length
    pages.refresh()
    assert.equal(pages.record(2)?.attributes['f1'], 'changed')
    for (const one of asked.slice(before)) await one.come()
    assert.equal(pages.record(2)?.attributes['f1'], 'r2')
  })
})
