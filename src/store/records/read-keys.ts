import type { Stored } from '../../fields/field-type.ts'
import { name, sql } from '../../sql/sql.ts'
import type { Uses } from '../ground/store.ts'
import type { Granted } from '../model/access.ts'
import { recordsOf, type Field } from '../model/catalogue.ts'
import { and, readCondition } from './read-records.ts'
import { filled } from './unique-keys.ts'

/** The values of a unique field by record, as `findByKey` finds them again; records without one, or hidden from the caller, are left out. */
export async function readKeys(
  store: Uses<'db' | 'context'>,
  granted: Granted<'read'>,
  field: Field,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map()
  const { dialect } = store.db
  const column = field.type.exact ? dialect.integerText(name(field.column)) : name(field.column)
  const [rows] = await store.db.readLittle(
    granted.caller,
    sql`SELECT id, ${column} FROM ${name(recordsOf(granted.table.id))} WHERE ${dialect.oneOf(sql`id`, ids)} AND ${filled(field)}${and(readCondition(store, granted))}`,
  )
  return new Map(rows!.map(([id, stored]) => [Number(id), field.type.format(stored as Stored, field.settings)]))
}
