import { createHash } from 'node:crypto'
import { fail } from '../../errors.ts'
import { sql } from '../../sql/sql.ts'
import { mustHaveRoomFor } from './answer-quota.ts'
import type { Db, Transaction } from '../ground/db.ts'
import { Stale } from '../model/stale.ts'
import type { Uses } from '../ground/store.ts'
import { memo } from '../../memory/memo.ts'

/** An answer that is kept, to be sent again byte by byte. */
export interface KeptAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Keeps the answer in the transaction of the work, so that neither exists without the other. */
export interface Keep {
  (tx: Transaction, answer: KeptAnswer): Promise<void>
  /** Replaces the answer that was kept in the same transaction by one that is not longer. */
  instead(tx: Transaction, answer: KeptAnswer): Promise<void>
}

/** Milliseconds for which an answer is kept. */
const KEPT = 86_400_000
const runningOn = memo((_: Db) => new Set<string>())
const source = { condition: 'idempotencyKey' } as const

/**
 * Does the work once for a subject (caller, path and key together): within 24 hours the same request gets the first
 * answer again (draft-ietf-httpapi-idempotency-key-header); `bodyHash` tells whether it is the same. Work that fails keeps nothing and may be tried again.
 * @throws `idempotency.running`, `idempotency.other_body`, `idempotency.too_many`
 */
export async function once(
  store: Uses<'db' | 'environment'>,
  subject: readonly [userId: number, ...rest: string[]],
  bodyHash: string,
  work: (keep: Keep) => Promise<KeptAnswer>,
): Promise<KeptAnswer> {
  const hash = digest(JSON.stringify(subject))
  // First of all, so that every repetition of a request that was answered gets that answer.
  const first = await lookUp(store, hash)
  if (first && first.bodyHash !== bodyHash) throw fail('idempotency.other_body', undefined, source)
  if (first) return first.answer
  const busy = runningOn(store.db)
  if (busy.has(hash)) throw fail('idempotency.running', undefined, source)
  busy.add(hash)
  try {
    // Another request may have been answered since this look; `keep` notices.
    const instead: Keep['instead'] = async (tx, { body }) =>
      void (await tx.run(sql`UPDATE idempotency SET body = ${body} WHERE hash = ${hash}`))
    const keeping = (tx: Transaction, answer: KeptAnswer) => keep(store, tx, { hash, bodyHash, userId: subject[0] }, answer)
    return await work(Object.assign(keeping, { instead }))
  } finally {
    busy.delete(hash)
  }
}

async function lookUp(store: Uses<'db' | 'environment'>, hash: string): Promise<{ bodyHash: string; answer: KeptAnswer } | undefined> {
  const oldest = store.environment.now() - KEPT
  const [rows] = await store.db.read(
    sql`SELECT body_hash, status, headers, body FROM idempotency WHERE hash = ${hash} AND created > ${oldest}`,
  )
  const row = rows![0]
  if (!row) return undefined
  const [bodyHash, status, headers, body] = row
  return {
    bodyHash: String(bodyHash),
    answer: { status: Number(status), headers: JSON.parse(String(headers)) as KeptAnswer['headers'], body: String(body) },
  }
}

async function keep(
  store: Uses<'db' | 'environment'>,
  tx: Transaction,
  { hash, bodyHash, userId }: { hash: string; bodyHash: string; userId: number },
  { status, headers: sent, body }: KeptAnswer,
): Promise<void> {
  const oldest = store.environment.now() - KEPT
  const [first] = await tx.all(sql`SELECT hash FROM idempotency WHERE hash = ${hash} AND created > ${oldest}`)
  // Another process kept an answer first: this work is undone, and its repetition gets that answer.
  if (first) throw new Stale()
  const headers = JSON.stringify(sent)
  const size = Buffer.byteLength(body) + headers.length
  await mustHaveRoomFor(store, tx, userId, size)
  await tx.run(sql`DELETE FROM idempotency WHERE hash = ${hash} AND created <= ${oldest}`)
  await tx.run(sql`INSERT INTO idempotency (hash, body_hash, status, headers, body, created, user_id, size)
    VALUES (${hash}, ${bodyHash}, ${status}, ${headers}, ${body}, ${store.environment.now()}, ${userId}, ${size})`)
}

/** Erases answers older than a day. Returns how many. */
export const sweepAnswers = (store: Uses<'db' | 'environment'>): Promise<number> =>
  store.db.write((tx) => tx.run(sql`DELETE FROM idempotency WHERE created <= ${store.environment.now() - KEPT}`))

/** SHA-256 in hex. */
export const digest = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')
