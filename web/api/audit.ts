import { queryOptions } from '@tanstack/react-query'
import { query, send, type Resource } from './client.ts'

/* The audit log: sign-ins and administrative acts. */

export interface AuditEntry {
  readonly time: string
  /** 0: the command line, or somebody who has not signed in. */
  readonly user_id: number
  /** Empty: the command line. */
  readonly address: string
  readonly action: string
  readonly subject: string
  readonly detail: string
}

export type AuditResource = Resource & { readonly attributes: AuditEntry }

export interface Asked {
  readonly who?: number | undefined
  readonly actions?: readonly string[] | undefined
  /** Days, both included. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** Cursors. */
  readonly after?: string | undefined
  readonly before?: string | undefined
}

/** Entries of a page. */
const PAGE = 50

/** The latest first. */
export const auditOf = ({ who, actions, from, to, after, before }: Asked) =>
  queryOptions({
    queryKey: ['audit', { who, actions, from, to, after, before }],
    queryFn: ({ signal }) => {
      const parts = [
        ...(who === undefined ? [] : [`eq(user_id,${who})`]),
        ...(actions ? [`in(action,${actions.map((one) => `'${one}'`).join()})`] : []),
        ...(from ? [`gte(time,'${from} 00:00:00')`] : []),
        ...(to ? [`lte(time,'${to} 23:59:59')`] : []),
      ]
      const filter = parts.length > 1 ? `and(${parts.join()})` : parts[0]
      const page = { 'page[size]': PAGE, 'page[after]': after, 'page[before]': before }
      return send<readonly AuditResource[]>('GET', `audit?${query({ sort: '-id', filter, ...page })}`, undefined, signal)
    },
    staleTime: 0,
  })
