import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { sql } from '../../src/sql/sql.ts'
import { operator } from '../../src/store/catalogue/administrator.ts'
import type { Ledger } from '../../src/store/ground/db.ts'
import type { Store } from '../../src/store/ground/store.ts'
import { grant, type Caller } from '../../src/store/model/access.ts'
import type { Right } from '../../src/store/model/rights.ts'
import { CLIENTS } from '../../src/store/people/groups.ts'
import { insertRecords } from '../../src/store/records/insert-records.ts'
import {
  createRecord,
  deleteRecord,
  prepareCreate,
  prepareUpdate,
  updateRecord,
  writeTogether,
} from '../../src/store/records/write-records.ts'
import { createRule } from '../../src/store/structure/access-rules.ts'
import { createField, deleteField } from '../../src/store/structure/fields.ts'
import { createTable } from '../../src/store/structure/tables.ts'
import { erase, purgeExpired, restore } from '../../src/store/structure/trash.ts'
import { checkIntegrity } from '../../src/store/upkeep/check-integrity.ts'
import { scratchInstallation } from '../support/scratch-store.ts'
import { allTold, makeTold, toldLedger, type ToldLedger } from '../support/told-ledger.ts'

it('a ledger that fails after a commit undoes nothing: it is reported, and the next one is told', { timeout: 20_000 }, async () => {
  const told: number[] = []
  const counting = (afterCommit: Ledger['afterCommit']): Ledger => ({ beforeCommit: async () => {}, afterCommit })
  const fails = counting(({ length }) => {
    if (length > 0) throw new Error('The ledger fails.')
  })
  const tells = counting((tallies) => void told.push(...tallies.map(({ recordId }) => recordId)))
  const { open, faults, remove } = await scratchInstallation({}, { ledgers: [fails, tells] })
  const store = await open()
  const table = await createTable(store, operator, { title: 'Companies' })
  const may = <R extends Right>(right: R) => grant(right, table, operator, store.catalogue())
  const { id } = await createRecord(store, may('create'), new Map())
  await deleteRecord(store, may('delete'), id)
  assert.deepEqual(told, [id, id])
  assert.deepEqual(faults, Array<string>(2).fill('a ledger failed after a commit: The ledger fails.'))
  await store.close()
  await remove()
})

it('what is erased leaves the state of its table as it is, also where it is told in parts', async (test) => {
  const { open, remove } = await scratchInstallation({}, { ledgers: [toldLedger('host', true)] })
  const store = await open()
  test.after(() => store.close().then(remove))
  await makeTold(store.db)
  const table = await createTable(store, operator, { title: 'Companies' })
  const field = await createField(store, operator, { tableId: table, title: 'Code', typeName: 'text' })
  const may = <R extends Right>(right: R) => grant(right, table, operator, store.catalogue())
  const add = async () => (await createRecord(store, may('create'), new Map([[`f${field}`, 'code']]))).id
  const state = async () => {
    const { number, query } = store.positions.state(table)
    return query ? Number((await store.db.read(query))[0]![0]![0]) : number
  }
  const eraseThe = async (kind: string) => {
    const [rows] = await store.db.read(sql`SELECT id FROM trash WHERE kind = ${kind}`)
    await erase(store, operator, Number(rows![0]![0]))
  }
  const first = await add()
  await add()
  await deleteRecord(store, may('delete'), first)
  await deleteField(store, operator, field)
  const before = await state()
  await eraseThe('record')
  assert.equal(await state(), before)
  await eraseThe('field')
  assert.equal(await state(), before)
  assert.deepEqual(
    (await allTold(store.db)).map(({ act }) => act),
    ['create', 'create', 'delete', 'erase', 'erase'],
  )
  await createRecord(store, may('create'), new Map())
  assert.notEqual(await state(), before)
})

describe('a ledger beside the counts', () => {
  let store: Store
  let remove: () => Promise<void>
  let clock: { now: number }
  let told: ToldLedger
  let table: number
  let code: string
  const may = <R extends Right>(right: R, by: Caller = operator) => grant(right, table, by, store.catalogue())
  const named = (value: string) => new Map([[code, value]])
  const add = async (value: string, by?: Caller) => (await createRecord(store, may('create', by), named(value))).id
  const importing = (by: Caller, values: readonly string[]) =>
    insertRecords(store, grant(['create', 'bulk'], table, by, store.catalogue()), values.map(named))
  const lastEntry = async () => Number((await store.db.read(sql`SELECT max(id) FROM trash`))[0]![0]![0])
  /** Each with the record and what was done to it. */
  const acts = async () => (await allTold(store.db)).map(({ recordId, act }) => `${act} ${recordId}`)

  beforeEach(async () => {
    told = toldLedger('host')
    const installation = await scratchInstallation({}, { ledgers: [told] })
    clock = installation.clock
    store = await installation.open()
    remove = () => store.close().then(installation.remove)
    await makeTold(store.db)
    table = await createTable(store, operator, { title: 'Companies' })
    code = `f${await createField(store, operator, { tableId: table, title: 'Code', typeName: 'text', unique: true })}`
  })
  afterEach(async () => {
    assert.deepEqual(
      told.committed.toSorted((a, b) => a - b),
      (await allTold(store.db)).map(({ recordId }) => recordId).sort((a, b) => a - b),
      'after the commits it was told the same',
    )
    for await (const problem of checkIntegrity(store)) assert.fail(problem)
    await remove()
  })

  it('is told of every change once, in the order in which they were made, with who made it', async () => {
    const request: Caller = { ...operator, userId: 7, door: 'api' }
    const file: Caller = { ...operator, door: 'import' }
    const first = await add('first', request)
    await updateRecord(store, may('update', { ...request }), first, named('changed'))
    await deleteRecord(store, may('delete'), first)
    await restore(store, operator, await lastEntry())
    await deleteRecord(store, may('delete'), first)
    await erase(store, operator, await lastEntry())
    await importing(file, ['a', 'b'])
    await importing(file, ['c', 'C', 'd'])
    const [second] = await writeTogether(store, [
      await prepareCreate(store, may('create', request), named('e')),
      await prepareUpdate(store, may('update', request), 2, named('f')),
    ])
    await deleteRecord(store, may('delete'), second.id)
    clock.now += 40 * 86_400_000
    await purgeExpired(store)
    const all = await allTold(store.db)
    assert.deepEqual(
      all.map(({ recordId, act, userId, door, batch }) => `${act} ${recordId} ${userId} ${door} ${batch}`),
      [
        'create 1 7 api host 0',
        'update 1 7 api host 1',
        'delete 1 0 command host 2',
        'restore 1 0 command host 2',
        'delete 1 0 command host 2',
        'erase 1 0 command host 2',
        'create 2 0 import host 3',
        'create 3 0 import host 3',
        'create 4 0 import host 3',
        'create 5 0 import host 3',
        `create ${second.id} 7 api host 0`,
        'update 2 7 api host 0',
        `delete ${second.id} 0 command host 2`,
        `erase ${second.id} 0 service host 4`,
      ],
    )
    assert.ok(all.every(({ tableId }) => tableId === table))
  })

  it('is not told of what was refused, changed nothing or was undone', async () => {
    const id = await add('first')
    await updateRecord(store, may('update'), id, named('first'))
    await assert.rejects(add('FIRST'))
    await assert.rejects(updateRecord(store, may('update'), id, named('two\nlines')))
    await assert.rejects(
      writeTogether(store, [
        await prepareUpdate(store, may('update'), id, named('changed')),
        await prepareCreate(store, may('create'), named('Changed')),
      ]),
    )
    await createRule(store, operator, {
      groupId: CLIENTS,
      tableId: table,
      read: true,
      create: true,
      bulk: true,
      writeFilter: `starts_with(${code},'ok')`,
    })
    const client: Caller = { ...operator, userId: 9, groupId: CLIENTS, administrator: false }
    const before = (await acts()).length
    await assert.rejects(add('not', client))
    assert.deepEqual(
      (await importing(client, ['ok 1', 'not', 'ok 2'])).map((one) => typeof one),
      ['number', 'object', 'number'],
    )
    assert.deepEqual((await acts()).slice(0, before), [`create ${id}`])
    assert.equal((await acts()).length, before + 2)
    told.refuses = new Error('The ledger refuses.')
    await assert.rejects(add('refused'), { message: 'The ledger refuses.' })
    told.refuses = undefined
    assert.equal((await acts()).length, before + 2)
  })

  it('is told of what many wrote at the same time, and of nothing that collided', async () => {
    const created = await Promise.allSettled(Array.from({ length: 120 }, (_, i) => add(`code ${i % 70}`)))
    const ids = created.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
    assert.equal(ids.length, 70)
    const done = await Promise.allSettled([
      ...ids.slice(0, 50).map((id) => updateRecord(store, may('update'), id, named(`changed ${id}`))),
      ...ids.slice(30).map((id) => deleteRecord(store, may('delete'), id)),
      ...ids.slice(0, 10).map((id) => updateRecord(store, may('update'), id, named('the same for all'))),
    ])
    const refused = done.filter(({ status }) => status === 'rejected').length
    const all = await acts()
    assert.deepEqual(new Set(all.slice(0, 70)), new Set(ids.map((id) => `create ${id}`)))
    assert.equal(all.length, 70 + done.length - refused)
    assert.equal(new Set(all.filter((one) => one.startsWith('delete'))).size, 40)
  })
})
