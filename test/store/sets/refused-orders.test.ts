import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fail } from '../../../src/errors.ts'
import { pages } from '../../../src/store/lists/pages.ts'
import type { SetSource } from '../../../src/store/sets/set-source.ts'
import { indexedTable } from '../../support/indexed-table.ts'
import { setPartsOf } from '../../support/list-parts.ts'
import { scratchStore } from '../../support/scratch-store.ts'

/* Orders that cannot be read for some time, as where the machine slept or its disk was slow: SQL answers, and they are tried again. */

const RECORDS = 3_000

async function scene() {
  const { store, remove, faults } = await scratchStore({})
  const table = await indexedTable(store, RECORDS)
  const bySql = { pages: pages(store, setPartsOf(store).bySql) }
  const source = setPartsOf(store).sets.source as { order: SetSource['order'] }
  /** Orders cannot be read until the end of the work. Tells how many reads were tried. */
  async function without(order: SetSource['order'], work: () => Promise<void>): Promise<number> {
    const { order: read } = source
    let tries = 0
    source.order = (...given) => {
      tries++
      return order(...given)
    }
    try {
      await work()
    } finally {
      source.order = read
    }
    return tries
  }
  /** Lists until an order has been read. How many it were. */
  async function untilRead(filter: string | undefined, sort: string | undefined, most: number): Promise<number> {
    const { order: before } = store.pages.figures()!.read
    for (let i = 1; i <= most; i++) {
      await table.list(filter, sort, 1_000 + (i % 500))
      if (store.pages.figures()!.read.order > before) return i
    }
    return Infinity
  }
  const mustBeRight = async (filter: string | undefined, sort: string | undefined): Promise<void> => {
    for (const offset of [0, 990, 1_700])
      assert.deepEqual(await table.list(filter, sort, offset), await table.list(filter, sort, offset, bySql))
  }
  return {
    list: table.list,
    without,
    untilRead,
    mustBeRight,
    faults,
    remove,
  }
}

const late: SetSource['order'] = () => Promise.reject(fail('server.query_timeout', { seconds: 20 }))

describe('an order that could not be read', () => {
  for (const [what, order] of [
    ['in time', late],
    ['since its ids are too far apart', () => Promise.resolve({ answer: undefined, seen: 0 })],
  ] as const)
    it(`${what} is answered by SQL meanwhile, and read after some hundred lists`, async () => {
      const { list, without, untilRead, mustBeRight, faults, remove } = await scene()
      try {
        const tries = await without(order, async () => {
          await Promise.all([0, 900, 1_200].map((offset) => list(undefined, 'amount,title', offset)))
          for (let i = 0; i < 20; i++) await mustBeRight(undefined, 'amount,title')
        })
        assert.equal(tries, 1)
        assert.ok((await untilRead(undefined, 'amount,title', 300)) <= 300)
        await mustBeRight(undefined, 'amount,title')
        assert.deepEqual(faults, [])
      } finally {
        await remove()
      }
    })

  it('is not read again and again for ranges of its field', async () => {
    const { list, without, mustBeRight, faults, remove } = await scene()
    try {
      const tries = await without(late, async () => {
        for (let i = 0; i < 40; i++) await list(`gt(amount,'${i * 100}')`, undefined, 0)
      })
      assert.equal(tries, 1)
      await mustBeRight("gt(amount,'777')", undefined)
      assert.deepEqual(faults, [])
    } finally {
      await remove()
    }
  })
})
