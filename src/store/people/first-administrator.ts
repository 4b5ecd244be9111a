import { Failures } from '../../errors.ts'
import { sql } from '../../sql/sql.ts'
import { operator, service } from '../catalogue/administrator.ts'
import { isClaimed, audit } from './audit.ts'
import { localTime } from '../ground/clock.ts'
import { ADMINISTRATORS } from './groups.ts'
import { updateRow } from '../ground/resource-rows.ts'
import { hashPassword } from './passwords.ts'
import type { Uses } from '../ground/store.ts'
import { createUser, users } from './users.ts'

/** What of the store is used here. */
type Used = Uses<'db' | 'environment' | 'settings' | 'context' | 'changePeople'>

/** What a start prints about the first administrator. Without a password: another process has just printed it. */
export interface FirstAdministrator {
  readonly login: string
  readonly password: string | undefined
  /** Whether this password replaces one of an earlier start, with which nobody has signed in. */
  readonly again: boolean
}

const LOGIN = 'admin'
/** Milliseconds in which another process over the same database may still print the password that it made. */
const TELLING = 60_000

/**
 * Called when a server starts. Creates the first administrator if there are no users. Until a user has signed in, got a token or chosen a
 * password, every start makes a new password, since nobody may have seen the one before. Undefined: nothing to print.
 */
export async function firstAdministrator(store: Used): Promise<FirstAdministrator | undefined> {
  const made = await ensureFirstAdministrator(store)
  if (made) return { ...made, again: false }
  if (await isClaimed(store)) return undefined
  const password = newPassword(store)
  const passwordHash = await hashPassword(password)
  return store.changePeople(async (tx) => {
    const [row] = await tx.all(sql`SELECT id FROM users WHERE logink = ${LOGIN} AND group_id = ${ADMINISTRATORS} AND archived = 0`)
    if (!row) return undefined
    const since = localTime(store.environment.now() - TELLING, store.settings.timeZone)
    const [lately] = await tx.all(sql`SELECT 1 FROM audit WHERE action IN (${'user_created'}, ${RENEWED}) AND time > ${since} LIMIT 1`)
    if (lately && store.db.dialect.shared) return { login: LOGIN, password: undefined, again: true }
    await updateRow(tx, service(), users, Number(row[0]), {}, { password_hash: passwordHash })
    await audit(store, tx, operator, RENEWED, `user ${Number(row[0])}`)
    return { login: LOGIN, password, again: true }
  })
}

const RENEWED = 'first_password_renewed'
const SHOWN = 'first_password_shown'

/** Creates the first administrator with a random password. Undefined if there are users already. */
export async function ensureFirstAdministrator(store: Used): Promise<{ login: string; password: string } | undefined> {
  const [rows] = await store.db.read(sql`SELECT id FROM users LIMIT 1`)
  if (rows!.length > 0) return undefined
  const first = { login: LOGIN, password: newPassword(store) }
  try {
    await createUser(store, service(), { ...first, fullName: 'Administrator', groupId: ADMINISTRATORS })
  } catch (error) {
    // Another process over the same database started at the same moment.
    if (error instanceof Failures && error.failures[0]!.code === 'user.login_taken') return undefined
    throw error
  }
  return first
}

/** Notes that a command has printed the first password. */
export const firstPasswordShown = (store: Uses<'db' | 'environment' | 'settings'>): Promise<void> =>
  store.db.write((tx) => audit(store, tx, operator, SHOWN, `user ${LOGIN}`))

const newPassword = (store: Uses<'environment'>): string => Buffer.from(store.environment.randomBytes(15)).toString('base64url')
