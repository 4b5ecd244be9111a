import { advisoryLocks, LOCK_SPACE } from '../../sql/advisory-locks.ts'
import { constant, sql } from '../../sql/sql.ts'
import type { Db } from '../ground/db.ts'
import type { OnFault } from '../ground/fault.ts'
import { sharedPositions, type SharedPositions } from './shared-positions.ts'

/*
 * Positions where the records lie on several servers, and the counts on the one through which all writes go. That one
 * commits first, so for a moment it counts what another server does not show yet. Whoever writes holds their lock on the
 * catalogue until all have committed: while nobody holds one, what is counted is there.
 */

/** Without what a process knows of counts: no page is one statement with the counts, which lie on another server. */
export type DistributedPositions = Omit<SharedPositions, 'counts'>

export function distributedPositions(write: Db['write'], onFault: OnFault): DistributedPositions {
  const counted = sharedPositions(write, onFault)
  return {
    ...counted,
    state(tableId) {
      const { query, ...state } = counted.state(tableId)
      // A number that never comes again is never remembered by.
      const writing = sql`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND classid = ${constant(LOCK_SPACE)} AND objid = ${constant(advisoryLocks.catalogue)} AND granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
      return {
        ...state,
        query: sql`SELECT CASE WHEN EXISTS (${writing}) THEN -(extract(epoch FROM clock_timestamp()) * 1000000)::bigint ELSE (${query!}) END`,
      }
    },
  }
}
