import assert from 'node:assert/strict'
import { it } from 'node:test'
import { ListSets } from '../../../src/store/sets/list-sets.ts'
import { pages } from '../../../src/store/lists/pages.ts'
import { setListReader } from '../../../src/store/lists/set-list-reader.ts'
import { setMemory } from '../../../src/store/sets/set-memory.ts'
import type { SetSource } from '../../../src/store/sets/set-source.ts'
import { indexedTable } from '../../support/indexed-table.ts'
import { setPartsOf } from '../../support/list-parts.ts'
import { scratchStore } from '../../support/scratch-store.ts'

/* Which indexes lists request: what answers them needs an order read once, or for each list. */

const asked: readonly (readonly [filter: string | undefined, sort: string])[] = [
  [undefined, 'amount'],
  [undefined, '-count'],
  ["eq(stage,'won')", '-seen'],
  ["between(due,'2012-01-01','2012-02-01')", ''],
  ['gt(amount,4999)', ''],
  ["eq(mail,'person7@example7.com')", ''],
  ["starts_with(phone,'+7 900')", ''],
  ["gt(title,'o')", 'title'],
]

async function wanted(listedFrom: number, records: number, more: { turns?: number; listMemory?: number } = {}): Promise<readonly string[]> {
  const { turns = 4, ...settings } = more
  const { store, remove } = await scratchStore({ listedFrom, ...settings })
  try {
    const table = await indexedTable(store, records)
    for (let turn = 0; turn < turns; turn++) for (const [filter, sort] of asked) await table.list(filter, sort, 40)
    await store.indexes.idle()
    const ready = await table.ready()
    const all = ['amount', 'count', 'seen', 'stage', 'due', 'mail', 'phone', 'title']
    const kinds = ['order', 'order_desc', 'value', 'text']
    return all.flatMap((title) => kinds.map((kind) => `${title} ${kind}`)).filter((index) => ready.includes(table.named(index)))
  } finally {
    await remove()
  }
}

it('of a table that sets answer, single values and beginnings want an index, orders and ranges none', async () => {
  assert.deepEqual(await wanted(1_000, 3_000), ['stage value', 'mail order', 'phone order'])
})

const bySql = [
  'amount order',
  'count order_desc',
  'seen order_desc',
  'stage value',
  'due order',
  'mail order',
  'phone order',
  'title order',
]

it('where SQL answers, each order and each range wants one', async () => {
  assert.deepEqual(await wanted(1_000_000, 3_000), bySql)
})

it('where memory has no room for orders, so that they are read again and again, they want one too', async () => {
  assert.deepEqual(await wanted(1_000, 3_000, { turns: 12, listMemory: 0.001 }), bySql)
})

// One that sets answer in between begins the count anew.
it('where SQL answered twenty lists in place of sets, one after the other, their order wants one', async () => {
  const { store, remove } = await scratchStore({ listedFrom: 1_000 })
  try {
    const table = await indexedTable(store, 3_000)
    const parts = setPartsOf(store)
    let isFast = true
    const { source } = parts.sets
    // What changes faster than sets follow is answered by SQL for the time being.
    const restless: SetSource = {
      answered: (of) => source.answered(of),
      isLonger: (of, records) => source.isLonger(of, records),
      startAhead: () => source.startAhead(),
      begun: (sets) => (isFast ? Promise.resolve(false) : source.begun(sets)),
      set: (sets, by, ids) => source.set(sets, by, ids),
      order: (sets, by, ids) => source.order(sets, by, ids),
      column: (...of) => source.column(...of),
      areShownRight: (sets) => source.areShownRight(sets),
      rows: (sets, plan, ids) => source.rows(sets, plan, ids),
      ...(source.fetch && { fetch: (sets, by, unread) => source.fetch!(sets, by, unread) }),
    }
    const sets = new ListSets(parts, setMemory(Infinity), () => restless)
    const on = { ...store, pages: pages(store, setListReader({ ...parts, sets, instead: new Map() })) }
    const wants = async (lists: number, sort: string) => {
      for (let i = 0; i < lists; i++) await table.list(undefined, sort, 40, on)
      await store.indexes.idle()
      return (await table.ready()).includes(table.named(`${sort} order`))
    }
    assert.equal(await wants(19, 'amount'), false)
    isFast = false
    assert.equal(await wants(1, 'amount'), false)
    isFast = true
    assert.equal(await wants(19, 'amount'), false)
    assert.equal(await wants(19, 'count'), false)
    assert.equal(await wants(2, 'amount'), true)
    assert.equal((await table.ready()).includes(table.named('count order')), false)
  } finally {
    await remove()
  }
})
