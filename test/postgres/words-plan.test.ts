import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../src/sql/sql.ts'
import type { Store } from '../../src/store/ground/store.ts'
import { indexedTable, type IndexedTable } from '../support/indexed-table.ts'
import { scratchStore } from '../support/scratch-store.ts'
import { until } from '../support/until.ts'

/* How PostgreSQL looks for texts that many or all records have, and of which it expects few. */

const RECORDS = 4_000

describe('texts that many or all records have', () => {
  let store: Store
  let table: IndexedTable
  let remove: () => Promise<void>
  let faults: string[]

  before(async () => {
    ;({ store, remove, faults } = await scratchStore())
    table = await indexedTable(store, RECORDS)
    await table.list("and(search('2'),contains(notes,'line'),contains(mail,'person'))")
    await until('the text indexes', async () => {
      await store.indexes.idle()
      return (await table.ready()).filter((one) => /text|words/.test(one)).length === 3
    })
  })
  after(() => remove())

  /** The plan of each statement of a list in which `named` occurs. */
  async function plansOf(filter: string, named: string, explain = sql`EXPLAIN`): Promise<string[][]> {
    const plans: string[][] = []
    for (const statement of await table.statementsOf(filter)) {
      const [rows] = await store.db.readAside({ userId: 1 }, sql`${explain} ${statement}`)
      plans.push(rows!.map(([line]) => String(line)))
    }
    return plans.filter((plan) => plan.some((line) => line.includes(named)))
  }

  it('are looked for in the index of words: otherwise the words of each record would be found again', async () => {
    const filters = ["search('2')", "search('2 line')", "search('anna')", "not(search('p'))", "and(search('20'),eq(flag,1))"]
    for (const filter of filters) {
      const plans = await plansOf(filter, 'kartoteka_words')
      assert.ok(plans.length > 0, filter)
      for (const plan of plans) {
        assert.ok(!plan.some((line) => /^\s*Filter:.*kartoteka_words/.test(line)), `${filter}:\n${plan.join('\n').slice(0, 3_000)}`)
        assert.ok(
          plan.some((line) => /Index Cond:.*kartoteka_words/.test(line)),
          filter,
        )
      }
    }
    assert.equal((await table.list(filters[0])).total, RECORDS)
    assert.deepEqual(faults, [])
  })

  it('are looked for once, not for each record that meets other conditions', async () => {
    const filters = [
      "and(search('2'),search('line'),search('p'))",
      "and(search('2'),contains(notes,'line'),contains(mail,'person'))",
      "and(contains(notes,'line'),contains(mail,'person'),gt(stage,'Lost'),has(tags,'Won'))",
      "and(search('2'),gt(count,-4),lt(due,'2035-05-05'),gte(seen,'2024-01-01 10:00:00'))",
      "or(eq(flag,1),search('2'),contains(notes,'line'))",
      "and(not(search('zzz')),not(contains(notes,'zzz')),eq(flag,1),ne(stage,'Won'))",
    ]
    let looked = 0
    for (const filter of filters) {
      for (const plan of await plansOf(filter, 'Index Scan', sql`EXPLAIN (ANALYZE, TIMING OFF)`)) {
        const scans = plan.filter((line) => /Index Scan on \w+_(?:text|words)\b/.test(line))
        looked += scans.length
        const text = `${filter}:\n${plan.join('\n').slice(0, 4_000)}`
        assert.deepEqual(
          scans.filter((line) => !/loops=1\b|never executed/.test(line)),
          [],
          text,
        )
        // PostgreSQL before 17 would go through all pairs of two arrays.
        assert.ok(!plan.some((line) => /= ANY \(.*= ANY \(/.test(line)), text)
      }
    }
    assert.ok(looked >= 2 * filters.length)
  })
})
