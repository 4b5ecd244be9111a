import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { grant } from '../../src/store/model/access.ts'
import { operator } from '../../src/store/catalogue/administrator.ts'
import { checkIntegrity } from '../../src/store/upkeep/check-integrity.ts'
import { createField } from '../../src/store/structure/fields.ts'
import { createRecord } from '../../src/store/records/write-records.ts'
import { createTable } from '../../src/store/structure/tables.ts'
import { scratchStore } from '../support/scratch-store.ts'

const RECORDS = 6_000

describe('the log of writes', () => {
  let scratch: Awaited<ReturnType<typeof scratchStore>>
  before(async () => {
    scratch = await scratchStore()
  })
  after(() => scratch.remove())

  it('is taken into the database while writing and reading go on, and its file stays small', async () => {
    const { store, directory } = scratch
    const table = await createTable(store, operator, { title: 'Notes' })
    const field = await createField(store, operator, { tableId: table, title: 'Text', typeName: 'longtext' })
    const text = 'a rather long text '.repeat(200)
    const create = (i: number) =>
      createRecord(store, grant('create', table, operator, store.catalogue()), new Map([[`f${field}`, `${i} ${text}`]]))
    const total = async () =>
      (await store.pages.page(grant('read', table, operator, store.catalogue()), { sort: [], offset: 0, limit: 1 })).total
    const size = (name: string) => statSync(join(directory, name)).size
    const sizeBefore = size('kartoteka.sqlite')
    for (let i = 0; i < RECORDS; i += 100) {
      await Promise.all(Array.from({ length: 100 }, (_, k) => create(i + k)))
      assert.equal(await total(), i + 100)
    }
    const written = RECORDS * text.length
    for (let more = 0; size('kartoteka.sqlite') - sizeBefore < written / 2; more++) {
      assert.ok(more < 1_000, 'nothing was taken in')
      await Promise.all([create(more), sleep(10)])
    }
    // Two texts a record, and what is written while a part is taken in.
    assert.ok(size('kartoteka.sqlite-wal') < 2 * written, 'the log began anew')
    for await (const wrong of checkIntegrity(store)) assert.fail(wrong)
  })
})
