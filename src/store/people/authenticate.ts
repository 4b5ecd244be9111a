import { sql, type Sql } from '../../sql/sql.ts'
import { localTime } from '../ground/clock.ts'
import type { Db } from '../ground/db.ts'
import { reportTo } from '../ground/fault.ts'
import { updateSilently } from '../ground/resource-rows.ts'
import type { Uses } from '../ground/store.ts'
import type { Caller } from '../model/access.ts'
import { ADMINISTRATORS } from './groups.ts'
import { tokens } from './token-rows.ts'
import { viewing } from './viewing.ts'
import { expiry, hashOf, idleTime, TOKEN_LENGTH } from './tokens.ts'

/** What one process remembers of a token that is in use. */
interface Known {
  readonly caller: Caller
  /** Unix milliseconds; 0: never. That of a session is put off with each noted use. */
  expires: number
  /** Unix milliseconds at which `last_used` was last written. */
  noted: number
}

const remembered = new WeakMap<Db, { version: number; byToken: Map<string, Known>; byId: Map<number, Known> }>()
const REMEMBERED_MOST = 10_000
const NOTE_USE_EVERY = 60_000

/** Whether a token has ended. That of a session is looked up again: another process may have noted that it was used. */
const isOver = (known: Known, now: number): boolean => known.expires !== 0 && known.expires <= now
const mayBeOver = (known: Known, now: number): boolean => known.caller.isSession === true && isOver(known, now)

/**
 * The caller whose token this is, with their present rights; undefined: the token is not valid. A valid one is remembered until
 * structure, rights, users or tokens change; an invalid one is looked up every time. `kind`: a session is not valid as a token, nor a token
 * as a session.
 */
export async function authenticate(
  store: Uses<'db' | 'environment' | 'settings' | 'catalogue' | 'onFault'>,
  token: string,
  address: string,
  kind: 'token' | 'session' = 'token',
): Promise<Caller | undefined> {
  const memory = memoryOf(store)
  const { version } = memory
  const now = store.environment.now()
  let known = memory.byToken.get(token)
  if (!known || mayBeOver(known, now)) {
    known = await lookUp(store, token, address)
    if (!known) return undefined
    if (memory.byToken.size >= REMEMBERED_MOST) memory.byToken.clear()
    if (store.catalogue().version === version) memory.byToken.set(token, known)
  }
  if (isOver(known, now) || (known.caller.isSession === true) !== (kind === 'session')) return undefined
  if (Math.abs(now - known.noted) >= NOTE_USE_EVERY) noteUse(store, known, now)
  return known.caller.address === address ? known.caller : from(known.caller, address)
}

const from = (caller: Caller, address: string): Caller => ({
  ...caller,
  address,
  ...(caller.viewedBy && { viewedBy: { ...caller.viewedBy, address } }),
})

/**
 * The callers of tokens that are in use by long answers, with their present rights; those whose token is not valid any more are missing.
 * One query for all that are not remembered.
 */
export async function callersNow(
  store: Uses<'db' | 'environment' | 'settings' | 'catalogue' | 'onFault'>,
  tokenIds: Iterable<number>,
  isUse = true,
): Promise<ReadonlyMap<number, Caller>> {
  const { version, byId } = memoryOf(store)
  const ids = [...new Set(tokenIds)]
  const now = store.environment.now()
  const unknown = ids.filter((id) => !byId.has(id) || mayBeOver(byId.get(id)!, now))
  if (unknown.length > 0) {
    const found = await readTokens(store, store.db.dialect.oneOf(sql`t.id`, unknown), '')
    if (store.catalogue().version !== version) return callersNow(store, ids, isUse)
    for (const one of found) byId.set(one.caller.tokenId, one)
  }
  const callers = new Map<number, Caller>()
  for (const id of ids) {
    const known = byId.get(id)
    if (!known || isOver(known, now)) continue
    if (isUse && Math.abs(now - known.noted) >= NOTE_USE_EVERY) noteUse(store, known, now)
    callers.set(id, known.caller)
  }
  return callers
}

function memoryOf({ db, catalogue }: Uses<'db' | 'catalogue'>) {
  const { version } = catalogue()
  let memory = remembered.get(db)
  if (memory?.version !== version) remembered.set(db, (memory = { version, byToken: new Map(), byId: new Map() }))
  return memory
}

async function lookUp(store: Uses<'db' | 'environment' | 'settings'>, token: string, address: string): Promise<Known | undefined> {
  if (token.length !== TOKEN_LENGTH) return undefined
  return (await readTokens(store, sql`t.hash = ${hashOf(token)}`, address))[0]
}

/** The tokens of users who are not archived. */
async function readTokens(store: Uses<'db' | 'environment' | 'settings'>, which: Sql, address: string): Promise<Known[]> {
  const [rows] = await store.db.read(sql`SELECT t.id, t.user_id, u.group_id, t.scope, t.tables, t.expires_ms, t.last_used, t.session,
    t.view_user, t.view_group, CASE WHEN v.archived = 0 THEN v.group_id ELSE g.id END
    FROM tokens t JOIN users u ON u.id = t.user_id LEFT JOIN users v ON v.id = t.view_user LEFT JOIN groups g ON g.id = t.view_group WHERE ${which} AND u.archived = 0`)
  return rows!.map(([tokenId, userId, groupId, scope, tables, expires, lastUsed, session, viewUser, viewGroup, viewedGroup]) => {
    const self: Caller = {
      userId: Number(userId),
      groupId: Number(groupId),
      administrator: Number(groupId) === ADMINISTRATORS && tables === '',
      tokenId: Number(tokenId),
      scope: scope === 'write' ? 'write' : 'read',
      tables: tables === '' ? undefined : new Set(JSON.parse(String(tables)) as number[]),
      address,
      door: 'api',
      ...(Number(session) === 1 && { isSession: true }),
    }
    const viewed = { userId: Number(viewUser), groupId: Number(viewGroup), itsGroup: Number(viewedGroup ?? 0) }
    const isViewing = self.administrator && (viewed.userId !== 0 || viewed.groupId !== 0)
    const caller = isViewing ? viewing(self, viewed) : self
    const recently = String(lastUsed) >= localTime(store.environment.now() - NOTE_USE_EVERY, store.settings.timeZone)
    return { caller, expires: Number(expires), noted: recently ? store.environment.now() : 0 }
  })
}

/**
 * Writes `last_used`, and the new end of a session, without making the request wait. Where it fails, for example on a full disk, both are a
 * minute behind.
 */
function noteUse(store: Uses<'db' | 'environment' | 'settings' | 'onFault'>, known: Known, now: number): void {
  known.noted = now
  const end = known.caller.isSession ? expiry(store, idleTime(store)) : undefined
  if (end) known.expires = end.exact.expires_ms
  const put = end && { expires: end.shown.expires, ...end.exact }
  store.db
    .write((tx) => updateSilently(tx, tokens, known.caller.tokenId, { lastUsed: localTime(now, store.settings.timeZone) }, put))
    .catch(reportTo(store.onFault, 'the last use of a token was not written'))
}
