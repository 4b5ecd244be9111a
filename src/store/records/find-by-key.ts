import { Failure } from '../../errors.ts'
import { parseLiteral } from '../../fields/value.ts'
import { name, sql } from '../../sql/sql.ts'
import type { Granted } from '../model/access.ts'
import { recordsOf, type Field } from '../model/catalogue.ts'
import { and, readCondition } from './read-records.ts'
import type { Uses } from '../ground/store.ts'
import { filled } from './unique-keys.ts'

/** Ids of the records whose unique field holds these values, by the value as given; values that no record holds are left out. */
export async function findByKey(
  store: Uses<'db' | 'context'>,
  granted: Granted<'read'>,
  field: Field,
  values: readonly string[],
): Promise<Map<string, number>> {
  const keys = new Map<string, string[]>()
  for (const value of new Set(values)) {
    const key = keyOf(store, field, value)
    if (key !== undefined) keys.set(key, [...(keys.get(key) ?? []), value])
  }
  const found = new Map<string, number>()
  const wanted = [...keys.keys()]
  const column = name(field.keyColumn ?? field.column)
  const shown = field.type.exact ? store.db.dialect.integerText(column) : column
  for (let i = 0; i < wanted.length; i += 500) {
    const some = wanted.slice(i, i + 500).map((key) => (field.type.kind === 'number' ? BigInt(key) : key))
    const named = sql`${store.db.dialect.oneOf(column, some)} AND ${filled(field)}`
    const [rows] = await store.db.readLittle(
      granted.caller,
      sql`SELECT ${shown}, id FROM ${name(recordsOf(granted.table.id))} WHERE ${named}${and(readCondition(store, granted))}`,
    )
    for (const [key, id] of rows!) for (const value of keys.get(String(key)) ?? []) found.set(value, Number(id))
  }
  return found
}

/** The text by which the field's column compares, or undefined for a value that the field cannot hold. */
function keyOf(store: Uses<'context'>, { type, settings }: Field, value: string): string | undefined {
  try {
    const stored = parseLiteral(type, value, settings, store.context)
    return type.key ? type.key(stored, settings) : String(stored)
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}
