import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { parse } from '../../src/filter/parse.ts'
import { name, sql } from '../../src/sql/sql.ts'
import { recordsOf } from '../../src/store/catalogue.ts'
import type { Store } from '../../src/store/store.ts'
import { walkRecords } from '../../src/store/walk-records.ts'
import { scratchStore } from '../scratch-store.ts'
import { indexedTable, type IndexedTable } from './indexed-table.ts'

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
