import { queryOptions } from '@tanstack/react-query'
import { query, send, type Resource } from './client.ts'
import { queries } from './queries.ts'

/* The person's own tokens: of programs, and sessions of browsers. */

export interface Token {
  readonly name: string
  readonly scope: 'read' | 'write'
  /** Ids of the tables that it reaches; null: all. */
  readonly tables: readonly number[] | null
  readonly created: string
  readonly expires_at: string
  readonly last_used: string
  readonly session: boolean
  readonly user_id: number
}

export type TokenResource = Resource & { readonly attributes: Token }

/** The latest of one's own, up to a thousand. */
export const tokens = queryOptions({
  queryKey: ['token'],
  queryFn: ({ signal }) => send<readonly TokenResource[]>('GET', `token?${query({ 'page[size]': 1000, sort: '-id' })}`, undefined, signal),
  staleTime: 0,
})

/** The latest of the programs of all users, for administrators. */
export const tokensOfAll = queryOptions({
  queryKey: ['token', 'all'],
  queryFn: ({ signal }) =>
    send<readonly TokenResource[]>(
      'GET',
      `token?${query({ ofAll: 'true', filter: 'eq(session,0)', 'page[size]': 1000, sort: '-id' })}`,
      undefined,
      signal,
    ),
  staleTime: 0,
})

export interface NewToken {
  readonly login: string
  /** Asked for again: a session alone makes no token that outlives it. */
  readonly password: string
  readonly name: string
  readonly scope: Token['scope']
  readonly tables: readonly number[] | null
  /** Seconds. */
  readonly lifetime: number
}

/** Returns the text of the token, which nothing shows again. @throws ApiError */
export async function makeToken(attributes: NewToken): Promise<string> {
  const { data } = await send<Resource>('POST', 'token', { data: { type: 'token', attributes } })
  await queries.invalidateQueries({ queryKey: ['token'] })
  return String(data.attributes['token'])
}

/** @throws ApiError */
export async function endToken(id: string): Promise<void> {
  await send('DELETE', `token/${id}`)
  await queries.invalidateQueries({ queryKey: ['token'] })
}
