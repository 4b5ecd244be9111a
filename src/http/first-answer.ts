import { fail } from '../errors.ts'
import type { Transaction } from '../store/db.ts'
import { once } from '../store/idempotency.ts'
import type { Incoming, Reply } from './route.ts'

type Keep = (tx: Transaction, reply: Reply) => Promise<void>

/** Of whatever clients send as a key: enough for any UUID and for most names. */
const LONGEST_KEY = 255

/**
 * The answer of work that writes, which it makes and hands to `keep` within its transaction. With an Idempotency-Key
 * the same request of the same user gets the first answer again (decisions 1.11).
 */
export async function firstAnswer(request: Incoming, work: (keep: Keep) => Promise<unknown>): Promise<Reply> {
  const key = request.header('Idempotency-Key')
  let made: Reply | undefined
  if (key === undefined) {
    await work(async (_, reply) => {
      made = reply
    })
    return made!
  }
  if (key === '' || key.length > LONGEST_KEY) {
    throw fail(
      'header.invalid',
      { why: `An Idempotency-Key has 1 to ${LONGEST_KEY} characters.` },
      { source: { header: 'Idempotency-Key' } },
    )
  }
  const { store, caller, path, rawBody } = request
  const answer = await once(store, [caller.userId, path, key], rawBody ?? new Uint8Array(), async (keep) => {
    let kept
    await work((tx, { status, headers = {}, body }) => keep(tx, (kept = { status, headers, body: JSON.stringify(body) })))
    return kept!
  })
  return { ...answer, body: Buffer.from(answer.body) }
}
