import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { sweepFiles } from '../../src/store/records/files.ts'
import { nothingKnown, withPage } from '../../src/store/lists/list-memory.ts'
import { localFiles } from '../../src/store/files/local-files.ts'
import { localPositions } from '../../src/store/lists/local-positions.ts'
import type { Store } from '../../src/store/ground/store.ts'

describe('bytes that nothing names', () => {
  const directory = mkdtempSync(join(tmpdir(), 'kartoteka-sweep-'))
  const files = localFiles(directory)
  const bytes = Buffer.from('found again')
  const old = (hash: string) => utimesSync(join(directory, hash.slice(0, 2), hash.slice(2)), 0, 0)
  /** A store that looks for names; `meanwhile` happens while it looks. */
  const store = (meanwhile: () => Promise<unknown>) => ({ files, db: { read: async () => (await meanwhile(), [[]]) } }) as unknown as Store

  it('are swept when they are old', async () => {
    const hash = await files.put(bytes)
    assert.equal(await sweepFiles(store(async () => {})), 0)
    old(hash)
    assert.equal(await sweepFiles(store(async () => {})), 1)
    assert.equal(await files.get(hash), undefined)
  })

  it('stay when they are stored anew while the sweep looks for their names', async () => {
    const hash = await files.put(bytes)
    old(hash)
    assert.equal(await sweepFiles(store(() => files.put(bytes))), 0)
    assert.deepEqual(await files.get(hash), bytes)
    rmSync(directory, { recursive: true })
  })
})

it('positions that could not be loaded are loaded by the next list', async () => {
  let fails = true
  const places = localPositions(async () => {
    if (fails) throw new Error('The disk does not answer.')
    return [[[0, 3]]]
  })
  await assert.rejects(async () => places.ready(1))
  fails = false
  await places.ready(1)
  const { id, skip } = places.locate(1, 2)!
  assert.deepEqual([id, skip], [0, 2])
})

it('a list sorted by long texts remembers no beginnings of pages', () => {
  const long = withPage(nothingKnown, 100, { offset: 20, last: ['x'.repeat(10_000), 7] })
  const short = withPage(long, 100, { offset: 40, last: ['short', 8n] })
  assert.deepEqual([...long.starts.keys()], [])
  assert.deepEqual([...short.starts.keys()], [40])
})
