import { Failure } from '../../errors.ts'
import { parseLiteral } from '../../fields/value.ts'
import { name, sql, type Sql } from '../../sql/sql.ts'
import type { Transaction } from '../ground/db.ts'
import type { Granted } from '../model/access.ts'
import { recordsOf, type Field } from '../model/catalogue.ts'
import { and, readCondition } from './read-records.ts'
import type { Uses } from '../ground/store.ts'
import { filled } from './unique-keys.ts'

/** Ids of the records whose unique field holds these values, by the value as given; values that no record holds are left out. */
export const findByKey = (
  store: Uses<'db' | 'context'>,
  granted: Granted<'read'>,
  field: Field,
  values: readonly string[],
): Promise<Map<string, number>> =>
  found(store, field, values, readCondition(store, granted), async (query) => (await store.db.readLittle(granted.caller, query))[0]!)

/** The same among all records of the table, as administrators see them, in the caller's transaction. */
export const findAnyByKey = (
  store: Uses<'db' | 'context'>,
  { all }: Pick<Transaction, 'all'>,
  field: Field,
  values: readonly string[],
): Promise<Map<string, number>> => found(store, field, values, undefined, all)

async function found(
  store: Uses<'db' | 'context'>,
  field: Field,
  values: readonly string[],
  condition: Sql | undefined,
  read: Transaction['all'],
): Promise<Map<string, number>> {
  const keys = new Map<string, string[]>()
  for (const value of new Set(values)) {
    const key = keyOf(store, field, value)
    if (key === undefined) continue
    const spellings = keys.get(key)
    if (spellings) spellings.push(value)
    else keys.set(key, [value])
  }
  const ids = new Map<string, number>()
  const wanted = [...keys.keys()]
  const column = name(field.keyColumn ?? field.column)
  const shown = field.type.exact ? store.db.dialect.integerText(column) : column
  for (let i = 0; i < wanted.length; i += 500) {
    const some = wanted.slice(i, i + 500).map((key) => (field.type.kind === 'number' ? BigInt(key) : key))
    const named = sql`${store.db.dialect.oneOf(column, some)} AND ${filled(field)}`
    const rows = await read(sql`SELECT ${shown}, id FROM ${name(recordsOf(field.tableId))} WHERE ${named}${and(condition)}`)
    for (const [key, id] of rows) for (const value of keys.get(String(key)) ?? []) ids.set(value, Number(id))
  }
  return ids
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
