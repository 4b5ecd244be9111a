import { fail } from '../../errors.ts'
import { name, sql, type Sql } from '../../sql/sql.ts'
import { seeRow } from '../ground/relation.ts'
import type { Uses } from '../ground/store.ts'
import { view, type Caller, type View } from '../model/access.ts'
import { hasEveryRight } from '../model/built-in-groups.ts'
import { recordsOf, trashOf } from '../model/catalogue.ts'
import type { FieldRight } from '../model/field-rights.ts'
import type { Right } from '../model/rights.ts'
import { users } from '../people/users.ts'
import { labelsAhead } from '../records/long-keys.ts'
import { readCondition, writeCondition } from '../records/read-records.ts'

/** Why a record does not exist for a user. `not_found`: it never did for anybody, or it is erased. */
export type Missing = 'no_right' | 'read_filter' | 'in_trash' | 'not_found'

/** What a user may do with a table, by a token without limits. */
export interface Explanation {
  readonly groupId: number
  /** They cannot sign in, whatever the rule says. */
  readonly archived: boolean
  /** The rule of their group; undefined: there is none. Administrators need none. */
  readonly rule: number | undefined
  readonly rights: ReadonlySet<Right>
  readonly readFilter: string
  readonly writeFilter: string
  readonly assignable: boolean
  /** By name. */
  readonly attributes: ReadonlyMap<string, FieldRight>
  /** Of one record: `missing` undefined: it exists for them; `writable`: the write filter holds for it. */
  readonly record: { readonly missing: Missing | undefined; readonly writable: boolean } | undefined
}

/** @throws `resource.not_found` for the user, `table.not_found`. */
export async function explainAccess(
  store: Uses<'db' | 'context' | 'catalogue'>,
  by: Caller,
  asked: { readonly userId: number; readonly tableId: number; readonly recordId: number | undefined },
): Promise<Explanation> {
  const catalogue = store.catalogue()
  const user = await seeRow(store, users, by, asked.userId)
  if (!user) throw fail('resource.not_found', { type: 'user', id: asked.userId })
  const table = catalogue.tables.get(asked.tableId)
  if (!table) throw fail('table.not_found', { table: asked.tableId })
  const caller: Caller = { ...by, userId: user.id, groupId: user.groupId, scope: 'write', tables: undefined }
  const granted = view(table, caller, catalogue)
  const rule = hasEveryRight(caller) ? undefined : catalogue.access.get(user.groupId)?.get(table.id)
  return {
    groupId: user.groupId,
    archived: user.archived,
    rule: rule?.id,
    rights: granted.rights,
    readFilter: granted.readFilter,
    writeFilter: granted.writeFilter,
    assignable: rule?.assignable ?? false,
    attributes: new Map([...table.allAttributes.keys()].map((key) => [key, stateOf(granted, key)])),
    record: asked.recordId === undefined ? undefined : await explainRecord(store, by, granted, asked.recordId),
  }
}

function stateOf(granted: View, key: string): FieldRight {
  const { rights, allAttributes, readOnly, caller } = granted
  const attribute = allAttributes.get(key)
  if (!attribute || rights.size === 0) return 'hidden'
  const fixed =
    key === 'id' ||
    key === 'add_time' ||
    (key === 'user_id' && !hasEveryRight(caller)) ||
    (key === 'status' && !rights.has('archive')) ||
    attribute.type.assigned === true ||
    attribute.onlyNamed === true
  const mayWrite = rights.has('create') || rights.has('update')
  return fixed || readOnly.has(key) || !mayWrite ? 'read_only' : 'writable'
}

async function explainRecord(
  store: Uses<'db' | 'context'>,
  by: Caller,
  granted: View,
  id: number,
): Promise<{ missing: Missing | undefined; writable: boolean }> {
  const { table, readFilter, writeFilter } = granted
  if (readFilter !== '' || writeFilter !== '') await labelsAhead(granted)
  const holds = (condition: Sql | undefined) => (condition ? sql`CASE WHEN ${condition} THEN 1 ELSE 0 END` : sql`1`)
  const [live, trashed] = await store.db.readLittle(
    by,
    sql`SELECT ${holds(readCondition(store, granted))}, ${holds(writeCondition(store, granted))} FROM ${name(recordsOf(table.id))} WHERE id = ${id}`,
    sql`SELECT id FROM ${name(trashOf(table.id))} WHERE id = ${id}`,
  )
  const [row] = live!
  if (!row) return { missing: trashed!.length > 0 ? 'in_trash' : 'not_found', writable: false }
  if (!granted.rights.has('read')) return { missing: 'no_right', writable: false }
  return Number(row[0]) === 1 ? { missing: undefined, writable: Number(row[1]) === 1 } : { missing: 'read_filter', writable: false }
}
