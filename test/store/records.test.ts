import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { Failures } from '../../src/errors.ts'
import { parse } from '../../src/filter/parse.ts'
import { grant } from '../../src/store/model/access.ts'
import { operator } from '../../src/store/catalogue/administrator.ts'
import type { Right } from '../../src/store/model/rights.ts'
import { createField } from '../../src/store/structure/fields.ts'
import { sql } from '../../src/sql/sql.ts'
import { openStore } from '../../src/store/open.ts'
import { createRecord, deleteRecord, updateRecord } from '../../src/store/records/write-records.ts'
import { getRecord } from '../../src/store/records/read-records.ts'
import { insertRecords } from '../../src/store/records/insert-records.ts'
import type { Sent } from '../../src/store/model/sent.ts'
import { Stale } from '../../src/store/model/stale.ts'
import type { Store } from '../../src/store/ground/store.ts'
import { createTable } from '../../src/store/structure/tables.ts'
import { erase, restore } from '../../src/store/structure/trash.ts'

describe('records in the store', () => {
  let directory: string
  let store: Store
  let table: number
  let titled: string
  let amount: string
  const may = <R extends Right>(right: R) => grant(right, table, operator, store.catalogue())
  const sent = (values: Record<string, Sent>) => new Map(Object.entries(values))
  const add = (values: Record<string, Sent>) => createRecord(store, may('create'), sent(values))
  const total = async () => (await store.pages.page(may('read'), { sort: [], offset: 0, limit: 1 })).total

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'kartoteka-store-'))
    store = await openStore({
      directory,
      environment: { now: () => Date.UTC(2026, 0, 2, 3, 4, 5), randomBytes: (count) => randomBytes(count) },
      settings: {
        timeZone: 'UTC',
        trashDays: 30,
        auditDays: 365,
        changeDays: 365,
        deliveryDays: 30,
        jobDays: 30,
        webhookHttp: 'no',
        webhookNetworks: [],
        tokenLifetime: 60,
        tokenLifetimeMax: 600,
        linkLifetimeMax: 600,
        workers: 1,
        queryTimeout: 20_000,
      },
    })
    table = await createTable(store, operator, { title: 'Companies' })
    titled = `f${await createField(store, operator, { tableId: table, title: 'Name', typeName: 'text', unique: true })}`
    amount = `f${await createField(store, operator, { tableId: table, title: 'Turnover', typeName: 'decimal' })}`
  })
  afterEach(async () => {
    await store.close()
    rmSync(directory, { recursive: true })
  })

  it('creates, reads, lists, changes and deletes', async () => {
    const { id } = await add({ [titled]: 'Ёлка', [amount]: '123456789012345.12' })
    assert.deepEqual(await getRecord(store, may('read'), id), {
      id,
      version: 1,
      attributes: {
        user_id: String(operator.userId),
        add_time: '2026-01-02 03:04:05',
        status: '0',
        [titled]: 'Ёлка',
        [amount]: '123456789012345.12',
      },
    })
    const found = await store.pages.page(may('read'), { filter: parse(`eq(${titled},'ЕЛКА')`), sort: [], offset: 0, limit: 20 })
    assert.equal(found.total, 1)
    assert.equal((await updateRecord(store, may('update'), id, sent({ [amount]: '1.5' }))).attributes[amount], '1.50')
    await deleteRecord(store, may('delete'), id)
    await assert.rejects(getRecord(store, may('read'), id), { code: 'record.not_found' })
    assert.equal(await total(), 0)
  })

  it('restores from the trash under the same id, unless a value is taken by then', async () => {
    const { id } = await add({ [titled]: 'One' })
    await deleteRecord(store, may('delete'), id)
    const other = await add({ [titled]: 'ONE' })
    const [entries] = await store.db.read(sql`SELECT id FROM trash`)
    const entry = Number(entries![0]![0])
    await assert.rejects(
      restore(store, operator, entry),
      (error) => error instanceof Failures && error.failures[0]!.code === 'field.not_unique',
    )
    await deleteRecord(store, may('delete'), other.id)
    await restore(store, operator, entry)
    assert.equal((await getRecord(store, may('read'), id)).version, 2)
    assert.equal(await total(), 1)
    await assert.rejects(restore(store, operator, entry), { code: 'trash.not_found' })
    await deleteRecord(store, may('delete'), id)
    for (const row of (await store.db.read(sql`SELECT id FROM trash`))[0]!) await erase(store, operator, Number(row[0]))
    assert.equal((await add({ [titled]: 'three' })).id, other.id + 1, 'ids are never reused')
  })

  it('imports each line for itself and counts those that went in', async () => {
    const granted = grant(['create', 'bulk'], table, operator, store.catalogue())
    const results = await insertRecords(store, granted, [
      sent({ [titled]: 'a' }),
      sent({ [titled]: 'A' }),
      sent({ [amount]: 'x' }),
      sent({ [titled]: 'b' }),
    ])
    assert.deepEqual(
      results.map((result) => typeof result),
      ['number', 'object', 'object', 'number'],
    )
    assert.equal(await total(), 2)
  })

  it('starts a write over when the structure changed since the request began', async () => {
    const old = may('create')
    await createField(store, operator, { tableId: table, title: 'More', typeName: 'text' })
    await assert.rejects(createRecord(store, old, sent({})), Stale)
  })

  it('reports every value that does not fit, and writes nothing', async () => {
    await assert.rejects(add({ [titled]: 'a\nb', [amount]: '1.234' }), (error) => error instanceof Failures && error.failures.length === 2)
    assert.equal(await total(), 0)
  })
})
