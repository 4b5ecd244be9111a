import { fail } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { sql, type Sql } from '../../sql/sql.ts'
import type { Db, Transaction } from '../ground/db.ts'
import type { Uses } from '../ground/store.ts'
import { memo } from '../../memory/memo.ts'

/** Answers and bytes that may be added before they are counted again. */
interface Allowance {
  answers: number
  bytes: number
}

/** By user id; 0: all users together. */
const allowancesOf = memo((_: Db) => new Map<number, Allowance>())
const USERS_MOST = 10_000

/**
 * Whether one more answer may be kept for the user. Answers are counted in the database only after a tenth of what was still
 * allowed at the last count has been used. So most calls cost nothing; several processes together may exceed a limit by that tenth.
 * @throws `idempotency.too_many`
 */
export async function mustHaveRoomFor(store: Uses<'db'>, tx: Transaction, userId: number, size: number): Promise<void> {
  const known = allowancesOf(store.db)
  if (known.size > USERS_MOST) known.clear()
  await take(known, tx, userId, size, {
    which: sql`user_id = ${userId}`,
    answers: limits.answersPerUser.most,
    bytes: limits.answerBytesPerUser.most,
  })
  await take(known, tx, 0, size, { which: sql`1 = 1`, answers: limits.answers.most, bytes: limits.answerBytes.most })
}

async function take(
  known: Map<number, Allowance>,
  tx: Transaction,
  key: number,
  size: number,
  most: { readonly which: Sql; readonly answers: number; readonly bytes: number },
): Promise<void> {
  const left = known.get(key)
  if (left && left.answers > 0 && left.bytes >= size) {
    left.answers--
    left.bytes -= size
    return
  }
  const [row] = await tx.all(sql`SELECT count(*), coalesce(sum(size), 0) FROM idempotency WHERE ${most.which}`)
  const [answers, bytes] = row!.map(Number) as [number, number]
  if (answers >= most.answers || bytes + size > most.bytes) throw fail('idempotency.too_many', undefined, { condition: 'idempotencyKey' })
  known.set(key, {
    answers: Math.floor((most.answers - answers - 1) / 10),
    bytes: Math.floor((most.bytes - bytes - size) / 10),
  })
}
