import { name, sql } from '../../sql/sql.ts'
import type { Uses } from '../ground/store.ts'
import type { View } from '../model/access.ts'
import { recordsOf } from '../model/catalogue.ts'
import { labelsAhead } from './long-keys.ts'
import { and, writeCondition } from './read-records.ts'

/**
 * Those of these records for which the write filter of the caller's group holds now; undefined: the group has none, so that it holds for all. It may
 * name attributes that are hidden from the caller, so it is asked of the database, and not of what is shown.
 * `twin`: the table of the database that has them, such as that of the trash.
 */
export async function writableAmong(
  store: Uses<'db' | 'context'>,
  granted: View,
  ids: readonly number[],
  twin: string = recordsOf(granted.table.id),
): Promise<ReadonlySet<number> | undefined> {
  if (granted.writeFilter === '') return undefined
  if (ids.length === 0) return new Set()
  await labelsAhead(granted)
  const { dialect, forLists } = store.db
  const [rows] = await forLists.readLittle(
    granted.caller,
    sql`SELECT id FROM ${name(twin)} WHERE ${dialect.oneOf(sql`id`, ids)}${and(writeCondition(store, granted))}`,
  )
  return new Set(rows!.map(([id]) => Number(id)))
}
