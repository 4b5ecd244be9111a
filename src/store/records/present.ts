import { left, type ShownRecord } from '../model/record.ts'
import { fail } from '../../errors.ts'
import type { Attribute, Stored } from '../../fields/field-type.ts'
import { join, name, sql } from '../../sql/sql.ts'
import type { Caller, View } from '../model/access.ts'
import { recordsOf, type Catalogue } from '../model/catalogue.ts'
import type { Transaction } from '../ground/db.ts'
import { and, readStored, shownList, readCondition, writeCondition } from './read-records.ts'
import { Stale } from '../model/stale.ts'
import type { Uses } from '../ground/store.ts'
import { keyOf, noKeys, type Keys } from './long-keys.ts'

/** Column contents by attribute name. */
export type Values = ReadonlyMap<string, Stored>

/** A record during a write, with every attribute of the table; without long values that are not needed. */
export interface Present {
  readonly id: number
  readonly version: number
  readonly values: Values
}

/**
 * Called when a write begins. Compares what the grant of its request depended on with the present state: the table, the tables it refers
 * to, the rights on them, the caller. @throws Stale if something differs; then the request is run again
 */
export async function mustBeCurrent(store: Uses<'catalogue'>, tx: Transaction, granted: View): Promise<void> {
  const now = store.catalogue()
  if (now === granted.catalogue) return
  if (!sameStructure(now, granted) || !(await sameCaller(tx, granted.caller))) throw new Stale()
}

function sameStructure(now: Catalogue, { table, caller: { groupId }, catalogue }: View): boolean {
  const targets = table.fields.flatMap(({ type, settings }) => (type.target === 'record' ? [settings.referenceTableId ?? 0] : []))
  return [table.id, ...targets].every(
    (id) => now.tables.get(id) === catalogue.tables.get(id) && now.access.get(groupId)?.get(id) === catalogue.access.get(groupId)?.get(id),
  )
}

export async function sameCaller(tx: Transaction, { tokenId, userId, groupId }: Caller): Promise<boolean> {
  // Without a token: the operator.
  if (tokenId === 0) return true
  const [row] = await tx.all(sql`SELECT t.id FROM tokens t JOIN users u ON u.id = t.user_id
    WHERE t.id = ${tokenId} AND u.id = ${userId} AND u.group_id = ${groupId} AND u.archived = 0`)
  return row !== undefined
}

/**
 * The record a write is about. `needed`: the attributes whose values are read however long they are.
 * @throws `record.not_found` where the caller may not see it, `record.stale`, `access.denied` by the group's write filter.
 */
export async function present(
  store: Uses<'db' | 'context'>,
  tx: Transaction,
  granted: View,
  id: number,
  needed: ReadonlySet<string>,
  ifMatch?: (version: number) => boolean,
): Promise<Present> {
  const { table } = granted
  const attributes = table.allAttributes
  const [row] = await tx.all(
    sql`SELECT ${shownList(attributes, store.db.dialect)} FROM ${name(recordsOf(table.id))} WHERE id = ${id}${and(readCondition(store, granted))}${store.db.dialect.forUpdate}`,
  )
  if (!row) throw fail('record.not_found', { table: table.id, record: id })
  await mustBeWritable(store, tx, granted, id)
  const version = Number(row[1])
  if (ifMatch && !ifMatch(version)) throw fail('record.stale', undefined, { condition: 'ifMatch' })
  const values = readStored(row, attributes)
  const missing = [...attributes.values()].filter(({ name: key }) => key !== 'id' && needed.has(key) && !values.has(key))
  if (missing.length > 0) {
    const columns = missing.map(({ column }) => name(column))
    const [long] = await tx.all(sql`SELECT ${join(columns, ', ')} FROM ${name(recordsOf(table.id))} WHERE id = ${id}`)
    for (const [i, { name: key }] of missing.entries()) values.set(key, long![i] as Stored)
  }
  return { id, version, values }
}

/** The group's write filter must hold before and after a change (DECISIONS A42). */
export async function mustBeWritable(store: Uses<'db' | 'context'>, tx: Transaction, granted: View, id: number): Promise<void> {
  const condition = writeCondition(store, granted)
  if (!condition) return
  const [row] = await tx.all(sql`SELECT id FROM ${name(recordsOf(granted.table.id))} WHERE id = ${id}${and(condition)}`)
  if (!row) throw fail('access.denied', { what: `write this record of table ${granted.table.id}` })
}

/** The record as the caller sees it; values that `values` does not have are left in the database. */
export function show(granted: View, { id, version, values }: Present): ShownRecord {
  const attributes: Record<string, string | typeof left> = {}
  for (const [key, { type, settings }] of granted.attributes) {
    if (key === 'id') continue
    const value = values.get(key)
    attributes[key] = value === undefined ? left : type.format(value, settings)
  }
  return { id, version, attributes }
}

/** The columns of one value with their contents: the value's own and, where texts are compared folded, the key's. */
export function columnsOf(attribute: Attribute, stored: Stored, keys: Keys = noKeys): readonly (readonly [string, Stored])[] {
  const { column, keyColumn } = attribute
  const key = keyOf(attribute, stored, keys)
  return keyColumn === undefined || key === undefined
    ? [[column, stored]]
    : [
        [column, stored],
        [keyColumn, key],
      ]
}
