import { advisoryLocks, LOCK_SPACE } from '../../sql/advisory-locks.ts'
import { constant, sql } from '../../sql/sql.ts'
import type { Db } from '../ground/db.ts'
import type { OnFault } from '../ground/fault.ts'
import { sharedPositions, type SharedPositions } from './shared-positions.ts'

/*
 * Positions where the records are on several servers and the counts on the coordinator, through which all writes go. The coordinator
 * commits first, so for a moment its counts include records that another server does not show yet. A write holds a lock on the catalogue
 * until all servers have committed: while there is no such lock, counts and records agree.
 */

/** Without `counts`: a page cannot be read in one statement with the counts, which are on another server. */
export type DistributedPositions = Omit<SharedPositions, 'counts'>

export function distributedPositions(write: Db['write'], onFault: OnFault): DistributedPositions {
  const counted = sharedPositions(write, onFault, false)
  return {
    ...counted,
    state(tableId) {
      const { query, ...state } = counted.state(tableId)
      // While there is a lock, the state is a number that never returns, so that nothing is remembered for it.
      const writing = sql`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND classid = ${constant(LOCK_SPACE)} AND objid = ${constant(advisoryLocks.catalogue)} AND granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
      return {
        ...state,
        query: sql`SELECT CASE WHEN EXISTS (${writing}) THEN -(extract(epoch FROM clock_timestamp()) * 1000000)::bigint ELSE (${query!}) END`,
      }
    },
  }
}
