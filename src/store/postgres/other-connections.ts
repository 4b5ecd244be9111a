import { hostname } from 'node:os'
import { fail } from '../../errors.ts'
import { sql } from '../../sql/sql.ts'
import type { Db } from '../ground/db.ts'

/** The application_name of the direct connections of this process; PostgreSQL keeps 63 bytes. */
export const connectionName = `kartoteka on ${hostname().slice(0, 36)}, pid ${process.pid}`

/** Milliseconds in which connections of a process that has just ended may disappear, and the pause between two checks. */
const PATIENCE = 2_000
const PAUSE = 100

/**
 * Checks that no other process uses the database. Processes behind a pooler are not found, since such connections have no name of their
 * own; they notice later that the installation has moved (keep-catalogue.ts).
 * @throws `migration.in_use`
 */
export async function mustBeAlone({ read }: Pick<Db, 'read'>): Promise<void> {
  for (let patience = PATIENCE; ; patience -= PAUSE) {
    const [others] = await read(sql`SELECT DISTINCT application_name FROM pg_stat_activity
      WHERE datname = current_database() AND application_name LIKE 'kartoteka on %' AND application_name <> ${connectionName} ORDER BY 1`)
    if (others!.length === 0) return
    if (patience <= 0) throw fail('migration.in_use', { who: others!.map(([name]) => String(name).slice('kartoteka '.length)).join('; ') })
    await new Promise((next) => setTimeout(next, PAUSE))
  }
}
