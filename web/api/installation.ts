import { queryOptions } from '@tanstack/react-query'
import { ApiError, failed } from './client.ts'

/* What the service tells administrators of itself. */

export interface Setting {
  readonly name: string
  readonly variable: string
  readonly value: string
  readonly byDefault: string
  readonly source: 'flag' | 'environment' | 'default'
  readonly says: string
}

export interface Installation {
  readonly version: string
  readonly node: string
  readonly engine: string
  readonly database_bytes: number
  /** Of those, what new data will take; null: the engine does not tell. */
  readonly database_unused_bytes: number | null
  /** The write-ahead log beside the file; null: the database is on a server. */
  readonly database_log_bytes: number | null
  /** `all`: not only the first of many are counted. */
  readonly files: { readonly count: number; readonly bytes: number; readonly all: boolean }
  readonly free_bytes: number | null
  readonly memory_bytes: number
  /** What lists keep in memory; null: nothing that is counted. */
  readonly lists: { readonly memory_bytes: number; readonly memory_limit_bytes: number } | null
  readonly started: string
  readonly time_zone: string
  readonly settings: readonly Setting[]
}

async function ask<Answer>(path: string, signal: AbortSignal): Promise<{ readonly isOk: boolean; readonly body: Answer }> {
  let answer: Response
  try {
    answer = await fetch(path, { credentials: 'same-origin', headers: { Accept: 'application/json' }, signal })
  } catch (error) {
    if (signal.aborted) throw error
    throw new ApiError(0, 'network', '')
  }
  const text = await answer.text()
  if (!answer.ok && answer.status !== 503) throw failed(answer.status, text, null)
  return { isOk: answer.ok, body: JSON.parse(text) as Answer }
}

export const installation = queryOptions({
  queryKey: ['installation'],
  queryFn: async ({ signal }) => (await ask<Installation>('/installation', signal)).body,
  staleTime: 0,
})

/** Whether the service can be used, or in a sentence why not. */
export const readiness = queryOptions({
  queryKey: ['readiness'],
  queryFn: async ({ signal }) => {
    const { isOk, body } = await ask<{ readonly reason?: string; readonly detail?: string }>('/readyz', signal)
    return { isOk, reason: body.reason ?? '', detail: body.detail ?? '' }
  },
  staleTime: 0,
  refetchInterval: 15_000,
})
