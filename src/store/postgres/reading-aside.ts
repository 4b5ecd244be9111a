import { advisoryLocks, LOCK_SPACE } from '../../sql/advisory-locks.ts'
import type { Sql } from '../../sql/sql.ts'
import type { Address } from './address.ts'
import type { Connection } from './connection.ts'

/** Milliseconds between two attempts to get the lock. */
const PAUSE = 50

/**
 * Runs statements that take long, such as making an index, one after the other and without a transaction around them. Only one
 * process at a time does this. Changes of structure wait for it (writes.ts), other writes do not.
 */
export async function writeAside(address: Address, statements: () => Promise<readonly Sql[]>): Promise<number> {
  const turn = await address.connect()
  try {
    // Not a statement that waits for the lock: CREATE INDEX CONCURRENTLY of another process would wait for that statement.
    while (!(await begun(turn))) await new Promise((next) => setTimeout(next, PAUSE))
    const own = await address.connect()
    try {
      for (const statement of await statements()) await own.once(statement)
    } finally {
      await own.close()
    }
  } finally {
    await turn.close()
  }
  return 0
}

async function begun(turn: Connection): Promise<boolean> {
  await turn.script('BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0')
  const [got] = await turn.script(`SELECT pg_try_advisory_xact_lock(${LOCK_SPACE}, ${advisoryLocks.structure})::integer`)
  if (got![0]![0] === 1) return true
  await turn.script('ROLLBACK')
  return false
}
