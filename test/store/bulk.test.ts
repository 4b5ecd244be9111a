import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { parse } from '../../src/filter/parse.ts'
import type { Sql } from '../../src/sql/sql.ts'
import { operator } from '../../src/store/catalogue/administrator.ts'
import { sharedBatch } from '../../src/store/changes/batches.ts'
import type { Transaction } from '../../src/store/ground/db.ts'
import type { Store } from '../../src/store/ground/store.ts'
import { grant } from '../../src/store/model/access.ts'
import { bulkUpdate, inBulk, type BulkAct } from '../../src/store/records/bulk.ts'
import { insertRecords } from '../../src/store/records/insert-records.ts'
import { conditionOf } from '../../src/store/records/read-records.ts'
import { updateRecord } from '../../src/store/records/write-records.ts'
import { createField } from '../../src/store/structure/fields.ts'
import { createTable } from '../../src/store/structure/tables.ts'
import { undoBatch } from '../../src/store/undo/undo-batch.ts'
import { scratchStore } from '../support/scratch-store.ts'

const RECORDS = 200

describe('an act on all records that match a filter', () => {
  let store: Store
  let remove: () => Promise<void>
  let table: number
  let count: string
  beforeEach(async () => {
    ;({ store, remove } = await scratchStore())
    table = await createTable(store, operator, { title: 'Things' })
    count = `f${await createField(store, operator, { tableId: table, title: 'Count', typeName: 'integer' })}`
    const granted = grant(['create', 'bulk'], table, operator, store.catalogue())
    await insertRecords(store, granted, Array.from({ length: RECORDS }, () => new Map([[count, '1']]))) // prettier-ignore
  })
  afterEach(() => remove())

  const totalOf = async (value: number) => {
    const granted = grant('read', table, operator, store.catalogue())
    return (await store.pages.page(granted, { filter: parse(`eq(${count},${value})`), sort: [], offset: 0, limit: 1 })).total
  }
  /** Sets the count of all records with 1 to 2. `meanwhile`: called in the first step; it is done before the second one. */
  async function run(meanwhile: () => Promise<unknown>) {
    const granted = grant(['read', 'update', 'bulk'], table, { ...operator, batch: sharedBatch() }, store.catalogue())
    const update = await bulkUpdate(store, granted, new Map([[count, '2']]), RECORDS)
    let others: Promise<unknown> | undefined
    const write: Store['db']['write'] = async (...given) => {
      const done = await store.db.write(...given)
      await others
      return done
    }
    const db = Object.create(store.db, { write: { value: write } }) as Store['db']
    const waiting = Object.create(store, { db: { value: db } }) as Store
    const act: BulkAct = (...given) => {
      others ??= meanwhile()
      return update(...given)
    }
    return (await inBulk(waiting, granted, await conditionOf(store, granted, parse(`eq(${count},1)`)), act))!
  }

  it('leaves alone what another write has changed between its steps, and lets that write pass', async () => {
    const last = RECORDS
    const done = await run(() => updateRecord(store, grant('update', table, operator, store.catalogue()), last, new Map([[count, '3']])))
    assert.deepEqual([done.records, done.refused, done.leftOut, done.done], [RECORDS - 1, 0, 1, true])
    assert.deepEqual([await totalOf(2), await totalOf(3)], [RECORDS - 1, 1])
  })

  it('looks once in each step for what a value refers to', async () => {
    const field = await createField(store, operator, { tableId: table, title: 'All', typeName: 'references', referenceTableId: table })
    const granted = grant(['read', 'update', 'bulk'], table, { ...operator, batch: sharedBatch() }, store.catalogue())
    const ids = Array.from({ length: RECORDS }, (_, i) => String(i + 1))
    const act = await bulkUpdate(store, granted, new Map([[`f${field}`, ids]]), 40)
    let [searches, steps] = [0, 0]
    const counting = (tx: Transaction): Transaction =>
      Object.create(tx, {
        all: {
          value: (query: Sql) => {
            if (query.chunks.filter((chunk) => 'param' in chunk).length >= RECORDS) searches++
            return tx.all(query)
          },
        },
      }) as Transaction
    const counted: BulkAct = (tx, id, lost) => {
      if (lost.size === 0) steps++
      return act(counting(tx), id, lost)
    }
    const done = await inBulk(store, granted, await conditionOf(store, granted, parse('lte(id,40)')), counted)
    assert.deepEqual([done!.records, done!.refused, searches], [40, 0, steps])
    assert.ok(steps < 20, String(steps))
  })

  it('ends when the structure changes between its steps, and tells its batch', async () => {
    const done = await run(() => createField(store, operator, { tableId: table, title: 'More', typeName: 'text' }))
    assert.equal(done.done, false)
    assert.ok(done.records > 0 && done.records < RECORDS, String(done.records))
    assert.deepEqual([await totalOf(2), await totalOf(1)], [done.records, RECORDS - done.records])
    const undone = await undoBatch(store, { ...operator }, done.batch!)
    assert.deepEqual([undone.records, await totalOf(1)], [done.records, RECORDS])
  })
})
