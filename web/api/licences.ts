import { queryOptions } from '@tanstack/react-query'
import { ApiError, failed } from './client.ts'

/** A package that the service or its pages are made of. */
export interface Licence {
  readonly name: string
  readonly version: string
  /** Its short name (SPDX). */
  readonly licence: string
  /** All of it; empty: the package brings none. */
  readonly text: string
  readonly of: 'service' | 'pages'
}

/** As the build has found them. The name of the file stays, so the copy of a browser may be that of another version. */
export const licences = queryOptions({
  queryKey: ['licences'],
  queryFn: async ({ signal }) => {
    const answer = await fetch('/assets/licences.json', { cache: 'no-store', signal })
    const text = await answer.text()
    if (!answer.ok) throw failed(answer.status, text, null)
    try {
      return JSON.parse(text) as readonly Licence[]
    } catch {
      throw new ApiError(answer.status, 'network', '')
    }
  },
  staleTime: Infinity,
})
