import type { Resource } from '../api/client.ts'
import type { Field } from '../fields/field.ts'
import { titleFieldOf } from '../fields/titles.ts'
import { readColumns } from '../grid/columns.ts'
import { groupingOf, sortOf } from '../grid/grouping.ts'
import { kept } from './kept.ts'
import type { TableSearch } from './search.ts'

/** What of a list is in sight, for files and programs: the names of its fields, and the order of its records, by groups first. */
export function asShown(
  table: Resource,
  fields: readonly Field[],
  person: string,
  { kind, columns, sort, group }: TableSearch,
): { readonly names: readonly string[]; readonly sort: string | undefined } {
  const isGrid = kind === undefined || kind === 'grid'
  // Views of other kinds have the columns of the grid of which they were made.
  const chosen = columns ?? (isGrid ? kept(person, table.id).columns : undefined)
  if (!isGrid && chosen === undefined) return { names: fields.flatMap(({ name, isSystem }) => (isSystem ? [] : [name])), sort }
  const names = readColumns(chosen, fields, titleFieldOf(fields, table)).map(({ field }) => field.name)
  return { names, sort: isGrid ? sortOf(sort, groupingOf(group, fields)) : sort }
}
