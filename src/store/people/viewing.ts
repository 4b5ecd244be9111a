import { fail } from '../../errors.ts'
import { sql } from '../../sql/sql.ts'
import { administrator } from '../catalogue/administrator.ts'
import type { Transaction } from '../ground/db.ts'
import { findRow } from '../ground/relation.ts'
import { updateSilently } from '../ground/resource-rows.ts'
import type { Uses } from '../ground/store.ts'
import { selfOf, type Caller } from '../model/access.ts'
import { audit } from './audit.ts'
import { ADMINISTRATORS, groups } from './groups.ts'
import { tokens } from './token-rows.ts'
import { users } from './users.ts'

/*
 * An administrator sees what a user, or a member of a group, sees (DECISIONS A58): their session has those rights, to read, until they leave.
 * `http` refuses what a session writes meanwhile.
 */

type Used = Uses<'db' | 'environment' | 'settings' | 'changePeople'>

/** Whom a session views: one of both is 0. */
export interface Viewed {
  readonly userId: number
  readonly groupId: number
}

/** The id of a user who is nobody: a member of a group who has written nothing and to whom nothing belongs. It is 0 of whom records have none. */
export const NOBODY = Number.MAX_SAFE_INTEGER

/** What is stored of the one who is viewed, as it is now. */
export interface ViewedNow extends Viewed {
  /** The group whose rights they have; 0: they have none any more, since they are archived, administer, or the group is gone. */
  readonly itsGroup: number
}

/** The caller that an administrator becomes. */
export const viewing = (self: Caller, { userId, itsGroup }: ViewedNow): Caller => ({
  ...self,
  userId: userId === 0 ? NOBODY : userId,
  groupId: itsGroup === ADMINISTRATORS ? 0 : itsGroup,
  administrator: false,
  scope: 'read',
  viewedBy: self,
})

/** @throws `access.denied` */
export const mayView = (caller: Caller) => administrator(selfOf(caller), 'see what others see')

/** From the next request on, in all windows of the browser. @throws `access.denied`, `field.invalid_value` */
export async function beginViewing(store: Used, caller: Caller, { userId = 0, groupId = 0 }: Partial<Viewed>): Promise<void> {
  const by = mayView(caller)
  if ((userId === 0) === (groupId === 0))
    throw fail('field.invalid_value', { why: 'Name either a user or a group.' }, { attribute: 'userId' })
  await store.changePeople(async (tx) => {
    await (userId === 0 ? mustBeGroup(tx, groupId) : mustBeUser(tx, userId))
    await updateSilently(tx, tokens, by.tokenId, {}, { view_user: userId, view_group: groupId })
    await audit(store, tx, by, 'viewing_begun', userId === 0 ? `group ${groupId}` : `user ${userId}`, `token ${by.tokenId}`)
  })
}

/** Where nobody is viewed any more, such as after another window has left, there is nothing to do. @throws `access.denied` */
export async function endViewing(store: Used, caller: Caller): Promise<void> {
  const by = mayView(caller)
  await store.changePeople(async (tx) => {
    const [row] = await tx.all(sql`SELECT view_user, view_group FROM tokens WHERE id = ${by.tokenId}`)
    const [userId, groupId] = [Number(row?.[0] ?? 0), Number(row?.[1] ?? 0)]
    if (userId === 0 && groupId === 0) return
    await updateSilently(tx, tokens, by.tokenId, {}, { view_user: 0, view_group: 0 })
    await audit(store, tx, by, 'viewing_ended', userId === 0 ? `group ${groupId}` : `user ${userId}`, `token ${by.tokenId}`)
  })
}

async function mustBeUser(tx: Transaction, id: number): Promise<void> {
  const attribute = 'userId'
  const user = await findRow((query) => tx.all(query), users, id)
  if (!user) throw fail('field.invalid_value', { why: `There is no user ${id}.` }, { attribute })
  if (user.archived) throw fail('field.invalid_value', { why: 'Who is archived sees nothing.' }, { attribute })
  if (user.groupId === ADMINISTRATORS) throw fail('field.invalid_value', { why: EVERYTHING }, { attribute })
}

async function mustBeGroup(tx: Transaction, id: number): Promise<void> {
  const attribute = 'groupId'
  if (id === ADMINISTRATORS) throw fail('field.invalid_value', { why: EVERYTHING }, { attribute })
  if (!(await findRow((query) => tx.all(query), groups, id)))
    throw fail('field.invalid_value', { why: `There is no group ${id}.` }, { attribute })
}

const EVERYTHING = 'Administrators see everything, as you do.'
