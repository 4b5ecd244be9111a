import { queries, tables } from '../api/queries.ts'

/** Whether the person may read the records of a table; also as long as that is not known. */
export function mayRead(table: number | null): boolean {
  const all = queries.getQueryData(tables.queryKey)?.data
  return !all || all.some(({ id, meta }) => id === String(table) && meta?.access?.['read'] !== false)
}
