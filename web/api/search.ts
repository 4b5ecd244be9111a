import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { query, send, type Document, type Resource } from './client.ts'

/* Words in all tables that the person may read. */

export interface Hit {
  readonly id: string
  /** '' where the table has no title that the person may read. */
  readonly title: string
  /** The attribute that has most of the words. */
  readonly attribute: string
}

/** What one table has. */
export interface TableHits {
  readonly table: string
  readonly name: string
  /** Null: the table is too large to be looked through in time. */
  readonly total: number | null
  readonly hits: readonly Hit[]
}

/** The most tables that one request looks through. */
const PAGE = 50

async function look(text: string, offset: number, signal: AbortSignal): Promise<Document<readonly TableHits[]>> {
  const answer = await send<readonly Resource[]>('GET', `search?${query({ text, 'page[limit]': PAGE, 'page[offset]': offset })}`, undefined, signal) // prettier-ignore
  const data = answer.data.map(({ id, attributes }) => ({
    table: id,
    name: attributes['table_name'] as string,
    total: attributes['total'] as number | null,
    hits: attributes['hits'] as readonly Hit[],
  }))
  return { ...answer, data }
}

/** The first tables only, for a list beside which more is offered. */
export const foundAtOnce = (text: string) =>
  queryOptions({ queryKey: ['search', 'first', text], queryFn: ({ signal }) => look(text, 0, signal), staleTime: 0, retry: false })

/** Page by page of tables. */
export const foundEverywhere = (text: string) =>
  infiniteQueryOptions({
    queryKey: ['search', 'all', text],
    queryFn: ({ signal, pageParam }) => look(text, pageParam, signal),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (pages.length * PAGE < (last.meta?.total ?? 0) ? pages.length * PAGE : undefined),
    staleTime: 0,
  })
