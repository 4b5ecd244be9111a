import type { ReactNode } from 'react'
import { Link, useNavigate } from '@tanstack/react-router'

/** Leads to a record beside the list in which it stands: the address of the list says which one is open. */
export function RecordLink({
  table,
  record,
  children,
  ...more
}: {
  readonly table: string
  readonly record: string
  readonly className?: string
  readonly title?: string
  readonly 'aria-label'?: string
  readonly 'data-sought'?: string | undefined
  readonly children: ReactNode
}) {
  return (
    <Link
      to="/t/$table"
      params={{ table }}
      search={(before: object) => ({ ...before, record: Number(record) })}
      resetScroll={false}
      data-record={record}
      {...more}
    >
      {children}
    </Link>
  )
}

/** Opens a record beside the list, or closes it. A `replace` is no step of the browser's history. */
export function useOpenRecord(): (record: string | undefined, replace?: boolean) => void {
  const navigate = useNavigate()
  return (record, replace = false) =>
    void navigate({
      to: '.',
      search: ((before: object) => ({ ...before, record: record === undefined ? undefined : Number(record) })) as never,
      replace,
      resetScroll: false,
    })
}
