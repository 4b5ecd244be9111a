import type { Dialect } from '../../sql/dialect.ts'
import { name, sql, type Sql } from '../../sql/sql.ts'
import { rightsOn, type Caller } from '../model/access.ts'
import { hasEveryRight } from '../model/built-in-groups.ts'
import type { Right } from '../model/rights.ts'
import type { Uses } from '../ground/store.ts'

/** Tables on which the caller holds a right (any, or the one named), as a condition on a column of table ids. */
export function visibleTables(store: Uses<'db' | 'catalogue'>, caller: Caller, column: string, right?: Right): Sql {
  const catalogue = store.catalogue()
  const ids = [...catalogue.tables.keys()].filter((id) => {
    const held = rightsOn(id, caller, catalogue)
    return right ? held.has(right) : held.size > 0
  })
  return inList(store.db.dialect, column, ids)
}

/** Ids of the fields, of all tables, that are hidden from the caller. */
export const hiddenFields = (store: Uses<'catalogue'>, caller: Caller): readonly number[] =>
  hasEveryRight(caller) ? [] : [...(store.catalogue().access.get(caller.groupId)?.values() ?? [])].flatMap(({ hidden }) => [...hidden])

/** The condition of a caller who sees no row of a list; compared by identity. */
export const nothing: Sql = sql`1 = 0`

/** `column IN (…)`; an empty list holds nothing. */
export const inList = (dialect: Dialect, column: string, ids: readonly number[]): Sql =>
  ids.length === 0 ? nothing : dialect.oneOf(name(column), ids)
