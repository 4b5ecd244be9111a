import { advisoryLocks, LOCK_SPACE } from '../../sql/advisory-locks.ts'
import { hasTimeLimit, type Job } from './jobs.ts'

/* The statements that each transaction of writes begins with: its time limits, and the lock of the catalogue. */

/**
 * Milliseconds that a transaction waits for a lock, at most. Where requests are served: a change of structure, for which all other writes
 * wait; and a write that has met a lock, which others may wait behind.
 */
const LOCK = 30_000
const LOCK_OF_STRUCTURE = 5_000
const LOCK_AGAIN = 2_000
/** A transaction of several writes does not wait long for the locks of another process: both might wait for each other. */
const IMPATIENT = '; SET LOCAL lock_timeout = 150'
/** Without a limit in the end: it would cut short a COMMIT that waits for a synchronous standby, which then counts as done. */
export const UNLIMITED = 'SET LOCAL statement_timeout = 0'

/**
 * `then`: what follows the lock of the catalogue, whose answer is the fifth. `waitsForLocks`: the job has met a lock before. With the
 * limit of idle time, a process that hangs does not keep its locks.
 */
export function beginning(jobs: readonly Job[], then: string, waitsForLocks: boolean): string {
  const { alone = false } = jobs[0]!.options
  const isLimited = hasTimeLimit(jobs[0]!)
  // Whole, and at least one: for PostgreSQL 0 is no limit.
  const left = Math.max(1, Math.ceil(Math.min(...jobs.map((job) => job.left()))))
  const limited = isLimited ? `; SET LOCAL statement_timeout = ${left}` : ''
  const impatient = jobs.length > 1 || (isLimited && !waitsForLocks) ? IMPATIENT : ''
  return `BEGIN; SET LOCAL idle_in_transaction_session_timeout = 10000; SET LOCAL lock_timeout = ${lockTimeout(left, alone, waitsForLocks)};
   SELECT pg_advisory_xact_lock${alone ? '' : '_shared'}(${LOCK_SPACE}, ${advisoryLocks.catalogue})${then}${limited}${impatient}`
}

function lockTimeout(left: number, alone: boolean, waitsForLocks: boolean): number {
  if (left === Infinity) return LOCK
  if (alone) return LOCK_OF_STRUCTURE
  return waitsForLocks ? Math.min(LOCK_AGAIN, left) : left
}
