import { rightsOn, view, type Caller } from '../store/model/access.ts'
import type { Field } from '../store/model/catalogue.ts'
import type { Uses } from '../store/ground/store.ts'
import { Unfit } from './unfit.ts'

/** How a column refers to records: by a unique field, or by their id. The table may be the one that is about to be made. */
export type Named =
  | { readonly tableId: number | 'itself'; readonly by: 'id' }
  | { readonly tableId: number; readonly by: Field }
  | { readonly tableId: 'itself'; readonly by: string }

/** The import for which a reference is read. */
interface Naming {
  readonly store: Uses<'catalogue'>
  readonly by: Caller
  /** Undefined: the table is about to be made. */
  readonly ownId: number | undefined
  readonly ownTitle: string
  readonly header: readonly string[]
  readonly options: { readonly map: ReadonlyMap<string, string>; readonly unique: ReadonlySet<string> }
}

/** A unique field, or `id`, of a table that is named by its title or its id; '': none is named. Names may have points in them. */
export interface NamingField {
  readonly table: string
  readonly field: string
}

/** `Table.Field` as an operator types it: the last point stands between them. */
export function namingField(text: string): NamingField {
  const dot = text.lastIndexOf('.')
  return { table: text.slice(0, Math.max(0, dot)), field: text.slice(dot + 1) }
}

/** Finds what the caller may read. @throws Unfit */
export function namedBy(
  { store, by, ownId, ownTitle, header, options: { map, unique } }: Naming,
  column: string,
  { table: tableName, field: fieldName }: NamingField,
): Named {
  const at = { header: column, of: 'reference' } as const
  if (tableName === '') throw new Unfit(`'${fieldName}' should name a table and its unique field, such as Customers.Code.`, at)
  const catalogue = store.catalogue()
  const table = [...catalogue.tables.values()].find(
    (one) => rightsOn(one.id, by, catalogue).has('read') && (String(one.id) === tableName || sameText(one.title, tableName)),
  )
  if (!table && ownId === undefined && sameText(ownTitle, tableName)) {
    if (fieldName === 'id') return { tableId: 'itself', by: 'id' }
    const own = header.find((name) => sameText(map.get(name) ?? name, fieldName))
    if (own === undefined) throw new Unfit(`The file has no column '${fieldName}'. Its columns: ${header.join(', ')}.`, at)
    if (!unique.has(own)) throw new Unfit(`The column '${own}' must be made unique to name records.`, at, `Add --unique '${own}'.`)
    return { tableId: 'itself', by: fieldName }
  }
  if (table && fieldName === 'id') return { tableId: table.id, by: 'id' }
  const { attributes } = table ? view(table, by, catalogue) : { attributes: new Map() }
  const fields = table?.fields.filter(({ name }) => attributes.has(name)) ?? []
  const field = fields.find((one) => one.name === fieldName) ?? fields.find((one) => sameText(one.title, fieldName))
  if (!table || !field) throw new Unfit(`There is no table and field '${tableName}.${fieldName}'.`, at)
  if (!field.settings.unique)
    throw new Unfit(`The field '${field.title}' of table '${table.title}' is not unique, so it cannot name records.`, at)
  // Lines may refer to later lines: those references are set at the end, as changes of records.
  if (table.id === ownId && !rightsOn(table.id, by, catalogue).has('update'))
    throw new Unfit(`References within table '${table.title}' take the right to update its records.`, at)
  return { tableId: table.id, by: field }
}

export const sameText = (one: string, other: string): boolean => one.trim().toLowerCase() === other.trim().toLowerCase()
