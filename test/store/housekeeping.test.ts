import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { copyFileSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import { operator } from '../../src/store/catalogue/administrator.ts'
import { grant } from '../../src/store/model/access.ts'
import { createRecord } from '../../src/store/records/write-records.ts'
import { createField } from '../../src/store/structure/fields.ts'
import { createTable } from '../../src/store/structure/tables.ts'
import { missingFiles, sweepFiles } from '../../src/store/records/files.ts'
import { scratchStore } from '../support/scratch-store.ts'
import { nothingKnown, withPage } from '../../src/store/lists/list-memory.ts'
import { localFiles } from '../../src/store/files/local-files.ts'
import { localPositions } from '../../src/store/positions/local-positions.ts'
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
    assert.equal(await files.stream(hash), undefined)
  })

  it('of an upload that was interrupted are swept an hour later', async () => {
    const [begun, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    async function* arriving() {
      yield bytes
      begun.resolve()
      await go.promise
    }
    const receiving = files.receive(arriving())
    await begun.promise
    // As a process leaves it that was killed.
    const [part] = readdirSync(directory).filter((name) => name.endsWith('.part'))
    copyFileSync(join(directory, part!), join(directory, `${randomUUID()}.part`))
    assert.equal(await sweepFiles(store(async () => {})), 0)
    for (const name of readdirSync(directory)) if (name.endsWith('.part') && name !== part) utimesSync(join(directory, name), 0, 0)
    assert.equal(await sweepFiles(store(async () => {})), 1)
    go.resolve()
    const { hash, size } = await receiving
    assert.deepEqual([size, await buffer((await files.stream(hash))!)], [bytes.length, bytes])
    old(hash)
    assert.equal(await sweepFiles(store(async () => {})), 1)
  })

  it('stay when they are stored anew while the sweep looks for their names', async () => {
    const hash = await files.put(bytes)
    old(hash)
    assert.equal(await sweepFiles(store(() => files.put(bytes))), 0)
    assert.deepEqual(await buffer((await files.stream(hash))!), bytes)
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

it('files that records name and the storage lacks are counted', async () => {
  const { store, remove } = await scratchStore()
  const table = await createTable(store, operator, { title: 'Papers' })
  const field = await createField(store, operator, { tableId: table, title: 'Papers', typeName: 'file' } as never)
  assert.deepEqual(await missingFiles(store), { missing: 0, of: 0 })
  const files = ['a', 'b'].map((content) => ({ fileName: content, content, binary: false }))
  const granted = grant('create', table, operator, store.catalogue())
  await createRecord(store, granted, new Map([[`f${field}`, files]]))
  assert.deepEqual(await missingFiles(store), { missing: 0, of: 2 })
  const hashes: string[] = []
  for await (const hash of store.files.list()) hashes.push(hash)
  await store.files.sweep(async (hash) => hash !== hashes[0], 0)
  assert.deepEqual(await missingFiles(store), { missing: 1, of: 2 })
  await remove()
})
