import { fail } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { sql } from '../../sql/sql.ts'
import { onlyAdministrators, type Administrator } from '../catalogue/administrator.ts'
import type { Actor, Caller } from '../model/access.ts'
import type { Client } from '../model/asker.ts'
import { audit } from './audit.ts'
import { localTime, nowText } from '../ground/clock.ts'
import { findRow, relation } from '../ground/relation.ts'
import { deleteRows, insertRow } from '../ground/resource-rows.ts'
import { hashPassword } from './passwords.ts'
import { randomText } from '../ground/random-text.ts'
import type { Uses } from '../ground/store.ts'
import { attemptCode } from './throttle.ts'
import { hashOf } from './tokens.ts'
import { setPasswordIn, users } from './users.ts'

/** A code, valid once, with which a user chooses a password. An administrator hands it to them. */
export interface Invitation {
  readonly id: number
  readonly userId: number
  readonly created: string
  readonly expires: string
}

export const invitations = relation<Invitation>(
  'invitations',
  {
    id: ['id', 'integer'],
    userId: ['user_id', 'integer'],
    created: ['created', 'datetime'],
    expires: ['expires', 'datetime'],
  },
  onlyAdministrators,
)

/** Seconds: three days, longer than a weekend; at most thirty days. */
const LIFETIME = 3 * 86_400
const LONGEST_LIFETIME = limits.invitation.most / 1000
/** Seconds by which a clock may be set back. An invitation that ends later than LONGEST_LIFETIME + SLACK from now was made while the clock was wrong, and is refused. */
const SLACK = 86_400

/** Makes an invitation, which replaces the user's former ones. The code is returned and not stored: only its hash is. */
export async function invite(
  store: Uses<'db' | 'environment' | 'settings'>,
  by: Administrator,
  userId: number,
  lifetime = LIFETIME,
): Promise<{ id: number; code: string }> {
  if (lifetime < 1 || lifetime > LONGEST_LIFETIME)
    throw fail('field.invalid_value', { why: `The lifetime is between 1 and ${LONGEST_LIFETIME} seconds.` }, { attribute: 'lifetime' })
  const code = randomText(store, 48)
  const id = await store.db.write(async (tx) => {
    const user = await findRow((query) => tx.all(query), users, userId)
    if (!user || user.archived) throw fail('field.invalid_value', { why: `There is no user ${userId} to invite.` }, { attribute: 'userId' })
    await deleteRows(tx, by, invitations, sql`user_id = ${userId} OR expires_ms <= ${store.environment.now()}`)
    const end = store.environment.now() + lifetime * 1000
    const values = { userId, created: nowText(store), expires: localTime(end, store.settings.timeZone) }
    const made = await insertRow(tx, by, invitations, values, { hash: hashOf(code), expires_ms: end })
    await audit(store, tx, by, 'user_invited', `user ${userId}`)
    return made
  })
  return { id, code }
}

/** Uses up the code and sets the password; returns the user. @throws `auth.invitation_invalid`, `auth.too_many_attempts`. */
export async function redeem(
  store: Uses<'db' | 'environment' | 'settings' | 'changePeople'>,
  code: string,
  password: string,
  address: string,
  client?: Client,
): Promise<{ login: string }> {
  const throttle = await attemptCode(store, address)
  const passwordHash = await throttle.tried(() => hashPassword(password, client))
  const now = store.environment.now()
  const login = await store.changePeople(async (tx) => {
    const [row] = await tx.all(sql`SELECT i.user_id, u.login FROM invitations i JOIN users u ON u.id = i.user_id
      WHERE i.hash = ${hashOf(code)} AND i.expires_ms > ${now}
      AND i.expires_ms <= ${now + (LONGEST_LIFETIME + SLACK) * 1000} AND u.archived = 0`)
    if (!row) throw fail('auth.invitation_invalid')
    const userId = Number(row[0])
    const by: Actor & Pick<Caller, 'address'> = { userId, tokenId: 0, door: 'api', address }
    await deleteRows(tx, by, invitations, sql`user_id = ${userId}`)
    await setPasswordIn(store, tx, by, userId, passwordHash)
    return String(row[1])
  })
  await throttle.succeeded()
  return { login }
}

export const withdrawInvitation = (store: Uses<'db' | 'environment' | 'settings'>, by: Administrator, id: number): Promise<void> =>
  store.db.write(async (tx) => {
    if ((await deleteRows(tx, by, invitations, sql`id = ${id}`)) === 0) throw fail('resource.not_found', { type: 'invitation', id })
    await audit(store, tx, by, 'invitation_withdrawn', `invitation ${id}`)
  })
