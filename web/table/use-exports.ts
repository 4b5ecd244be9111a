import { useEffect } from 'react'
import { useNavigate } from '@tanstack/react-router'
import type { Resource } from '../api/client.ts'
import { beginExport, exportOf, type Exported, type FileFormat } from '../api/jobs.ts'
import { queries, records } from '../api/queries.ts'
import { act } from '../commands/commands.ts'
import type { Field } from '../fields/field.ts'
import { titleFieldOf } from '../fields/titles.ts'
import { readColumns } from '../grid/columns.ts'
import { groupingOf, sortOf } from '../grid/grouping.ts'
import { toastRefusal } from '../ui/toast.tsx'
import { useTrouble } from '../ui/trouble.tsx'
import { kept } from './kept.ts'
import type { TableSearch } from './search.ts'

/** Records from which on a file is made by a job, which can be left and shows how far it is. */
const LARGE = 50_000

/** The commands that export what is in sight: the records of the filter and the quick search, in their order, with the columns of the grid. */
export function useExports(
  table: Resource | undefined,
  fields: readonly Field[] | undefined,
  person: string,
  { filter, sort, group, kind, columns }: TableSearch,
): void {
  const navigate = useNavigate()
  const trouble = useTrouble()
  const access = table?.meta?.access
  const may = fields !== undefined && access?.['read'] === true && access['print'] === true
  useEffect(() => {
    if (!may || !table) return
    const bring = async (format: FileFormat) => {
      const isGrid = kind === undefined || kind === 'grid'
      const shown = isGrid ? readColumns(columns ?? kept(person, table.id).columns, fields, titleFieldOf(fields, table)) : fields
      const order = isGrid ? sortOf(sort, groupingOf(group, fields)) : sort
      const exported: Exported = { filter, sort: order, fields: shown.map(nameOf) }
      const count = (await queries.fetchQuery(records({ table: Number(table.id), offset: 0, limit: 1, filter }))).meta?.total ?? 0
      if (count <= LARGE) return download(exportOf(table.id, format, exported))
      await beginExport(table.id, format, exported)
      await navigate({ to: '/jobs' })
    }
    const to = (format: FileFormat) => () => void bring(format).catch((error: unknown) => toastRefusal(trouble(error)))
    return act('export', { exportCsv: to('csv'), exportXlsx: to('xlsx'), exportJson: to('jsonl') })
  }, [table, fields, may, person, filter, sort, group, kind, columns])
}

const nameOf = (one: { readonly field: Field } | Field): string => ('field' in one ? one.field.name : one.name)

function download(address: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = ''
  link.click()
}
