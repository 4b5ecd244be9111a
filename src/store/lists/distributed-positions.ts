import { sql } from '../../sql/sql.ts'
import type { Db } from '../ground/db.ts'
import type { Positions } from '../ground/positions.ts'
import { sharedPositions } from './shared-positions.ts'

/*
 * Positions where the records lie on several servers, and the counts on the one through which all writes go. That one
 * commits first, so for a moment it counts what another server does not show yet. Whoever writes holds their lock on the
 * catalogue until all have committed: while nobody holds one, what is counted is there.
 */

export function distributedPositions(write: Db['write']): Positions {
  // No page is one statement with the counts, which lie elsewhere.
  const { shared: _, ...counted } = sharedPositions(write)
  return {
    ...counted,
    locate(tableId, offset) {
      const place = counted.locate(tableId, offset)
      // A server cuts off its part of a page only where the place is a number.
      return place && offset > 0 ? { ...place, ask: sql`${place.prelude}SELECT first, skip FROM place` } : place
    },
    state(tableId) {
      const { query, ...state } = counted.state(tableId)
      // A number that never comes again is never remembered by.
      const writing = sql`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND classid = 7201 AND objid = 1 AND granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
      return {
        ...state,
        query: sql`SELECT CASE WHEN EXISTS (${writing}) THEN -(extract(epoch FROM clock_timestamp()) * 1000000)::bigint ELSE (${query!}) END`,
      }
    },
  }
}
