import { inTimeOf } from '../../filter/patience.ts'
import type { Dialect } from '../../sql/dialect.ts'
import { join, name, sql, type Sql } from '../../sql/sql.ts'
import { recordsOf, type Table } from '../model/catalogue.ts'

/* Conditions of statements about many records, with what has them end in time (filter/patience.ts). */

/** What decides which records of a table a statement is about. */
export interface Filtered {
  readonly granted: { readonly table: Table }
  readonly where: readonly Sql[]
  readonly dialect: Dialect
  /** Whether the table has many records. */
  readonly isLarge: boolean
}

export const source = ({ granted }: Pick<Filtered, 'granted'>): Sql => name(recordsOf(granted.table.id))

/** `more`: further conditions. */
export function whereOf({ granted, where, dialect, isLarge }: Filtered, more: readonly Sql[] = []): Sql {
  const inTime = inTimeOf(granted.table.attributes, where, dialect, isLarge)
  // The time limit comes first: a condition is evaluated only for records that meet those before it.
  const conditions = [...(inTime ? [inTime] : []), ...where, ...more]
  return conditions.length > 0 ? sql` WHERE ${join(conditions, ' AND ')}` : sql``
}

/** The time limit for going through ids that an index has found. */
export function inTimeOfIds({ dialect }: Pick<Filtered, 'dialect'>): Sql {
  const inTime = dialect.patience.record?.(IDS_AT_ONCE, [])
  return inTime ? sql` WHERE ${inTime}` : sql``
}

const IDS_AT_ONCE = 1_024
