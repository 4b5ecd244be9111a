import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from '../../src/sql/sql.ts'
import { indexedTable } from '../support/indexed-table.ts'
import { scratchStore } from '../support/scratch-store.ts'
import { until } from '../support/until.ts'

/* A word that every record has is looked for in the index too: otherwise PostgreSQL computes the words of each record. */

const RECORDS = 4_000

it('words that many or all records have are looked for in the index of words', async () => {
  const { store, remove, faults } = await scratchStore()
  try {
    const table = await indexedTable(store, RECORDS)
    const words = ["search('2')", "search('2 line')", "search('anna')", "not(search('p'))", "and(search('20'),eq(flag,1))"]
    await table.list(words[0])
    await until('the index of words', async () => {
      await store.indexes.idle()
      return Boolean(store.indexes.has(table.id, '', 'words'))
    })
    let looked = 0
    for (const filter of words) {
      const statements = await table.statementsOf(filter)
      for (const statement of statements) {
        const [rows] = await store.db.readAside({ userId: 1 }, sql`EXPLAIN ${statement}`)
        const plan = rows!.map(([line]) => String(line))
        if (!plan.some((line) => line.includes('kartoteka_words'))) continue
        looked++
        assert.ok(!plan.some((line) => /^\s*Filter:.*kartoteka_words/.test(line)), `${filter}:\n${plan.join('\n').slice(0, 3_000)}`)
        assert.ok(
          plan.some((line) => /Index Cond:.*kartoteka_words/.test(line)),
          filter,
        )
      }
    }
    assert.ok(looked >= words.length)
    assert.ok((await table.list(words[0])).total === RECORDS)
    assert.deepEqual(faults, [])
  } finally {
    await remove()
  }
})
