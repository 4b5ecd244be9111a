import assert from 'node:assert/strict'
import { it } from 'node:test'
import { updateRecord } from '../../../src/store/records/write-records.ts'
import { indexedTable } from '../../support/indexed-table.ts'
import { setPartsOf } from '../../support/list-parts.ts'
import { scratchStore } from '../../support/scratch-store.ts'
import { until } from '../../support/until.ts'

const RECORDS = 6_000
/** More than an order follows at once. */
const WRITES = 5_600

it('sets and orders that were used lately follow many writes, although only another list is asked for meanwhile', async () => {
  const { store, remove, faults } = await scratchStore()
  const { store: other, remove: removeOther } = await scratchStore({ listedFrom: 1_000_000 })
  try {
    const table = await indexedTable(store, RECORDS)
    const bySql = await indexedTable(other, RECORDS)
    const asked = [
      ["ne(stage,'won')", '-count', 700],
      ['gt(amount,2500)', '', 300],
      ["contains(title,'anna')", 'amount,title', 100],
    ] as const
    for (let turn = 0; turn < 4; turn++) for (const [filter, sort, offset] of asked) await table.list(filter, sort, offset)
    const { read } = store.pages.figures()!

    const sets = () => setPartsOf(store).sets.of(store.catalogue().tables.get(table.id)!)
    const least = () =>
      Math.min(
        ...sets()!
          .usedLately()
          .map(({ seen }) => seen),
      )
    const may = table.may('read', 'update')
    const mayOther = bySql.may('read', 'update')
    const [count, amount] = [table.named('count'), table.named('amount')]
    for (let i = 0; i < WRITES; i += 20) {
      const some = Array.from({ length: 20 }, (_, k) => i + k)
      const values = (n: number) => new Map([[count, String((n * 17) % 900)], [amount, `${(n * 31) % 5_000}.5`]]) // prettier-ignore
      for (const [on, granted] of [
        [store, may],
        [other, mayOther],
      ] as const)
        // prettier-ignore
        await Promise.all(some.map((n) => updateRecord(on, granted, 1 + ((n * 7) % RECORDS), values(n))))
      if (i % 300 !== 0) continue
      // So that PostgreSQL tells of the changes.
      await table.list('eq(flag,1)')
      await until('that what was used lately follows', () => sets()!.log.end - least() < 300)
    }
    await table.list('eq(flag,1)')
    const before = store.pages.figures()!.read
    for (const [filter, sort, offset] of asked)
      assert.deepEqual(await table.list(filter, sort, offset), await bySql.list(filter, sort, offset), `${filter} by ${sort}`)
    assert.deepEqual(store.pages.figures()!.read, before, 'nothing was read anew')
    assert.equal(before.order, read.order)
    assert.deepEqual(faults, [])
  } finally {
    await remove()
    await removeOther()
  }
})
