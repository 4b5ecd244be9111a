import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { query, send, type Resource } from './client.ts'
import { queries } from './queries.ts'

/* What was deleted, and can be restored. */

/** The most that the interface gives by offset. */
const PAGE = 50

export type TrashKind = 'record' | 'field' | 'table'

export const trash = (kind: TrashKind | undefined) =>
  infiniteQueryOptions({
    queryKey: ['trash', kind],
    queryFn: ({ signal, pageParam }) =>
      send<readonly Resource[]>(
        'GET',
        `trash?${query({
          sort: '-id',
          'page[limit]': PAGE,
          'page[offset]': pageParam,
          filter: kind && `eq(kind,'${kind}')`,
          'fields[trash]': 'kind,table_id,item_id,title,deleted,user_id,brings_back',
        })}`,
        undefined,
        signal,
      ),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (pages.length * PAGE < (last.meta?.total ?? 0) ? pages.length * PAGE : undefined),
    staleTime: 0,
  })

/** What the trash has of one record, as far as the person sees it. */
export const inTrash = (table: number, record: string) =>
  queryOptions({
    queryKey: ['trash', 'of', table, record],
    queryFn: ({ signal }) => {
      const filter = `and(eq(kind,'record'),eq(table_id,${table}),eq(item_id,${record}))`
      return send<readonly Resource[]>(
        'GET',
        `trash?${query({ filter, sort: '-id', 'page[limit]': 1, 'fields[trash]': 'kind,table_id,item_id,brings_back' })}`,
        undefined,
        signal,
      )
    },
    staleTime: 0,
  })

/** Whether a write filter keeps the person from restoring it. */
export const isBarredIn = ({ attributes }: Resource): boolean =>
  (attributes['brings_back'] as { readonly barred?: true } | null)?.barred === true

/** How much is in it. */
export const trashCount = queryOptions({
  queryKey: ['trash', 'count'],
  queryFn: ({ signal }) => send<readonly Resource[]>('GET', `trash?${query({ 'page[limit]': 1 })}`, undefined, signal),
  staleTime: 0,
})

/** @throws ApiError `field.not_unique` where another record has its value by now */
export async function restore(id: string): Promise<void> {
  await send('POST', `trash/${id}/restore`)
  await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' })
}

/** This cannot be undone. */
export async function erase(id: string): Promise<void> {
  await send('DELETE', `trash/${id}`)
  await queries.invalidateQueries({ queryKey: ['trash'] })
}
