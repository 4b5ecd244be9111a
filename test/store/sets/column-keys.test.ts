import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { parse } from '../../../src/filter/parse.ts'
import { parseSort } from '../../../src/filter/sort.ts'
import type { Store } from '../../../src/store/ground/store.ts'
import { pages } from '../../../src/store/lists/pages.ts'
import { createRecord, deleteRecord, updateRecord } from '../../../src/store/records/write-records.ts'
import { indexedTable, type IndexedTable } from '../../support/indexed-table.ts'
import { setPartsOf } from '../../support/list-parts.ts'
import { cluster } from '../../support/scratch-database.ts'
import { scratchStore } from '../../support/scratch-store.ts'

/* Lists whose orders have their keys of columns (src/store/sets/column-keys.ts) are those of SQL. */

/** Of fewer, the keys of all are soon known where they have to be waited for. */
const RECORDS = 6_000

const written: Readonly<Record<string, (i: number) => string>> = {
  amount: (i) => `${(i * 37) % 5_000}.${10 + (i % 80)}`,
  count: (i) => String((i * 13) % 90),
  due: (i) => (i % 5 === 0 ? '' : `20${10 + (i % 20)}-0${1 + (i % 9)}-1${i % 10}`),
  seen: (i) => (i % 7 === 0 ? '' : `20${10 + (i % 20)}-0${1 + (i % 9)}-11 1${i % 10}:0${i % 6}:00`),
  stage: (i) => ['Won', 'Open', 'Lost', 'on hold'][i % 4]!,
  title: (i) => ['anna', 'Ёлка 5', '😀', 'ｆ', ''][i % 5]! + (i % 40),
}
const fields = Object.keys(written)
/** Those of texts have none on SQLite; on PostgreSQL, the keys of times are soon known. */
const withColumns = fields.filter((field) => field !== (cluster ? 'seen' : 'title'))
const sorts = ['amount', '-amount', 'count,due', '-due', 'seen', 'stage,amount', 'title', '-update_time']
const filters = [
  undefined,
  "gt(amount,'2500')",
  "and(lte(due,'2019-05-05'),ne(stage,'won'))",
  "between(seen,'2014-01-01','2022-01-01')",
  'lt(count,41)',
]

describe('orders whose keys are in columns', () => {
  let store: Store
  let table: IndexedTable
  let remove: () => Promise<void>
  let faults: string[]
  before(async () => {
    ;({ store, remove, faults } = await scratchStore())
    table = await indexedTable(store, RECORDS)
  })
  after(() => remove?.())

  const columns = () => Array.from(setPartsOf(store).sets.of(table.may('read').table)!.columns.values(), ({ attribute }) => attribute.name)

  async function list(by: Store['pages'], filter: string | undefined, sort: string, offset: number) {
    const granted = { ...table.may('read'), readFilter: '' }
    const wanted = {
      filter: filter === undefined ? undefined : parse(table.named(filter)),
      sort: parseSort(table.named(sort), granted.allAttributes),
    }
    const { records, total } = await by.page(granted, { ...wanted, offset, limit: 20 })
    return { ids: records.map(({ id }) => id), total }
  }

  async function write(i: number): Promise<void> {
    const sent = new Map(
      [fields[i % fields.length]!, fields[(i * 5 + 1) % fields.length]!].map((field) => [table.named(field), written[field]!(i)]),
    )
    const id = 1 + ((i * 389) % RECORDS)
    const gone = (error: { code?: string }) => {
      if (error.code !== 'record.not_found') throw error
    }
    if (i % 7 === 0) await createRecord(store, table.may('create'), sent)
    else if (i % 11 === 0) await deleteRecord(store, table.may('delete'), id).catch(gone)
    else await updateRecord(store, table.may('update'), id, sent).catch(gone)
  }

  it('say the same as SQL, before these are there, while they come, and as they follow', async () => {
    const bySql = pages(store, setPartsOf(store).bySql)
    const missing = () => withColumns.map(table.named).filter((name) => !columns().includes(name))
    let i = 0
    const some = async (rounds: number, isDone = () => false) => {
      for (const end = i + rounds; i < end && !isDone(); i++) {
        for (let k = 0; k < 4; k++) await write(4 * i + k)
        // As where so many others have changed since: what records hold now would stand in for the columns.
        const { records } = setPartsOf(store).sets.of(table.may('read').table)!
        for (let id = 1; id < 2 * RECORDS; id++) records.forget(id)
        for (let k = 0; k < sorts.length; k++) {
          const one = [filters[(i + k) % filters.length], sorts[k]!, (i * 997 + k * 131) % RECORDS] as const
          const found = await list(store.pages, ...one)
          if ((i + k) % 5 === 0) assert.deepEqual(found, await list(bySql, ...one), JSON.stringify(one))
        }
      }
    }
    await some(1_500, () => missing().length === 0)
    assert.deepEqual(missing(), [])
    await some(60)
    assert.deepEqual(faults, [])
  })
})
