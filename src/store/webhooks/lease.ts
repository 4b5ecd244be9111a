import { sql } from '../../sql/sql.ts'
import type { Uses } from '../ground/store.ts'

/*
 * Which of several processes over one PostgreSQL delivers. By the clock of the database, so that the clocks of the machines do not matter.
 * SQLite has one process.
 */

const now = sql`(extract(epoch FROM clock_timestamp()) * 1000)::bigint`

/** Takes or renews the lease for so many milliseconds. Returns whether this process has it. */
export const hold = async (store: Uses<'db'>, holder: string, milliseconds: number): Promise<boolean> => {
  if (!store.db.dialect.shared) return true
  const [rows] = await store.db.read(sql`SELECT holder, CASE WHEN until_ms < ${now} THEN 1 ELSE 0 END FROM webhook_lease`)
  const [by, isOver] = rows![0]!
  if (by !== holder && Number(isOver) === 0) return false
  const taken = await store.db.write((tx) =>
    tx.run(
      sql`UPDATE webhook_lease SET holder = ${holder}, until_ms = ${now} + ${milliseconds}::bigint WHERE holder = ${holder} OR until_ms < ${now}`,
    ),
  )
  return taken === 1
}

/** Lets another process take it at once. */
export const release = async (store: Uses<'db'>, holder: string): Promise<void> => {
  if (store.db.dialect.shared) await store.db.write((tx) => tx.run(sql`UPDATE webhook_lease SET until_ms = 0 WHERE holder = ${holder}`))
}
