import assert from 'node:assert/strict'
import { it } from 'node:test'
import { updateRecord } from '../../../src/store/records/write-records.ts'
import { indexedTable } from '../../support/indexed-table.ts'
import { setPartsOf } from '../../support/list-parts.ts'
import { scratchStore } from '../../support/scratch-store.ts'

const RECORDS = 6_000
const WRITES = 1_200

const stages = ['won', 'lost', 'open']
const filters = stages.flatMap((stage) => [
  [`and(eq(stage,'${stage}'),ne(flag,1))`, ''],
  [`and(eq(stage,'${stage}'),ne(flag,1))`, '-count'],
  [`and(eq(stage,'${stage}'),gt(amount,2500))`, ''],
  [`or(eq(stage,'${stage}'),not(and(eq(flag,1),contains(title,'anna'))))`, 'amount'],
]) as readonly [string, string][]

it('filters that many changes have passed are those of SQL, in any order, and nothing is read', async () => {
  const { store, remove, faults } = await scratchStore()
  const { store: other, remove: removeOther } = await scratchStore({ listedFrom: 1_000_000 })
  try {
    const table = await indexedTable(store, RECORDS)
    const bySql = await indexedTable(other, RECORDS)
    const sets = () => setPartsOf(store).sets.of(store.catalogue().tables.get(table.id)!)!
    const lists = () => Promise.all(filters.map(([filter, sort]) => table.list(filter, sort, 30)))
    // Ranges are of an order from the third one on; filters are kept from their second use on.
    for (let turn = 0; turn < 4; turn++) for (const [filter, sort] of filters) await table.list(filter, sort, 30)
    const change = async (turn: number) => {
      const [flag, count, stage] = [table.named('flag'), table.named('count'), table.named('stage')]
      for (let i = 0; i < WRITES; i += 20) {
        const some = Array.from({ length: 20 }, (_, k) => i + k)
        // prettier-ignore
        const values = (n: number) => new Map([[flag, String((n + turn) % 2)], [count, String((n * 17 + turn) % 900)], [stage, stages[(n + turn) % 3]!]])
        for (const [on, one] of [
          [store, table],
          [other, bySql],
        ] as const)
          await Promise.all(some.map((n) => updateRecord(on, one.may('update'), 1 + ((n * 7) % RECORDS), values(n))))
      }
    }
    const compared = async () => {
      for (const [filter, sort] of filters)
        assert.deepEqual(await table.list(filter, sort, 30), await bySql.list(filter, sort, 30), `${filter} by ${sort}`)
    }
    for (let turn = 0; turn < 3; turn++) {
      await change(turn)
      const before = store.pages.figures()!.read.set
      await compared()
      assert.equal(store.pages.figures()!.read.set, before, 'nothing was read')
      assert.deepEqual(await lists(), await Promise.all(filters.map(([filter, sort]) => bySql.list(filter, sort, 30))))
    }
    assert.ok(sets().log.end >= 3 * WRITES)
    assert.deepEqual(faults, [])
  } finally {
    await remove()
    await removeOther()
  }
})
