import type { MouseEvent, ReactNode } from 'react'
import { useNavigate, useRouterState } from '@tanstack/react-router'

/** The address of the list with another record, or none, that is open. */
const searchWith = (search: string, record: string): string => {
  const rest = search.replace(/^\?/, '').split('&').filter((part) => part !== '' && !part.startsWith('record=')) // prettier-ignore
  return `?${[...rest, `record=${record}`].join('&')}`
}

/**
 * Leads to a record beside the list in which it stands: the address of the list says which one is open. No Link of the router: a grid draws two of
 * these in each row that comes into sight.
 */
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
  const open = useOpenRecord()
  const search = useRouterState({ select: ({ location }) => location.searchStr })
  const address = searchWith(search, record)
  const isOpen = new RegExp(`[?&]record=${record}(?:&|$)`).test(search)
  return (
    <a
      href={`/t/${table}${address}`}
      aria-current={isOpen ? 'page' : undefined}
      data-record={record}
      onClick={(event: MouseEvent) => {
        // Another tab or window is the browser's business.
        if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        open(record)
      }}
      {...more}
    >
      {children}
    </a>
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
