import { advisoryLocks, LOCK_SPACE } from '../../sql/advisory-locks.ts'
import type { Sql } from '../../sql/sql.ts'
import type { Address } from './address.ts'
import type { Connection } from './connection.ts'

/** Milliseconds. */
const PAUSE = 50

/**
 * Runs statements that take long, such as making an index, one after the other and each by itself; of several processes
 * one at a time. Changes of structure wait for it (postgres-writes.ts), nothing else does.
 */
export async function writeAside(address: Address, statements: () => Promise<readonly Sql[]>): Promise<number> {
  const turn = await address.connect()
  try {
    // Asked again and again: a statement that waits would be waited for by the index that another process makes.
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
