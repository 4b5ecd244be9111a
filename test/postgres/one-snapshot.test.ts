import assert from 'node:assert/strict'
import { it } from 'node:test'
import { constant, sql } from '../../src/sql/sql.ts'
import { openPostgres } from '../../src/store/postgres/database.ts'
import { scratchDatabase } from '../support/scratch-database.ts'

/*
 * Lists from sets rely on it (store/sets/shared-source.ts). A read that is to prepare a statement may fail before it comes to that: those behind it on
 * the same connection rely on the statement, which is not there.
 */

it('queries of one read are of one snapshot, also where a read before them on the connection has failed', async () => {
  const { url, drop } = await scratchDatabase()
  const db = openPostgres(url)
  let isOn = true
  try {
    const snapshot = (text: number) => sql`SELECT pg_current_snapshot()::text AS s${constant(text)}`
    await db.write((tx) => tx.run(sql`CREATE TABLE counted (n bigint)`))
    const writing = (async () => {
      while (isOn) await db.write((tx) => tx.run(sql`INSERT INTO counted VALUES (1)`))
    })()
    let read = 0
    for (let round = 1; round <= 6; round++) {
      const last = sql`SELECT pg_current_snapshot()::text AS last${constant(round)}`
      const reads = Array.from({ length: 24 }, async (_, i) => {
        // Longer than a quick read may take; then a part of it is the same for all.
        if (i % 3 === 0) return void (await db.readAside({ userId: i }, sql`SELECT pg_sleep(0.15) AS p${constant(100 * round + i)}`, last))
        const [[[first]], [[second]]] = (await db.readAside({ userId: i }, snapshot(100 * round + i), last)) as [[[string]], [[string]]]
        assert.equal(second, first)
        read++
      })
      await Promise.all(reads)
    }
    isOn = false
    await writing
    assert.equal(read, 6 * 16)
  } finally {
    isOn = false
    await db.close()
    await drop()
  }
})
