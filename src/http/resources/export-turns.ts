import { fail } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { memo } from '../../memory/memo.ts'
import type { Store, Uses } from '../../store/ground/store.ts'
import type { Db } from '../../store/ground/db.ts'
import { grant, type Caller, type Granted } from '../../store/model/access.ts'
import { callersNow } from '../../store/people/authenticate.ts'

/** Milliseconds between two looks at the rights of an export that goes on. */
const LOOK = 1_000

/** How many exports run: by user, and in all. */
const running = memo((_: Db) => new Map<number, number>())

/** Counts an export. Returns how to tell its end, once or several times. @throws `export.too_many`, `server.busy` */
export function takeTurn({ db }: Uses<'db'>, { userId }: Pick<Caller, 'userId'>): () => void {
  const ofUsers = running(db)
  if ((ofUsers.get(userId) ?? 0) >= limits.exportsOfUser.most) throw fail('export.too_many')
  if ([...ofUsers.values()].reduce((sum, count) => sum + count, 0) >= limits.exports.most) throw fail('server.busy')
  ofUsers.set(userId, (ofUsers.get(userId) ?? 0) + 1)
  let hasEnded = false
  return () => {
    if (hasEnded) return
    hasEnded = true
    const left = ofUsers.get(userId)! - 1
    if (left === 0) ofUsers.delete(userId)
    else ofUsers.set(userId, left)
  }
}

/**
 * Looks from time to time whether the caller would still be given what is sent.
 * @throws `auth.token_invalid`, `access.denied`, `table.not_found` where their token has ended or their rights have become others
 */
export function rightsOf(store: Store, granted: Granted<'read' | 'print'>): () => Promise<void> {
  const { caller, table, attributes, readFilter } = granted
  let looked = store.environment.now()
  return async () => {
    const now = store.environment.now()
    if (now - looked < LOOK) return
    looked = now
    await store.catchUp?.()
    const present = (await callersNow(store, [caller.tokenId])).get(caller.tokenId)
    if (!present) throw fail('auth.token_invalid')
    const seen = grant(['read', 'print'], table.id, present, store.catalogue())
    const same = [...attributes].every(([name, { column }]) => seen.allAttributes.get(name)?.column === column)
    if (!same || seen.readFilter !== readFilter) throw fail('access.denied', { what: 'export what you do not see any more' })
  }
}
