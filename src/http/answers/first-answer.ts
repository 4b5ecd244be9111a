import { fail } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Transaction } from '../../store/ground/db.ts'
import { once, type KeptAnswer } from '../../store/people/idempotency.ts'
import type { Incoming, Reply } from '../routing/route.ts'

interface Keep {
  (tx: Transaction, reply: Reply): Promise<void>
  /** The same in another form that is not longer, once more of it is known. */
  instead(tx: Transaction, reply: Reply): Promise<void>
}
/** Makes the reply from an answer that was kept: the caller may have fewer rights by now. */
type Again = (kept: KeptAnswer) => Reply

/**
 * The answer of work that writes: the work makes it and passes it to `keep` in its transaction. With an Idempotency-Key, the same
 * request of the same user gets the first answer again (DECISIONS R23), as `again` makes a reply of it.
 */
export async function firstAnswer(request: Incoming, work: (keep: Keep) => Promise<unknown>, again: Again): Promise<Reply> {
  const key = request.header('Idempotency-Key')
  let made: Reply | undefined
  if (key === undefined) {
    const keep = async (_: Transaction, reply: Reply) => {
      made = reply
    }
    await work(Object.assign(keep, { instead: keep }))
    return made!
  }
  if (key === '' || key.length > limits.idempotencyKey.most) {
    throw fail(
      'header.invalid',
      { why: `An Idempotency-Key has 1 to ${limits.idempotencyKey.most} characters.` },
      { source: { header: 'Idempotency-Key' } },
    )
  }
  const { store, caller, path } = request
  let kept: KeptAnswer | undefined
  const answer = await once(store, [caller.userId, path, key], request.bodyHash(), async (keep) => {
    const asKept = ({ status, headers = {}, body }: Reply) => (kept = { status, headers, body: JSON.stringify(body) })
    const keeping = (tx: Transaction, reply: Reply) => keep(tx, asKept(reply))
    await work(Object.assign(keeping, { instead: (tx: Transaction, reply: Reply) => keep.instead(tx, asKept(reply)) }))
    return kept!
  })
  if (!kept) return again(answer)
  return { ...answer, body: Buffer.from(answer.body) }
}
