import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { pages } from '../../../src/store/lists/pages.ts'
import { createRecord, deleteRecord, updateRecord } from '../../../src/store/records/write-records.ts'
import { indexedTable } from '../../support/indexed-table.ts'
import type { SetSource } from '../../../src/store/sets/set-source.ts'
import { setPartsOf } from '../../support/list-parts.ts'
import { cluster } from '../../support/scratch-database.ts'
import { scratchStore } from '../../support/scratch-store.ts'

/* Lists whose orders have their keys of columns (src/store/sets/column-keys.ts) are those of SQL. */

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
/** Those of texts have none on SQLite. */
const withColumns = fields.filter((field) => cluster || field !== 'title')
const sorts = ['amount', '-amount', 'count,due', '-due', 'seen', 'stage,amount', 'title', '-update_time']
const filters = [
  undefined,
  "gt(amount,'2500')",
  "and(lte(due,'2019-05-05'),ne(stage,'won'))",
  "between(seen,'2014-01-01','2022-01-01')",
  'lt(count,41)',
]

/** A table, and what is done with it. */
async function scene(settings: Parameters<typeof scratchStore>[0]) {
  const { store, remove, faults } = await scratchStore(settings)
  const table = await indexedTable(store, RECORDS)
  const own = () => setPartsOf(store).sets.of(table.may('read').table)!
  const bySql = { pages: pages(store, setPartsOf(store).bySql) }

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

  let round = 0
  /** Writes and lists, of which each fifth is compared with SQL, or with `every` each one. */
  async function work(rounds: number, every = 5): Promise<void> {
    for (const end = round + rounds; round < end; round++) {
      for (let k = 0; k < 4; k++) await write(4 * round + k)
      // As where so many others have changed since: what records hold now would stand in for the columns.
      for (let id = 1; id < 2 * RECORDS; id++) own().records.forget(id)
      for (let k = 0; k < sorts.length; k++) {
        const one = [filters[(round + k) % filters.length], sorts[k]!, (round * 997 + k * 131) % RECORDS] as const
        const found = await table.list(...one)
        if ((round + k) % every === 0) assert.deepEqual(found, await table.list(...one, bySql), JSON.stringify(one))
      }
    }
  }

  /** As orders do after many keys. */
  const want = (field: string) => own().columns.want([table.may('read').attributes.get(table.named(field))!])
  const areThere = () =>
    withColumns.every((field) => Array.from(own().columns.values()).some(({ attribute }) => attribute.name === table.named(field)))
  return { store, faults, work, want, areThere, remove }
}

describe('lists of orders whose keys are in columns', () => {
  it('are those of SQL, before these are there, while they come, and as they follow', async () => {
    const { faults, work, want, areThere, remove } = await scene({})
    try {
      await work(5)
      for (const field of withColumns) {
        want(field)
        await work(2)
      }
      for (let i = 0; i < 200 && !areThere(); i++) await work(1)
      assert.ok(areThere())
      await work(cluster ? 40 : 120, 1)
      assert.deepEqual(faults, [])
    } finally {
      await remove()
    }
  })

  it('are those of SQL where columns have to go again and again', async () => {
    const { store, faults, work, want, remove } = await scene({ listMemory: 0.6 })
    try {
      for (let i = 0; i < 80; i++) {
        want(withColumns[i % withColumns.length]!)
        await work(1)
      }
      const { read, dropped } = store.pages.figures()!
      assert.ok(read.column > 5 && dropped > 0, JSON.stringify([read, dropped]))
      assert.deepEqual(faults, [])
    } finally {
      await remove()
    }
  })

  it('are wanted by orders that have read many keys', async () => {
    const { store, work, remove } = await scene({})
    try {
      for (let i = 0; i < 60 && store.pages.figures()!.read.column === 0; i++) await work(5)
      assert.ok(store.pages.figures()!.read.column > 0)
    } finally {
      await remove()
    }
  })

  it('are read no more for a while where that failed, which is told; lists go on without them', async () => {
    const { store, faults, work, want, areThere, remove } = await scene({})
    try {
      await work(2)
      const source = setPartsOf(store).sets.source as { column: SetSource['column'] }
      let reads = 0
      source.column = () => (reads++, Promise.reject(new Error('broken off')))
      for (let i = 0; i < 3; i++) {
        want('amount')
        await work(1, 1)
      }
      assert.equal(reads, 1)
      assert.match(faults.splice(0).join(), /a column of a table was not read/)
      assert.equal(areThere(), false)
    } finally {
      await remove()
    }
  })
})
