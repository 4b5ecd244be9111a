import type { Dialect } from '../../sql/dialect.ts'
import { name, sql, type Sql } from '../../sql/sql.ts'
import { rightsOn, type Caller } from '../model/access.ts'
import { hasEveryRight } from '../model/built-in-groups.ts'
import type { Access, Table } from '../model/catalogue.ts'
import { rightOnAttribute } from '../model/field-rights.ts'
import type { Right } from '../model/rights.ts'
import { memo } from '../../memory/memo.ts'
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

/** Ids of the fields, of all tables, that are hidden from the caller. Of the fields in the trash only those that a rule names. */
export const hiddenFields = (store: Uses<'catalogue'>, caller: Caller): readonly number[] =>
  rulesOf(store, caller).flatMap((rule) => hiddenByRule(rule)(store.catalogue().tables.get(rule.tableId) ?? noTable))

/** The tables of which an attribute of every record is hidden from the caller. */
export const tablesHiding = (store: Uses<'catalogue'>, caller: Caller, attribute: string): readonly number[] =>
  rulesOf(store, caller).flatMap(({ fields, tableId }) => (rightOnAttribute(fields, attribute) === 'hidden' ? [tableId] : []))

/** The rules that limit what the caller sees of tables. */
export const rulesOf = (store: Uses<'catalogue'>, caller: Caller): readonly Access[] =>
  hasEveryRight(caller) ? [] : [...(store.catalogue().access.get(caller.groupId)?.values() ?? [])]

const noTable: Pick<Table, 'fields'> = { fields: [] }
const hiddenByRule = memo(({ fields: rights }: Access) =>
  memo(({ fields }: Pick<Table, 'fields'>): readonly number[] => {
    const named = [...rights.named].flatMap(([key, right]) => (right === 'hidden' && key.startsWith('f') ? [key] : []))
    const hidden = fields.flatMap(({ name: key }) => (rightOnAttribute(rights, key) === 'hidden' ? [key] : []))
    return [...new Set([...named, ...hidden])].map((key) => Number(key.slice(1)))
  }),
)

/** The condition of a caller who sees no row of a list; compared by identity. */
export const nothing: Sql = sql`1 = 0`

/** `column IN (…)`; an empty list holds nothing. */
export const inList = (dialect: Dialect, column: string, ids: readonly number[]): Sql =>
  ids.length === 0 ? nothing : dialect.oneOf(name(column), ids)
