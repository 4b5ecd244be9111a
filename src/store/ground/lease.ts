import { name, sql, type Sql } from '../../sql/sql.ts'
import { randomText } from './random-text.ts'
import type { Uses } from './store.ts'

/*
 * Which of several processes over one PostgreSQL has some work: a row with the columns `holder` and `until_ms`. By the clock of the database, so
 * that the clocks of the machines do not matter. SQLite has one process.
 */

/** Milliseconds for which a process has a lease, and after which it renews it. */
export const LEASE = 10_000
export const RENEW = 3_000

/** The present moment of the database, in Unix milliseconds. For PostgreSQL only. */
export const databaseNow: Sql = sql`(extract(epoch FROM clock_timestamp()) * 1000)::bigint`

export interface LeaseRow {
  readonly table: string
  readonly id: number
}

/** Makes this process the only one that has the work. Where there are no other processes it always is. */
export interface Lease {
  /** Takes it, or renews it where that is due. */
  hold(): Promise<'held' | 'taken' | 'by another'>
  /** Gives it back, so that another process has it at once. */
  end(): Promise<void>
}

/** `lost`: called when it could not be renewed in time, and this process must not do the work any more. */
export function leaseOf(store: Uses<'db' | 'environment'>, row: LeaseRow, lost: () => void, holder = randomText(store, 16)): Lease {
  if (!store.db.dialect.shared) return { hold: async () => 'held', end: async () => {} }
  let holds = false
  let isFresh = false
  let ends: NodeJS.Timeout | undefined
  let renews: NodeJS.Timeout | undefined
  const lose = () => {
    holds = isFresh = false
    clearTimeout(ends)
    clearTimeout(renews)
    lost()
  }
  return {
    async hold() {
      if (holds && isFresh) return 'held'
      // Counted from before it is renewed, so that it ends here no later than in the database.
      const end = setTimeout(lose, LEASE).unref()
      const had = holds
      try {
        if (!(await take(store, row, holder))) {
          clearTimeout(end)
          lose()
          return 'by another'
        }
      } catch (error) {
        clearTimeout(end)
        throw error
      }
      clearTimeout(ends)
      ends = end
      holds = isFresh = true
      renews = setTimeout(() => (isFresh = false), RENEW).unref()
      return had ? 'held' : 'taken'
    },
    async end() {
      const had = holds
      lose()
      if (had) await release(store, row, holder)
    },
  }
}

/** Takes or renews the lease. Returns whether this process has it. */
async function take({ db }: Uses<'db'>, { table, id }: LeaseRow, holder: string): Promise<boolean> {
  const [rows] = await db.read(
    sql`SELECT holder, CASE WHEN until_ms < ${databaseNow} THEN 1 ELSE 0 END FROM ${name(table)} WHERE id = ${id}`,
  )
  const [row] = rows!
  if (!row || (row[0] !== holder && Number(row[1]) === 0)) return false
  const taken = await db.write((tx) =>
    tx.run(sql`UPDATE ${name(table)} SET holder = ${holder}, until_ms = ${databaseNow} + ${LEASE}::bigint
      WHERE id = ${id} AND (holder = ${holder} OR until_ms < ${databaseNow})`),
  )
  return taken === 1
}

/** Lets another process take it at once. */
const release = ({ db }: Uses<'db'>, { table, id }: LeaseRow, holder: string): Promise<unknown> =>
  db.write((tx) => tx.run(sql`UPDATE ${name(table)} SET until_ms = 0 WHERE id = ${id} AND holder = ${holder}`))
