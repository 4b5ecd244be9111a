import { useEffect } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useRouterState } from '@tanstack/react-router'
import { beginExport, exportOf, type FileFormat } from '../api/jobs.ts'
import { countOf, queries, tables } from '../api/queries.ts'
import { act } from '../commands/commands.ts'

/** Records from which on a file is made by a job, which can be left and shows how far it is. */
const LARGE = 50_000

/** The commands that export the table that is open, as its address filters it. `tell`: what went wrong. */
export function useExports(tell: (error: unknown) => void): void {
  const navigate = useNavigate()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const table = /^\/t\/(\d+)$/.exec(path)?.[1]
  const { data } = useQuery({ ...tables, enabled: table !== undefined })
  const access = data?.data.find(({ id }) => id === table)?.meta?.access
  const may = access?.['read'] === true && access['print'] === true
  useEffect(() => {
    const bring = async (format: FileFormat) => {
      const { filter } = readFilter()
      const count = (await queries.ensureQueryData(countOf(Number(table)))).meta?.total ?? 0
      if (count <= LARGE) return download(exportOf(table!, format, filter))
      await beginExport(table!, format, filter)
      await navigate({ to: '/jobs' })
    }
    const to = (format: FileFormat) => may && (() => void bring(format).catch(tell))
    return act('export', { exportCsv: to('csv'), exportXlsx: to('xlsx'), exportJson: to('jsonl') })
  }, [table, may])
}

/** As the address has it when the command runs. */
function readFilter(): { readonly filter: string | undefined } {
  const asked = new URLSearchParams(location.search).get('filter') ?? ''
  return { filter: asked === '' ? undefined : asked }
}

function download(address: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = ''
  link.click()
}
