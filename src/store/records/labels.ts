import type { Attribute } from '../../fields/field-type.ts'
import { inTimeOf } from '../../filter/patience.ts'
import { limits } from '../../limits.ts'
import type { Dialect } from '../../sql/dialect.ts'
import { name, sql, type Param, type Sql } from '../../sql/sql.ts'
import { grant, rightsOn, type View } from '../model/access.ts'
import { recordsOf } from '../model/catalogue.ts'
import { groups } from '../people/groups.ts'
import { users } from '../people/users.ts'
import type { Uses } from '../ground/store.ts'
import { canBeLeft, unlessLong } from './left.ts'
import { labelsAhead } from './long-keys.ts'
import { and, readCondition } from './read-records.ts'

/**
 * What people call the records, users or groups that values of the attribute name, by id: only of those that the caller may read.
 * A record is called by the value of the title field of its table, unless that is hidden.
 */
export async function readLabels(
  store: Uses<'db' | 'context' | 'catalogue'>,
  granted: View,
  { type, settings }: Attribute,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map()
  if (type.target === 'record') return readTitles(store, granted, settings.referenceTableId ?? 0, ids)
  // Tokens that are limited to some tables read no users and no groups.
  if (granted.caller.tables || type.target === undefined) return new Map()
  const { relation, label } = people[type.target]
  const seen = await relation.visible(store, granted.caller)
  const { forLists, dialect } = store.db
  const [rows] = await forLists.readLittle(
    granted.caller,
    sql`SELECT id, ${name(label)} FROM ${name(relation.table)} WHERE ${dialect.oneOf(sql`id`, ids)}${and(seen && sql`(${seen})`)}`,
  )
  return new Map(rows!.map(([id, text]) => [Number(id), String(text)]))
}

const people = {
  user: { relation: users, label: users.columns.fullName[0] },
  group: { relation: groups, label: groups.columns.title[0] },
} as const

async function readTitles(
  store: Uses<'db' | 'context'>,
  { caller, catalogue }: View,
  tableId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (!rightsOn(tableId, caller, catalogue).has('read')) return new Map()
  const granted = grant('read', tableId, caller, catalogue)
  const title = granted.attributes.get(`f${granted.table.titleFieldId}`)
  if (!title) return new Map()
  if (granted.readFilter !== '') await labelsAhead(granted)
  const { forLists, dialect } = store.db
  const rule = readCondition(store, granted)
  const inTime = inTimeOf(granted.table.attributes, rule ? [rule] : [], dialect, false)
  const [rows] = await forLists.readLittle(
    caller,
    sql`SELECT id, ${beginning(title, dialect)} FROM ${name(recordsOf(tableId))} WHERE ${dialect.oneOf(sql`id`, ids)}${and(inTime)}${and(rule && sql`(${rule})`)}`,
  )
  const text = (stored: Param): string => (stored === null ? '' : title.type.format(stored, title.settings))
  return new Map(rows!.map(([id, stored]) => [Number(id), text(stored!)]))
}

/** The beginning of a text; of other values the whole, or NULL where it is long. */
function beginning(attribute: Attribute, dialect: Dialect): Sql {
  const own = name(attribute.column)
  const { most } = limits.title
  if (attribute.type.kind === 'text') return sql`substr(${own}, 1, ${most})`
  if (attribute.type.exact) return dialect.integerText(own)
  return canBeLeft(attribute, most) ? unlessLong(own, most, dialect) : own
}
