import { Failure, Failures, fail } from '../../errors.ts'
import { plain, type FieldType } from '../../fields/field-type.ts'
import { fold } from '../../fields/fold.ts'
import { builtIn } from '../../fields/index.ts'
import { parseValue } from '../../fields/value.ts'
import { limits } from '../../limits.ts'
import { sql, type Sql } from '../../sql/sql.ts'
import { rulesOf } from '../catalogue/visible.ts'
import { rightsOn, type Actor, type Caller } from '../model/access.ts'
import { writer, type Administrator } from '../catalogue/administrator.ts'
import { audit, auditOften } from './audit.ts'
import type { Transaction } from '../ground/db.ts'
import { ADMINISTRATORS, CLIENTS, seesEverybody } from './groups.ts'
import { allRows, committed, findRow, relation } from '../ground/relation.ts'
import { deleteRows, insertRow, updateRow } from '../ground/resource-rows.ts'
import { hashPassword, verifyPassword } from './passwords.ts'
import { mustHaveRoom } from '../ground/quota.ts'
import type { Uses } from '../ground/store.ts'
import { attemptByToken, forgetNetworks } from './throttle.ts'
import { tokens } from './token-rows.ts'

/** What of the store is used here. */
type Used = Uses<'db' | 'environment' | 'settings' | 'context' | 'changePeople'>

export interface User {
  readonly id: number
  readonly fullName: string
  readonly email: string
  readonly login: string
  readonly groupId: number
  /** They cannot sign in, and their tokens are not valid; records still show them as their author. */
  readonly archived: boolean
}

/** What a write may also send: never stored as it is, never shown. */
export interface Secrets {
  readonly password?: string
  readonly oldPassword?: string
}

export const users = relation<User>(
  'users',
  {
    id: ['id', 'integer'],
    fullName: ['full_name', 'text'],
    email: ['email', 'text'],
    login: ['login', 'text'],
    groupId: ['group_id', 'integer'],
    archived: ['archived', 'boolean'],
  },
  visibleUsers,
  undefined,
  { shownTo: withNamesOnly, logging: { secret: ['password_hash'] } },
)

/** Administrators and managers see all users, others themselves; groups that assign records also the others who are not archived. */
function visibleUsers(store: Uses<'catalogue'>, caller: Caller): Sql | undefined {
  if (seesEverybody(caller)) return undefined
  return mayAssign(store, caller) ? sql`(archived = 0 OR id = ${caller.userId})` : sql`id = ${caller.userId}`
}

/** Of others, who assigns records to them sees the name and nothing else. */
function withNamesOnly(store: Uses<'catalogue'>, caller: Caller): Sql | undefined {
  if (seesEverybody(caller) || !mayAssign(store, caller)) return undefined
  const own = (column: Sql, otherwise: Sql) => sql`CASE WHEN id = ${caller.userId} THEN ${column} ELSE ${otherwise} END AS ${column}`
  return sql`(SELECT id, full_name, full_namek, ${own(sql`email`, sql`''`)}, ${own(sql`emailk`, sql`''`)}, ${own(sql`login`, sql`''`)},
    ${own(sql`logink`, sql`''`)}, ${own(sql`group_id`, sql`0`)}, archived FROM users) AS shown`
}

/** Whether a rule of their group on a table that they reach is `assignable`. */
const mayAssign = (store: Uses<'catalogue'>, caller: Caller): boolean =>
  rulesOf(store, caller).some(({ assignable, tableId }) => assignable && rightsOn(tableId, caller, store.catalogue()).size > 0)

/** A user without a password cannot sign in until they redeem an invitation or a password is set. */
export async function createUser(
  store: Used,
  by: Administrator,
  { password, oldPassword: _, ...values }: Partial<User> & Secrets,
): Promise<number> {
  const passwordHash = password === undefined ? '' : await hashPassword(password, by.client)
  return store.changePeople(async (tx) => {
    await mustFit(store, tx, { login: '', ...values }, 0)
    await mustHaveRoom(store, tx, limits.users, { table: 'users' })
    const id = await insertRow(tx, by, users, { groupId: CLIENTS, ...values }, { password_hash: passwordHash })
    await audit(store, tx, by, 'user_created', `user ${id}`, values.login)
    return id
  })
}

/** Only administrators may change other users. @throws `access.denied` */
export function mayUpdate(caller: Caller, user: Pick<User, 'id'> | undefined): void {
  writer(caller, 'change users')
  if (!caller.administrator && user?.id !== caller.userId) throw fail('access.denied', { what: 'change other users' })
}

/**
 * Changes a user, from the next request on. Users who are not administrators may change their own name, address and password.
 * To change one's own password takes the old one, for administrators too.
 */
export async function updateUser(
  store: Used,
  caller: Caller,
  id: number,
  { password, oldPassword, ...changes }: Partial<User> & Secrets,
): Promise<void> {
  mayUpdate(caller, { id })
  const own = id === caller.userId
  const closed = (['login', 'groupId', 'archived'] as const).find((property) => changes[property] !== undefined)
  if (!caller.administrator && closed) throw fail('access.denied', { what: 'change this about yourself' }, { attribute: closed })
  if (password !== undefined && own) await mustKnow(store, caller, oldPassword)
  const passwordHash = password === undefined ? undefined : await hashPassword(password, caller.client)
  await store.changePeople(async (tx) => {
    const now = await findRow((query) => tx.all(query), users, id)
    if (!now) throw fail('resource.not_found', { type: 'user', id })
    await mustFit(store, tx, changes, id)
    await mustLeaveAnAdministrator(tx, now, { ...now, ...changes })
    await updateRow(tx, caller, users, id, changes, passwordHash === undefined ? {} : { password_hash: passwordHash })
    if (passwordHash !== undefined) await endSignIns(tx, caller, id, caller.tokenId)
    if (passwordHash !== undefined) await forgetNetworks(tx, id, own ? caller.address : undefined)
    if (changes.archived) await deleteRows(tx, caller, tokens, sql`user_id = ${id}`)
    if (changes.archived) await forgetNetworks(tx, id)
    const what = [...Object.keys(changes), ...(passwordHash === undefined ? [] : ['password'])].join(', ')
    await (own ? auditOften : audit)(store, tx, caller, 'user_changed', `user ${id}`, what)
  })
}

/** @throws `user.last_administrator`. */
export const archiveUser = (store: Used, by: Administrator, id: number): Promise<void> => updateUser(store, by, id, { archived: true })

/** Sets a password without the old one, for the operator at the command line. */
export async function setPassword(
  store: Uses<'environment' | 'settings' | 'changePeople'>,
  by: Administrator,
  id: number,
  password: string,
): Promise<void> {
  const passwordHash = await hashPassword(password)
  await store.changePeople((tx) => setPasswordIn(store, tx, by, id, passwordHash))
}

export async function setPasswordIn(
  store: Uses<'environment' | 'settings'>,
  tx: Transaction,
  by: Actor & Pick<Caller, 'address'>,
  id: number,
  passwordHash: string,
): Promise<void> {
  if (!(await findRow((query) => tx.all(query), users, id))) throw fail('resource.not_found', { type: 'user', id })
  await updateRow(tx, by, users, id, {}, { password_hash: passwordHash })
  await endSignIns(tx, by, id, 0)
  await forgetNetworks(tx, id)
  await audit(store, tx, by, 'password_set', `user ${id}`)
}

export async function findUserByLogin(store: Uses<'db'>, login: string): Promise<User | undefined> {
  return (await allRows(committed(store), users, sql`logink = ${fold(login)}`))[0]
}

/** Deletes the tokens that were got by the old password, and all sessions; tokens that the operator made stay. */
const endSignIns = (tx: Transaction, by: Actor, userId: number, exceptToken: number) =>
  deleteRows(tx, by, tokens, sql`user_id = ${userId} AND by_password = 1 AND (id <> ${exceptToken} OR session = 1)`)

async function mustKnow(
  store: Uses<'db' | 'environment'>,
  { userId, tokenId, client }: Caller,
  oldPassword: string | undefined,
): Promise<void> {
  if (oldPassword === undefined) throw fail('user.wrong_password', undefined, { attribute: 'oldPassword' })
  const [rows] = await store.db.read(sql`SELECT password_hash FROM users WHERE id = ${userId}`)
  const throttle = await attemptByToken(store, tokenId)
  const isRight = await throttle.tried(() => verifyPassword(String(rows![0]?.[0] ?? ''), oldPassword, client))
  if (!isRight) throw fail('user.wrong_password', undefined, { attribute: 'oldPassword' })
  await throttle.succeeded()
}

async function mustFit(store: Uses<'context'>, tx: Transaction, { login, email, groupId }: Partial<User>, id: number): Promise<void> {
  const failures: Failure[] = []
  const fits = (type: FieldType, property: 'login' | 'email', value: string): boolean => {
    try {
      parseValue(type, value, plain, store.context)
      return true
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      failures.push(error.at({ attribute: property }))
      return false
    }
  }
  if (login === '') failures.push(fail('field.required', { name: 'login' }, { attribute: 'login' }))
  if (login !== undefined && fits(builtIn.text, 'login', login)) {
    const [other] = await tx.all(sql`SELECT id FROM users WHERE logink = ${fold(login)} AND id <> ${id}`)
    if (other) failures.push(fail('user.login_taken', { login }, { attribute: 'login' }))
  }
  if (email !== undefined) fits(builtIn.email, 'email', email)
  if (groupId !== undefined) {
    const [group] = await tx.all(sql`SELECT id FROM groups WHERE id = ${groupId}`)
    if (!group) failures.push(fail('field.invalid_value', { why: `There is no group ${groupId}.` }, { attribute: 'groupId' }))
  }
  if (failures.length > 0) throw new Failures(failures)
}

async function mustLeaveAnAdministrator(tx: Transaction, before: User, after: User): Promise<void> {
  const counts = ({ groupId, archived }: User) => groupId === ADMINISTRATORS && !archived
  if (!counts(before) || counts(after)) return
  const [row] = await tx.all(sql`SELECT count(*) FROM users WHERE group_id = ${ADMINISTRATORS} AND archived = 0 AND id <> ${before.id}`)
  if (Number(row![0]) === 0) throw fail('user.last_administrator')
}
