import { useMemo, useState } from 'react'
import { readColumns, writeColumns, type Column } from '../grid/columns.ts'
import { keep, kept } from './kept.ts'
import type { RecordsProps } from './records.tsx'

/** The columns of a list: as the address says, otherwise as the person has left them in this browser. */
export function useColumns(
  person: string,
  table: string,
  { fields, title, search, put }: Pick<RecordsProps, 'fields' | 'title' | 'search' | 'put'>,
): { readonly text: string | undefined; readonly columns: readonly Column[]; onColumns(columns: readonly Column[]): void } {
  // What is kept may be another thing while the address stays the same.
  const [round, setRound] = useState(0)
  const text = useMemo(() => search.columns ?? kept(person, table).columns, [search.columns, person, table, round])
  const columns = useMemo(() => readColumns(text, fields, title), [text, fields, title])
  return {
    text,
    columns,
    onColumns(next) {
      const written = writeColumns(next, fields, title)
      keep(person, table, { columns: written })
      setRound((before) => before + 1)
      put({ columns: written }, true)
    },
  }
}
