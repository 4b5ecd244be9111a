import { queryOptions } from '@tanstack/react-query'
import { query, send, type Resource } from './client.ts'
import { queries } from './queries.ts'

/* Indexes of tables: the service makes and drops them by itself; administrators may keep or forbid one. */

export interface Index {
  readonly table_id: number
  /** Empty: all of the table. */
  readonly attribute: string
  readonly kind: 'order' | 'order_desc' | 'value' | 'text' | 'words'
  readonly wish: 'auto' | 'pinned' | 'forbidden'
  readonly state: 'waiting' | 'ready' | 'failed' | 'none'
  readonly failure: string
  /** A day; empty: never. */
  readonly last_used: string
  readonly uses: number
  /** Bytes. */
  readonly size: number
}

export type IndexResource = Resource & { readonly attributes: Index }

/** Whether it is being made or dropped. */
export const isUnderWay = ({ state, wish }: Index): boolean => state === 'waiting' || (wish === 'forbidden' && state !== 'none')

/** Milliseconds after which indexes that are being made or dropped are looked at again. */
const SOON = 2_000

/** The largest first. */
export const indexes = queryOptions({
  queryKey: ['index'],
  queryFn: ({ signal }) =>
    send<readonly IndexResource[]>('GET', `index?${query({ 'page[size]': 1000, sort: '-size,id' })}`, undefined, signal),
  refetchInterval: ({ state }) => (state.data?.data.some(({ attributes }) => isUnderWay(attributes)) ? SOON : false),
  staleTime: 0,
})

/** @throws ApiError */
export async function wishIndex(id: string, wish: Index['wish']): Promise<void> {
  await send('PATCH', `index/${id}`, { data: { type: 'index', id, attributes: { wish } } })
  await queries.invalidateQueries({ queryKey: ['index'] })
}
