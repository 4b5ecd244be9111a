import { createHash } from 'node:crypto'
import { fail } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { sql, type Sql } from '../../sql/sql.ts'
import { rightsOn, type Actor, type Caller } from '../model/access.ts'
import { service, writer, type Administrator } from '../catalogue/administrator.ts'
import type { Client } from '../model/asker.ts'
import { audit, auditOften, auditFailedSignIn } from './audit.ts'
import { localTime, nowText } from '../ground/clock.ts'
import type { Transaction } from '../ground/db.ts'
import { committed, findRow } from '../ground/relation.ts'
import { deleteRows, insertRow, updateRow } from '../ground/resource-rows.ts'
import { verifyPassword } from './passwords.ts'
import { lockOwner, mustHaveRoom } from '../ground/quota.ts'
import { randomText } from '../ground/random-text.ts'
import type { Uses } from '../ground/store.ts'
import { attemptSignIn } from './throttle.ts'
import { ownTokens, tokens, type Token } from './token-rows.ts'
import { findUserByLogin, type User } from './users.ts'

/** What of the store is used here. */
type Used = Uses<'db' | 'environment' | 'settings' | 'catalogue' | 'changePeople'>

/** What a request for a new token asks for. */
export interface TokenRequest {
  readonly title?: string
  /** Seconds; undefined: the instance's default. */
  readonly lifetime?: number
  readonly scope?: 'read' | 'write'
  readonly tables?: readonly number[] | null
  /** For a browser. */
  readonly isSession?: boolean
}

/** The text of a token is returned once; only its hash is stored. */
export interface IssuedToken {
  readonly id: number
  readonly token: string
}

export const TOKEN_LENGTH = 48
const NEVER = '0000-00-00 00:00:00'

/** A sign-in (DECISIONS A5); `isSession`: of a browser (DECISIONS A52). @throws `auth.login_failed`, for unknown, archived and mistyped alike, after the same time; `auth.too_many_attempts` */
export async function signIn(
  store: Used,
  { login, password, ...request }: TokenRequest & { login: string; password: string },
  address: string,
  client?: Client,
): Promise<IssuedToken> {
  // Such a login belongs to nobody. It is not even folded: that takes time, and it is not known who sends it.
  if (login.length > 2 * limits.login.most)
    throw fail('field.invalid_value', { why: `A login has at most ${limits.login.most} characters.` }, { attribute: 'login' })
  const lifetime = request.isSession ? idleTime(store) : allowedLifetime(store, request.lifetime)
  const user = await findUserByLogin(store, login)
  const throttle = await attemptSignIn(store, login, user?.id ?? 0, address)
  const right = await throttle.tried(async () => {
    const [rows] = await store.db.read(sql`SELECT password_hash FROM users WHERE id = ${user?.id ?? 0} AND archived = 0`)
    return verifyPassword(String(rows![0]?.[0] ?? ''), password, client)
  })
  if (!user || !right) {
    await store.db.write((tx) => auditFailedSignIn(store, tx, address, login))
    throw fail('auth.login_failed')
  }
  await throttle.succeeded()
  return issue(store, { userId: user.id, tokenId: 0, door: 'api', address }, user, { ...request, lifetime }, true)
}

/** A token without a password, for the operator and their scripts; without a lifetime it does not expire. */
export async function issueToken(
  store: Used,
  by: Administrator,
  { login, ...request }: TokenRequest & { login: string },
): Promise<IssuedToken> {
  const user = await findUserByLogin(store, login)
  if (!user || user.archived) throw fail('field.invalid_value', { why: `There is no user '${login}'.` }, { attribute: 'login' })
  return issue(store, by, user, request, false)
}

async function issue(
  store: Used,
  by: Actor & Pick<Caller, 'address'>,
  { id: userId, groupId }: Pick<User, 'id' | 'groupId'>,
  { title = '', lifetime, scope = 'write', tables = null, isSession = false }: TokenRequest,
  byPassword: boolean,
): Promise<IssuedToken> {
  mustFit(store, groupId, scope, tables)
  const token = randomText(store, TOKEN_LENGTH)
  const add = async (tx: Transaction) => {
    const values = { userId, title, scope, tables, isSession, created: nowText(store), lastUsed: NEVER, ...expiry(store, lifetime).shown }
    const made = await insertRow(tx, by, tokens, values, {
      hash: hashOf(token),
      by_password: Number(byPassword),
      ...expiry(store, lifetime).exact,
    })
    if (byPassword) await auditOften(store, tx, by, 'signed_in', `user ${userId}`, `token ${made}`)
    else await audit(store, tx, by, 'token_issued', `user ${userId}`, `token ${made}`)
    return made
  }
  return { id: await (byPassword ? addBySignIn(store, by, add) : addByOperator(store, userId, add)), token }
}

type Add = (tx: Transaction) => Promise<number>

const addByOperator = (store: Uses<'db' | 'environment'>, userId: number, add: Add): Promise<number> =>
  store.db.write(async (tx) => {
    const which = sql`user_id = ${userId} AND by_password = 0 AND (expires_ms = 0 OR expires_ms > ${store.environment.now()})`
    await mustHaveRoom(store, tx, limits.tokensPerUser, { table: 'tokens', which, owner: userId })
    return add(tx)
  })

/** Adds a token of a sign-in. At the limit of the user, their least recently used tokens are deleted. */
async function addBySignIn(store: Uses<'db' | 'environment' | 'changePeople'>, by: Actor, add: Add): Promise<number> {
  const { userId } = by
  const { most } = limits.signInsPerUser
  const count = async (tx: Transaction) => {
    await lockOwner(store, tx, userId)
    return Number((await tx.all(sql`SELECT count(*) FROM tokens WHERE user_id = ${userId} AND by_password = 1`))[0]![0])
  }
  const made = await store.db.write(async (tx) => ((await count(tx)) < most ? add(tx) : undefined))
  if (made !== undefined) return made
  // A tenth of them at once, since each deletion makes all processes forget the tokens in memory.
  return store.changePeople(async (tx) => {
    if ((await count(tx)) >= most)
      await deleteRows(
        tx,
        by,
        tokens,
        sql`user_id = ${userId} AND by_password = 1 AND id NOT IN (
          SELECT id FROM tokens WHERE user_id = ${userId} AND by_password = 1 ORDER BY
          CASE WHEN expires_ms = 0 OR expires_ms > ${store.environment.now()} THEN 0 ELSE 1 END,
          CASE WHEN last_used > created THEN last_used ELSE created END DESC, id DESC LIMIT ${Math.floor(most * 0.9)})`,
      )
    return add(tx)
  })
}

/** A token with the scope `read` may renew and revoke itself only. @throws `access.denied` */
export const mayRenew = (caller: Caller, token: Pick<Token, 'id'> | undefined) =>
  token?.id === caller.tokenId || writer(caller, 'change tokens')
export const mayRevoke = (caller: Caller, token: Pick<Token, 'id'> | undefined) =>
  token?.id === caller.tokenId || writer(caller, 'revoke tokens')

/** A new lifetime from now on, while the token is still valid. */
export async function renewToken(
  store: Uses<'db' | 'environment' | 'settings' | 'changePeople'>,
  caller: Caller,
  id: number,
  changes: { title?: string; lifetime?: number },
): Promise<void> {
  mayRenew(caller, { id })
  const lifetime = changes.lifetime === undefined ? undefined : allowedLifetime(store, changes.lifetime)
  await store.changePeople(async (tx) => {
    const now = await findRow((query) => tx.all(query), tokens, id, ownAndValid(store, caller))
    if (!now) throw fail('resource.not_found', { type: 'token', id })
    if (now.isSession && lifetime !== undefined)
      throw fail(
        'field.invalid_value',
        { why: 'A session ends after some time without use: it has no other lifetime.' },
        { attribute: 'lifetime' },
      )
    const { shown, exact } = lifetime === undefined ? { shown: {}, exact: {} } : expiry(store, lifetime)
    await updateRow(tx, caller, tokens, id, { ...shown, ...(changes.title !== undefined && { title: changes.title }) }, exact)
    await auditOften(store, tx, caller, 'token_renewed', `token ${id}`)
  })
}

/** Deletes a token, an administrator that of anybody; the next request with it is refused. `by`: who does it, where that is not the caller. */
export async function revokeToken(
  store: Uses<'db' | 'environment' | 'settings' | 'changePeople'>,
  caller: Caller,
  id: number,
  by: Actor = caller,
): Promise<void> {
  mayRevoke(caller, { id })
  await store.changePeople(async (tx) => {
    const now = await findRow((query) => tx.all(query), tokens, id, caller.administrator ? undefined : ownTokens(caller))
    if (!now) throw fail('resource.not_found', { type: 'token', id })
    await deleteRows(tx, by, tokens, sql`id = ${id}`)
    if (now.userId === caller.userId) await auditOften(store, tx, caller, 'token_revoked', `token ${id}`)
    else await audit(store, tx, caller, 'token_revoked', `token ${id}`, `user ${now.userId}`)
  })
}

/** A token as its holder sees it. */
export const readToken = async (store: Uses<'db'>, id: number): Promise<Token> => (await findRow(committed(store), tokens, id))!

/** Tokens that are deleted in one transaction, at most. */
const SWEPT = 500

/** Deletes tokens that expired more than a day ago. Returns how many. */
export async function sweepTokens(store: Uses<'db' | 'environment'>): Promise<number> {
  const expired = sql`expires_ms > 0 AND expires_ms < ${store.environment.now() - 86_400_000}`
  const which = sql`id IN (SELECT id FROM tokens WHERE ${expired} ORDER BY id LIMIT ${SWEPT})`
  const by = service()
  for (let all = 0; ;) {
    const swept = await store.db.write((tx) => deleteRows(tx, by, tokens, which))
    all += swept
    if (swept < SWEPT) return all
  }
}

const ownAndValid = (store: Uses<'environment'>, caller: Caller): Sql =>
  sql`${ownTokens(caller)} AND id IN (SELECT id FROM tokens WHERE expires_ms = 0 OR expires_ms > ${store.environment.now()})`

/** Seconds without use after which a session ends. */
export const idleTime = ({ settings }: Uses<'settings'>): number => Math.min(limits.sessionIdle.most / 1000, settings.tokenLifetimeMax)

function allowedLifetime(store: Uses<'settings'>, lifetime: number | undefined): number {
  const { tokenLifetime, tokenLifetimeMax } = store.settings
  if (lifetime === undefined) return tokenLifetime
  if (lifetime >= 1 && lifetime <= tokenLifetimeMax) return lifetime
  throw fail('field.invalid_value', { why: `The lifetime is between 1 and ${tokenLifetimeMax} seconds.` }, { attribute: 'lifetime' })
}

/** The failure for a table that the user does not see is the same as for one that does not exist. */
function mustFit(store: Uses<'catalogue'>, groupId: number, scope: string, tables: readonly number[] | null): void {
  if (scope !== 'read' && scope !== 'write')
    throw fail('field.invalid_value', { why: "The scope is 'read' or 'write'." }, { attribute: 'scope' })
  const holder = { groupId, scope: 'write', tables: undefined } as const
  const strange = tables?.find((id) => rightsOn(id, holder, store.catalogue()).size === 0)
  if (strange !== undefined) throw fail('field.invalid_value', { why: `There is no table ${strange}.` }, { attribute: 'tables' })
}

export function expiry(store: Uses<'environment' | 'settings'>, lifetime: number | undefined) {
  if (lifetime === undefined) return { shown: { expires: NEVER }, exact: { expires_ms: 0 } }
  const end = store.environment.now() + lifetime * 1000
  return { shown: { expires: localTime(end, store.settings.timeZone) }, exact: { expires_ms: end } }
}

export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex')
