import { useCallback, useMemo, type MouseEvent, type ReactNode } from 'react'
import { useNavigate, useRouterState } from '@tanstack/react-router'

/** The address of the list with another record, or none, that is open. */
const searchWith = (search: string, record: string): string => {
  const rest = search.replace(/^\?/, '').split('&').filter((part) => part !== '' && !part.startsWith('record=')) // prettier-ignore
  return `?${[...rest, `record=${record}`].join('&')}`
}

export interface RecordLinks {
  /** The address of a record, without its id at the end. */
  readonly before: string
  /** The record that is open beside. */
  readonly current: string | undefined
  /** For links with `data-record`. */
  onClick(event: MouseEvent<HTMLElement>): void
}

/**
 * Leads to records of a table beside the list in which they stand: the address of the list says which one is open. No Link of the router, and once
 * for a whole grid, which draws two links in each row that comes into sight.
 */
export function useRecordLinks(table: string): RecordLinks {
  const open = useOpenRecord()
  const search = useRouterState({ select: ({ location }) => location.searchStr })
  return useMemo(
    () => ({
      before: `/t/${table}${searchWith(search, '')}`,
      current: /[?&]record=(\d+)(?:&|$)/.exec(search)?.[1],
      onClick: (event: MouseEvent<HTMLElement>) => {
        // Another tab or window is the browser's business.
        if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        open(event.currentTarget.dataset['record'])
      },
    }),
    [table, search, open],
  )
}

/** One such link. */
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
  /** How its words are compared with those that are searched for (fields/sought.ts). */
  readonly 'data-sought'?: string | undefined
  readonly children: ReactNode
}) {
  const { before, current, onClick } = useRecordLinks(table)
  return (
    <a href={`${before}${record}`} aria-current={current === record ? 'page' : undefined} data-record={record} onClick={onClick} {...more}>
      {children}
    </a>
  )
}

/** Opens a record beside the list, or closes it. A `replace` is no step of the browser's history. */
export function useOpenRecord(): (record: string | undefined, replace?: boolean) => void {
  const navigate = useNavigate()
  return useCallback(
    (record, replace = false) =>
      void navigate({
        to: '.',
        search: ((before: object) => ({ ...before, record: record === undefined ? undefined : Number(record) })) as never,
        replace,
        resetScroll: false,
      }),
    [navigate],
  )
}
