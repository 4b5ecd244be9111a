import { sql } from '../../sql/sql.ts'
import type { Address } from './address.ts'
import type { Connection } from './connection.ts'
import { isLost } from './faults.ts'

/*
 * Finds out whether a transaction was committed whose COMMIT was never answered. Each process has a row in `writers` with the number of its
 * last transaction, which the transaction itself writes. So the row tells, whichever server accepts writes by then.
 */

/** Attempts: several connections may be broken, as those of a pooler. */
const TRIES = 4

export interface CommitOutcome {
  /** Called before the first transaction. */
  register(connection: Connection): Promise<void>
  /** Sends a statement near the end of a transaction. */
  note(connection: Connection): Promise<unknown>
  /** Whether the transaction of the last `note` was committed. @throws the error if that cannot be found out */
  holds(address: Address): Promise<boolean>
  forget(connection: Connection): Promise<void>
}

export function commitOutcome(): CommitOutcome {
  let id: number | undefined
  let number = 0

  async function ask(address: Address): Promise<boolean> {
    const connection = await address.connect()
    try {
      // Waits for the transaction where it is still ending.
      await connection.script('BEGIN; SET LOCAL lock_timeout = 10000')
      const { rows } = await connection.query(sql`SELECT number FROM writers WHERE id = ${id!} FOR UPDATE`)
      if (rows.length === 0) id = undefined
      return Number(rows[0]?.[0]) === number
    } finally {
      void connection.close()
    }
  }

  return {
    async register(connection) {
      id ??= Number((await connection.query(sql`INSERT INTO writers (number) VALUES (0) RETURNING id`)).rows[0]![0])
    },
    async note(connection) {
      if (id !== undefined) await connection.query(sql`UPDATE writers SET number = ${++number} WHERE id = ${id}`)
    },
    async holds(address) {
      let lost: unknown = new Error('Nothing was noted that tells it.')
      for (let tries = TRIES; id !== undefined && tries > 0; tries--) {
        try {
          return await ask(address)
        } catch (error) {
          if (!isLost(error)) throw error
          lost = error
        }
      }
      throw lost
    },
    async forget(connection) {
      if (id !== undefined) await connection.query(sql`DELETE FROM writers WHERE id = ${id}`).catch(() => undefined)
    },
  }
}
