import assert from 'node:assert/strict'
import { it } from 'node:test'
import { indexedTable } from '../../support/indexed-table.ts'
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
