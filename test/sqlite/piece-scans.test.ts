import assert from 'node:assert/strict'
import { it } from 'node:test'
import { parse } from '../../src/filter/parse.ts'
import { idsThat } from '../../src/store/sets/set-queries.ts'
import { conditionOf } from '../../src/store/records/read-records.ts'
import { indexedTable } from '../support/indexed-table.ts'
import { setPartsOf } from '../support/list-parts.ts'
import { scratchStore } from '../support/scratch-store.ts'

/* Which sets are read by a pass through all records, which those who look for other pieces share. */

it('what a text index finds is read by it; what no index finds, by a pass through the texts', async () => {
  const { store, remove } = await scratchStore()
  try {
    const table = await indexedTable(store, 3_000)
    const granted = table.may('read')
    const scanned = async (filter: string) => {
      const condition = (await conditionOf(store, granted, parse(table.named(filter))))!
      const { scan } = await idsThat(granted.table, { condition }, setPartsOf(store))
      return scan?.piece
    }
    const filters = ["contains(title,'anna')", "contains(title,'an')", "has(tags,'Won')", "contains(notes,'line')", 'eq(flag,1)']
    const before = ['anna', 'an', '\nwon\n', 'line', undefined]
    for (const [i, filter] of filters.entries()) assert.equal((await scanned(filter))?.replaceAll('\r', ''), before[i], filter)
    for (const name of ['title', 'tags', 'notes']) {
      const condition = await conditionOf(store, granted, parse(table.named(`contains(${name},'0123456789')`)))
      store.indexes.wanted(granted.table, condition, [])
    }
    await store.indexes.idle()
    const after = [undefined, 'an', undefined, undefined, undefined]
    for (const [i, filter] of filters.entries()) assert.equal(await scanned(filter), after[i], filter)
  } finally {
    await remove()
  }
})
