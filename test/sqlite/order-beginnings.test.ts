import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { parseSort } from '../../src/filter/sort.ts'
import { pages } from '../../src/store/lists/pages.ts'
import { setListReader } from '../../src/store/lists/set-list-reader.ts'
import type { LocalDb } from '../../src/store/ground/db.ts'
import type { Store } from '../../src/store/ground/store.ts'
import { updateRecord } from '../../src/store/records/write-records.ts'
import { indexedTable, type IndexedTable } from '../support/indexed-table.ts'
import { setPartsOf, setsOver } from '../support/list-parts.ts'
import { scratchStore } from '../support/scratch-store.ts'

/* The first page of a filtered list, by the beginning that an index has, before the order of the table is known. */

const RECORDS = 12_000

describe('the first pages of a filtered list whose order is not known yet', () => {
  let store: Store
  let table: IndexedTable
  let remove: () => Promise<void>

  before(async () => {
    ;({ store, remove } = await scratchStore())
    table = await indexedTable(store, RECORDS)
    const { table: model, allAttributes } = table.may('read')
    // As for a large table, or one that SQL answers.
    for (const sort of ['amount', '-amount', 'title'])
      store.indexes.wanted(model, undefined, parseSort(table.named(sort), allAttributes), 'by SQL')
    await store.indexes.idle()
    assert.deepEqual(await table.ready(), ['amount order', 'amount order_desc', 'title order'].map(table.named))
  })
  after(() => remove())

  /** Lists from sets of which nothing is known yet. */
  function over(readOrderAside: LocalDb['readOrderAside'], memory = Infinity) {
    const parts = setPartsOf(store)
    const db: LocalDb = { ...parts.db, readOrderAside }
    const sets = setsOver(store, db, memory)
    return { ...store, sets, pages: pages(store, setListReader({ ...parts, db, sets })) }
  }
  const bySql = (): Store => ({ ...store, pages: pages(store, setPartsOf(store).bySql) })
  const never = () => new Promise<never>(() => undefined)
  const read: LocalDb['readOrderAside'] = (by, ids) => setPartsOf(store).db.readOrderAside(by, ids)

  const near: readonly (readonly [filter: string, sort: string, offset: number])[] = [
    ["eq(stage,'won')", 'amount', 0],
    ["eq(stage,'won')", '-amount', 40],
    ["ne(stage,'won')", 'title', 500],
    ["not(contains(title,'anna'))", '-amount', 1_980],
    // Few in all, and all of them at the beginning; none at all.
    ['lt(amount,3)', 'amount', 0],
    ["eq(title,'nobody')", 'amount', 0],
  ]

  it('do not wait for the order, and are what SQL answers', async () => {
    const on = over(never)
    for (const [filter, sort, offset] of near) {
      const expected = await table.list(filter, sort, offset, bySql())
      assert.deepEqual(await table.list(filter, sort, offset, on), expected, `${filter} by ${sort} from ${offset}`)
    }
  })

  it('follow changes: what is first now is first on the page', async () => {
    const on = over(never)
    const amount = table.named('amount')
    const before = await table.list("ne(stage,'won')", 'amount', 0, on)
    const last = before.ids.at(-1)!
    await updateRecord(store, table.may('update'), last, new Map([[amount, '-5']]))
    const now = await table.list("ne(stage,'won')", 'amount', 0, on)
    assert.equal(now.ids[0], last)
    assert.deepEqual(now, await table.list("ne(stage,'won')", 'amount', 0, bySql()))
  })

  it('wait for it where the beginning has too few of them, and where several fields decide', async () => {
    for (const [filter, sort, offset] of [
      ["eq(stage,'won')", 'amount', 1_500],
      ['gt(amount,4990)', 'amount', 0],
      ["eq(stage,'won')", 'amount,title', 0],
      ["eq(stage,'won')", 'count', 0],
    ] as const) {
      const held = Promise.withResolvers<void>()
      const on = over(async (by, ids) => (await held.promise, read(by, ids)))
      let isAnswered = false
      const page = table.list(filter, sort, offset, on).finally(() => (isAnswered = true))
      // The set of the filter is known by then.
      assert.equal((await table.list(filter, '', 0, on)).total, (await table.list(filter, '', 0, bySql())).total)
      for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
      assert.equal(isAnswered, false, `${filter} by ${sort}`)
      held.resolve()
      assert.deepEqual(await page, await table.list(filter, sort, offset, bySql()), `${filter} by ${sort}`)
    }
  })

  it('have the order read for nobody in particular, and again after it could not be read or followed', async () => {
    let reads = 0
    let ended = 0
    const on = over(async (by, ids) => {
      assert.equal(by.client, undefined)
      reads++
      try {
        if (reads === 1) throw new Error('It cannot be read.')
        const order = await read(by, ids)
        // More changes than an order follows.
        if (reads === 2) for (let i = 0; i < 4_500; i++) on.sets.of(table.may('read').table)!.changed(1 + i)
        return order
      } finally {
        ended++
      }
    })
    for (let turn = 0; turn < 5; turn++) {
      assert.deepEqual(await table.list("eq(stage,'won')", 'amount', 0, on), await table.list("eq(stage,'won')", 'amount', 0, bySql()))
      while (ended < reads) await new Promise(setImmediate)
      for (let i = 0; i < 5; i++) await new Promise(setImmediate)
    }
    // One failed, one could not follow, one is kept.
    assert.equal(reads, 3)
  })

  it('have the order read once meanwhile, also where there is no room to keep it', async () => {
    for (const memory of [Infinity, 40_000]) {
      let reads = 0
      let ended = 0
      const on = over(async (by, ids) => {
        reads++
        const order = await read(by, ids)
        ended++
        return order
      }, memory)
      for (let turn = 0; turn < 6; turn++) {
        for (const offset of [0, 20]) await table.list("eq(stage,'won')", 'amount', offset, on)
        // All that was begun has ended.
        while (ended < reads) await new Promise(setImmediate)
        await new Promise(setImmediate)
      }
      assert.equal(reads, 1, `with ${memory} bytes`)
    }
  })
})
