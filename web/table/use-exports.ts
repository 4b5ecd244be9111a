import { useEffect } from 'react'
import { useNavigate } from '@tanstack/react-router'
import type { Resource } from '../api/client.ts'
import { beginExport, exportOf, type Exported, type FileFormat } from '../api/jobs.ts'
import { queries, records } from '../api/queries.ts'
import { act } from '../commands/commands.ts'
import type { Field } from '../fields/field.ts'
import { toastRefusal } from '../ui/toast.tsx'
import { useTrouble } from '../ui/trouble.tsx'
import { asShown } from './as-shown.ts'
import type { TableSearch } from './search.ts'

/** Records from which on a file is made by a job, which can be left and shows how far it is. */
const LARGE = 50_000

/** The commands that export what is in sight: the records of the filter and the quick search, in their order, with the columns of the grid or of the view. */
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
      const shown = asShown(table, fields, person, { kind, columns, sort, group })
      const exported: Exported = { filter, sort: shown.sort, fields: shown.names }
      const count = (await queries.fetchQuery(records({ table: Number(table.id), offset: 0, limit: 1, filter }))).meta?.total ?? 0
      if (count <= LARGE) return download(exportOf(table.id, format, exported))
      await beginExport(table.id, format, exported)
      await navigate({ to: '/jobs' })
    }
    const to = (format: FileFormat) => () => void bring(format).catch((error: unknown) => toastRefusal(trouble(error)))
    return act('export', { exportCsv: to('csv'), exportXlsx: to('xlsx'), exportJson: to('jsonl') })
  }, [table, fields, may, person, filter, sort, group, kind, columns])
}

function download(address: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = ''
  link.click()
}
