import { Failure } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Node } from '../../filter/ast.ts'
import { parse } from '../../filter/parse.ts'
import { anyOf, name, sql, type Sql } from '../../sql/sql.ts'
import type { Caller } from '../model/access.ts'
import type { Db, Transaction } from '../ground/db.ts'
import type { Uses } from '../ground/store.ts'
import type { Access } from '../model/catalogue.ts'
import { nameable, rightOnAttribute } from '../model/field-rights.ts'
import { hasEveryRight } from '../model/built-in-groups.ts'
import { hiddenFields, inList, rulesOf, visibleTables } from './visible.ts'

/*
 * A saved filter reveals the attributes that it names. So it is hidden from users from whom one of those is hidden. The fields are
 * stored with the filter, so that showing filters does not take reading all expressions.
 */

/** Where the attributes are stored that a filter names. */
interface Notes {
  readonly table: 'saved_filter_fields' | 'saved_view_fields'
  readonly id: 'filter_id' | 'view_id'
}
const ofFilters: Notes = { table: 'saved_filter_fields', id: 'filter_id' }
/** The filters of views. */
export const ofViews: Notes = { table: 'saved_view_fields', id: 'view_id' }

/** Stored besides the fields of a filter, to tell a filter without fields from one whose fields are not stored yet. No field has this id. */
const NAMED = 0

/** Stored for the system attributes that a rule may hide. No field has such an id. */
const systemIds: ReadonlyMap<string, number> = new Map(nameable.map((one, i) => [one, -1 - i]))

/** The same for those of a referenced record, whichever table it is in: they are hidden from users who do not see them in some table. */
const stepIds: ReadonlyMap<string, number> = new Map(nameable.map((name, i) => [name, -101 - i]))

/** The filters that name nothing hidden from the caller; undefined: all. */
export function tellingNothing(store: Uses<'db' | 'catalogue'>, caller: Caller, notes = ofFilters): Sql | undefined {
  if (hasEveryRight(caller) && !caller.tables) return undefined
  const { dialect } = store.db
  const naming = (which: Sql) => sql`id IN (SELECT ${name(notes.id)} FROM ${name(notes.table)} WHERE ${which})`
  const ofTables = (rules: readonly Access[], which: Sql): Sql[] =>
    rules.length === 0
      ? []
      : [
          sql`(${inList(
            dialect,
            'table_id',
            rules.map(({ tableId }) => tableId),
          )} AND ${naming(which)})`,
        ]
  const fields = hiddenFields(store, caller)
  const rules = rulesOf(store, caller)
  const hidden = [
    ...(fields.length === 0 ? [] : [naming(inList(dialect, 'field_id', fields))]),
    ...nameable.flatMap((attribute) =>
      ofTables(
        rules.filter((rule) => rightOnAttribute(rule.fields, attribute) === 'hidden'),
        sql`field_id = ${systemIds.get(attribute)!}`,
      ),
    ),
    // An allow-list does not name the fields in the trash, and the erased ones.
    ...ofTables(
      rules.filter((rule) => rule.fields.others === 'hidden'),
      sql`field_id > 0 AND field_id NOT IN (SELECT id FROM fields WHERE deleted = '')`,
    ),
    // A step along a reference names an attribute of another table.
    naming(sql`field_id IN (SELECT id FROM fields WHERE NOT (${visibleTables(store, caller, 'table_id', 'read')}))`),
    ...nameable.flatMap((name) =>
      rules.some((rule) => rightOnAttribute(rule.fields, name) === 'hidden') ? [naming(sql`field_id = ${stepIds.get(name)!}`)] : [],
    ),
  ]
  return sql`${naming(sql`field_id = ${NAMED}`)} AND NOT (${anyOf(hidden)})`
}

/** Stores the fields that the filter names. */
export async function noteNames(tx: Transaction, filterId: number, expression: string, notes = ofFilters): Promise<void> {
  await forgetNames(tx, filterId, notes)
  const fields = fieldsIn(expression)
  for (const id of fields ? [NAMED, ...fields] : [])
    await tx.run(sql`INSERT INTO ${name(notes.table)} (${name(notes.id)}, field_id) VALUES (${filterId}, ${id})`)
}

export const forgetNames = (tx: Transaction, filterId: number, notes = ofFilters): Promise<number> =>
  tx.run(sql`DELETE FROM ${name(notes.table)} WHERE ${name(notes.id)} = ${filterId}`)

/** Does so for filters that an earlier version saved, one at a time: they may be long. */
export async function noteNamesOfAll(db: Db): Promise<void> {
  const [rows] = await db.read(sql`SELECT id FROM saved_filters WHERE ${unnamed} ORDER BY id`)
  for (const [id] of rows!)
    await db.write(async (tx) => {
      const [row] = await tx.all(sql`SELECT expression FROM saved_filters WHERE id = ${Number(id)} AND ${unnamed}${db.dialect.forUpdate}`)
      if (row) await noteNames(tx, Number(id), String(row[0]))
    })
}

const unnamed = sql`id NOT IN (SELECT filter_id FROM saved_filter_fields WHERE field_id = ${NAMED})`

/** The ids of the fields and system attributes that a filter names; undefined for one that cannot be parsed, which may name any field. */
export function fieldsIn(text: string): ReadonlySet<number> | undefined {
  if (text === '') return new Set()
  const known = (name: string, system: ReadonlyMap<string, number>): number[] =>
    /^f[1-9]\d{0,14}$/.test(name) ? [Number(name.slice(1))] : [system.get(name) ?? []].flat()
  const ids = (node: Node): number[] =>
    node.is === 'call'
      ? node.args.flatMap(ids)
      : node.is === 'name'
        ? [...known(node.name, systemIds), ...(node.step === undefined ? [] : known(node.step, stepIds))]
        : []
  try {
    return new Set(ids(parse(text, limits.postedFilter.most)))
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}
