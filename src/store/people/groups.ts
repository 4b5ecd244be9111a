import { fail } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { sql, type Sql } from '../../sql/sql.ts'
import type { Caller } from '../model/access.ts'
import type { Administrator } from '../catalogue/administrator.ts'
import { accessRules } from './access-rows.ts'
import { audit } from './audit.ts'
import { ADMINISTRATORS, CLIENTS, MANAGERS, hasEveryRight } from '../model/built-in-groups.ts'
import { findRow, relation } from '../ground/relation.ts'
import { deleteRows, insertRow, updateRow } from '../ground/resource-rows.ts'
import { mustHaveRoom } from '../ground/quota.ts'
import type { Uses } from '../ground/store.ts'

export { ADMINISTRATORS, CLIENTS, MANAGERS }

/** People who hold the same rights. */
export interface Group {
  readonly id: number
  readonly title: string
}

export const groups = relation<Group>('groups', { id: ['id', 'integer'], title: ['title', 'text'] }, visibleGroups)

/** Users who see all users see all groups; the others see their own group. */
function visibleGroups(_: unknown, caller: Caller): Sql | undefined {
  return seesEverybody(caller) ? undefined : sql`id = ${caller.groupId}`
}

export const seesEverybody = (caller: Caller): boolean => hasEveryRight(caller) || caller.groupId === MANAGERS

export const createGroup = (
  store: Uses<'db' | 'environment' | 'settings' | 'restructure'>,
  by: Administrator,
  values: Partial<Group>,
): Promise<number> =>
  store.restructure(async (tx) => {
    await mustHaveRoom(store, tx, limits.groups, { table: 'groups' })
    const id = await insertRow(tx, by, groups, values)
    await audit(store, tx, by, 'group_created', `group ${id}`, values.title)
    return id
  })

export const updateGroup = (
  store: Uses<'db' | 'environment' | 'settings'>,
  by: Administrator,
  id: number,
  changes: Partial<Group>,
): Promise<void> =>
  store.db.write(async (tx) => {
    if (!(await findRow((query) => tx.all(query), groups, id))) throw fail('resource.not_found', { type: 'group', id })
    await updateRow(tx, by, groups, id, changes)
    await audit(store, tx, by, 'group_changed', `group ${id}`, changes.title)
  })

/** Deletes a group with its access rules. @throws `group.built_in`, `group.in_use` while it has users, archived ones too. */
export const deleteGroup = (store: Uses<'environment' | 'settings' | 'restructure'>, by: Administrator, id: number): Promise<void> =>
  store.restructure(async (tx) => {
    if (id <= CLIENTS) throw fail('group.built_in', { group: id })
    const [row] = await tx.all(sql`SELECT count(*) FROM users WHERE group_id = ${id}`)
    if (Number(row![0]) > 0) throw fail('group.in_use', { group: id, users: Number(row![0]) })
    if ((await deleteRows(tx, by, groups, sql`id = ${id}`)) === 0) throw fail('resource.not_found', { type: 'group', id })
    await deleteRows(tx, by, accessRules, sql`group_id = ${id}`)
    await audit(store, tx, by, 'group_deleted', `group ${id}`)
  })
