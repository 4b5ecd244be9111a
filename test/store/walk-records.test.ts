import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { parse } from '../../src/filter/parse.ts'
import { parseSort } from '../../src/filter/sort.ts'
import { name, sql } from '../../src/sql/sql.ts'
import { grant } from '../../src/store/model/access.ts'
import { operator } from '../../src/store/catalogue/administrator.ts'
import { recordsOf } from '../../src/store/model/catalogue.ts'
import type { Right } from '../../src/store/model/rights.ts'
import { createField } from '../../src/store/structure/fields.ts'
import { createRecord, deleteRecord, updateRecord } from '../../src/store/records/write-records.ts'
import type { RecordRow } from '../../src/store/model/record.ts'
import type { Store } from '../../src/store/ground/store.ts'
import { createTable } from '../../src/store/structure/tables.ts'
import { walkRecords } from '../../src/store/records/walk-records.ts'
import { scratchStore } from '../support/scratch-store.ts'
import { indexedTable, type IndexedTable } from '../support/indexed-table.ts'

let store: Store
let table: IndexedTable
let remove: () => Promise<void>

before(async () => {
  ;({ store, remove } = await scratchStore())
  table = await indexedTable(store, 12_000)
  // A hole wider than any one statement looks over.
  await store.db.write((tx) => tx.run(sql`DELETE FROM ${name(recordsOf(table.id))} WHERE id BETWEEN 1700 AND 11300`))
})
after(() => remove())

async function walk(filter: string | undefined, on: Store = store): Promise<number[]> {
  const ids: number[] = []
  for await (const records of walkRecords(on, table.may('read'), filter === undefined ? undefined : parse(table.named(filter)))) {
    assert.ok(records.length > 0 && records.length <= 500)
    ids.push(...records.map(({ id }) => id))
  }
  return ids
}

const inRange = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)

it('all records come once and by id, over holes of any width', async () => {
  assert.deepEqual(await walk(undefined), [...inRange(1, 1699), ...inRange(11_301, 12_000)])
})

it('in another order they come as on pages of a list, each once', async () => {
  const sort = (text: string) => parseSort(table.named(text), table.may('read').allAttributes)
  const stretch = async (filter: string | undefined, order: string) => {
    const ids: number[] = []
    const expression = filter === undefined ? undefined : parse(table.named(filter))
    for await (const records of walkRecords(store, table.may('read'), expression, sort(order))) {
      assert.ok(records.length > 0 && records.length <= 500)
      ids.push(...records.map(({ id }) => id))
    }
    return ids
  }
  for (const [filter, order] of [
    [undefined, '-count'],
    [undefined, '-id'],
    [undefined, 'stage,-title'],
    ['eq(flag,1)', 'notes'],
    ["contains(title,'nowhere')", 'notes'],
  ] as const) {
    const ids = await stretch(filter, order)
    const selection = { filter: filter === undefined ? undefined : parse(table.named(filter)), sort: sort(order) }
    const page = await store.pages.page(table.may('read'), { ...selection, offset: 0, limit: 20_000 })
    const expected = page.records.map(({ id }) => id)
    assert.deepEqual(ids, expected, order)
  }
})

it('of a filter those that match, and a record that came meanwhile behind them', async () => {
  const walked: number[] = []
  for await (const records of walkRecords(store, table.may('read'), parse(table.named('eq(flag,1)')))) {
    if (walked.length === 0) await table.fill(2)
    walked.push(...records.map(({ id }) => id))
  }
  assert.deepEqual(
    walked,
    [...inRange(1, 1699), ...inRange(11_301, 12_002)].filter((id) => id % 2 === 0),
  )
})

it('a filter that nothing matches is looked for a stretch at a time, by a thread beside', async () => {
  let statements = 0
  const readAside: Store['db']['readAside'] = (...queries) => {
    statements++
    return store.db.readAside(...queries)
  }
  const never = () => assert.fail('the thread that serves looks through records')
  assert.deepEqual(await walk("eq(notes,'nothing')", { ...store, db: { ...store.db, readAside, read: never } }), [])
  assert.equal(statements, 3)
})

it('others have their turn between two batches, which have fewer records where there are many fields', async () => {
  let turns = 0
  let walking = true
  const count = () => void (walking && (turns++, setImmediate(count)))
  setImmediate(count)
  let batches = 0
  for await (const records of walkRecords(store, table.may('read'))) if (records.length > 0) batches++
  walking = false
  assert.ok(batches >= 5 && turns >= batches - 1, `${turns} turns, ${batches} batches`)
  const id = await createTable(store, operator, { title: 'Wide' })
  for (let i = 0; i < 120; i++) await createField(store, operator, { tableId: id, title: `${i}`, typeName: 'integer' })
  await store.db.write((tx) =>
    tx.run(sql`INSERT INTO ${name(recordsOf(id))} (user_id, add_time)
      WITH RECURSIVE counter (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counter WHERE n < 600) SELECT 1, '2024-05-01 09:30:00' FROM counter`),
  )
  const sizes: number[] = []
  for await (const records of walkRecords(store, grant('read', id, operator, store.catalogue()))) sizes.push(records.length)
  assert.equal(
    sizes.reduce((sum, size) => sum + size, 0),
    600,
  )
  assert.ok(Math.max(...sizes) * 120 <= 15_000, sizes.join())
})

it('texts of a megabyte come in small batches, and are never read many at once; what changes meanwhile comes as it is then', async () => {
  const id = await createTable(store, operator, { title: 'Long' })
  const field = `f${await createField(store, operator, { tableId: id, title: 'Text', typeName: 'longtext' })}`
  const may = <R extends Right>(right: R) => grant(right, id, operator, store.catalogue())
  const COUNT = 30
  for (let i = 1; i <= COUNT; i++) {
    await createRecord(store, may('create'), new Map([[field, `${i} `.padEnd(i % 3 === 0 ? 1_000_000 : 20, 'long ')]]))
  }
  const db = store.db as { read: Store['db']['read'] }
  const { read } = db
  let most = 0
  let asked = 0
  db.read = async (...queries) => {
    const answers = await read(...queries)
    const characters = answers.flat(2).reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 8), 0)
    most = Math.max(most, characters)
    if (++asked === 1) {
      await updateRecord(store, may('update'), 3, new Map([[field, 'changed meanwhile']]))
      await deleteRecord(store, may('delete'), 6)
      await updateRecord(store, may('update'), 9, new Map([['status', '1']]))
    }
    return answers
  }
  try {
    const seen: RecordRow[] = []
    for await (const records of walkRecords(store, may('read'))) {
      const characters = records.reduce((sum, { attributes }) => sum + attributes[field]!.length, 0)
      assert.ok(characters < 4_000_000, `${characters} characters`)
      seen.push(...records)
    }
    assert.deepEqual(
      seen.map((one) => one.id),
      inRange(1, COUNT).filter((one) => one !== 6),
    )
    assert.equal(seen[2]!.attributes[field], 'changed meanwhile')
    assert.equal(seen[7]!.attributes['status'], '1')
    for (const { id: i, attributes } of seen) {
      if (i !== 3) assert.ok(attributes[field] === `${i} `.padEnd(i % 3 === 0 ? 1_000_000 : 20, 'long '), String(i))
      assert.deepEqual(Object.keys(attributes), ['user_id', 'add_time', 'status', field])
    }
    assert.ok(most < 4_000_000, `${most} characters in one answer`)
  } finally {
    db.read = read
  }
})

it('in another order, what changes or goes after its place is known comes as it is then', async () => {
  const sort = parseSort('-id', table.may('read').allAttributes)
  const filter = parse(table.named('lt(id,1200)'))
  const seen: RecordRow[] = []
  for await (const records of walkRecords(store, table.may('read'), filter, sort)) {
    if (seen.length === 0) {
      await updateRecord(store, table.may('update'), 5, new Map([['status', '1']]))
      await deleteRecord(store, table.may('delete'), 6)
    }
    seen.push(...records)
  }
  assert.deepEqual(
    seen.map(({ id }) => id),
    inRange(1, 1199)
      .filter((id) => id !== 6)
      .toReversed(),
  )
  assert.equal(seen.find(({ id }) => id === 5)!.attributes['status'], '1')
})
