import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { parseSort } from '../../src/filter/sort.ts'
import { pages } from '../../src/store/lists/pages.ts'
import { deleteRecord, updateRecord } from '../../src/store/records/write-records.ts'
import type { LocalDb } from '../../src/store/ground/db.ts'
import type { Store } from '../../src/store/ground/store.ts'
import { render, sql, type Sql } from '../../src/sql/sql.ts'
import { sqlite } from '../../src/sql/sqlite.ts'
import { indexedTable, type IndexedTable } from '../support/indexed-table.ts'
import { setPartsOf } from '../support/list-parts.ts'
import { scratchStore } from '../support/scratch-store.ts'

/* Where a range begins in its order is counted by an index, where there is one, in place of reading the records beside that place one by one. */

const RECORDS = 9_000
const SORTED = ['amount', 'count', 'flag', 'title', 'due', 'seen']

describe('the place at which a range begins', () => {
  let store: Store
  let table: IndexedTable
  let remove: () => Promise<void>
  const counted: Sql[] = []

  before(async () => {
    ;({ store, remove } = await scratchStore())
    table = await indexedTable(store, RECORDS)
    const { table: model, allAttributes } = table.may('read')
    for (const sort of SORTED) store.indexes.wanted(model, undefined, parseSort(table.named(sort), allAttributes), 'by SQL')
    await store.indexes.idle()
    assert.deepEqual((await table.ready()).sort(), SORTED.map((name) => table.named(`${name} order`)).sort())
    const { db, sets } = setPartsOf(store)
    const readNow = db.readNow.bind(db)
    Object.assign(db, {
      readNow(...queries: Sql[]) {
        for (const query of queries) if (render(query, sqlite.placeholder).text.startsWith('SELECT (SELECT count(*)')) counted.push(query)
        return readNow(...queries)
      },
    } satisfies Partial<LocalDb>)
    // After some ranges of a field its order is read.
    for (const name of SORTED) for (let n = 0; n < 4; n++) await table.list(`gte(${name},${valueOf(name, n)})`)
    await sets.idle()
  })
  after(() => remove())

  const bySql = (): Store => ({ ...store, pages: pages(store, setPartsOf(store).bySql) })

  function valueOf(name: string, n: number): string {
    if (name === 'amount') return `${(n * 611) % 5_000}.${10 + (n % 90)}`
    if (name === 'count') return String((n * 97) % 700)
    if (name === 'flag') return String(n % 2)
    if (name === 'title') return `'${['anna', 'd', 'naïve', 'Ёлка 1', '', '😀', 'o"hara anna 7'][n % 7]}'`
    return name === 'due' ? `'20${10 + (n % 20)}-0${1 + (n % 9)}-1${n % 9}'` : `'2024-0${1 + (n % 9)}-11 1${n % 9}:00:00'`
  }

  const ranges = (name: string, n: number): string[] => [
    ...['gt', 'gte', 'lt', 'lte'].map((fn) => `${fn}(${name},${valueOf(name, n)})`),
    `and(eq(stage,'Won'),gt(${name},${valueOf(name, n + 1)}))`,
    `between(${name},${valueOf(name, n)},${valueOf(name, n + 3)})`,
  ]

  async function areRight(n: number): Promise<void> {
    for (const name of SORTED)
      for (const [i, filter] of ranges(name, n).entries()) {
        const offset = (n * 1_009 + i * 337) % RECORDS
        assert.deepEqual(await table.list(filter, '', offset), await table.list(filter, '', offset, bySql()), `${filter} from ${offset}`)
      }
  }

  it('is right for values of any type, many of them equal, also beside changes', async () => {
    const gone = new Set<number>()
    for (let n = 10; n < 18; n++) {
      await areRight(n)
      for (let i = 0; i < 20; i++) {
        const id = 1 + ((n * 907 + i * 131) % RECORDS)
        const values = SORTED.map((name): [string, string] => [table.named(name), valueOf(name, n + i).replaceAll("'", '')])
        if (!gone.has(id)) await updateRecord(store, table.may('update'), id, new Map(values))
      }
      const id = 1 + ((n * 4_001) % RECORDS)
      gone.add(id)
      await deleteRecord(store, table.may('delete'), id)
    }
    await areRight(18)
    assert.ok(counted.length > 50, String(counted.length))
  })

  it('costs as much whatever the values: each part is found by the value and the id', async () => {
    assert.ok(counted.length > 0)
    for (const query of counted.slice(0, 200)) {
      const [plan] = await store.db.read(sql`EXPLAIN QUERY PLAN ${query}`)
      const steps = plan!.map((step) => String(step[3])).filter((step) => !/^(SCAN CONSTANT ROW|SCALAR SUBQUERY \d+)$/.test(step))
      assert.ok(steps.length > 0)
      for (const step of steps)
        assert.match(
          step,
          /^SEARCH data\d+ USING COVERING INDEX \S+_order \((.+=\? AND rowid>\?( AND rowid<\?)?|.+=\? AND rowid<\?|.+>\? AND .+<\?)\)$/,
        )
    }
  })
})
