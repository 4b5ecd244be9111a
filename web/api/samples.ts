import { queryOptions } from '@tanstack/react-query'
import { ApiError, query, send, type Resource } from './client.ts'
import { undoBatch } from './jobs.ts'
import { queries, tables } from './queries.ts'
import { changed } from './records.ts'

/* Sample records of a template: a setting of the person keeps which batch they are. */

const KEY = 'samples'

export const samples = queryOptions({
  queryKey: ['setting', KEY],
  queryFn: async ({ signal }): Promise<{ readonly id: string; readonly batch: number } | null> => {
    const { data } = await send<readonly Resource[]>('GET', `setting?${query({ filter: `eq(key,'${KEY}')` })}`, undefined, signal)
    const batch = (data[0]?.attributes['value'] as { batch?: unknown } | undefined)?.batch
    return data[0] && Number.isSafeInteger(batch) ? { id: data[0].id, batch: batch as number } : null
  },
})

export async function keepSamples(batch: number): Promise<void> {
  await send('POST', 'setting', { data: { type: 'setting', attributes: { key: KEY, value: { batch } } } })
  await queries.invalidateQueries({ queryKey: samples.queryKey })
}

/** Records that somebody has changed since then stay. */
export async function removeSamples({ id, batch }: { readonly id: string; readonly batch: number }): Promise<void> {
  try {
    await undoBatch(batch)
  } catch (error) {
    if (!(error instanceof ApiError && (error.status === 409 || error.status === 404))) throw error
  }
  await forgetSamples(id)
  // A list that is shown must not keep rows of what the same person has just taken away.
  for (const table of queries.getQueryData(tables.queryKey)?.data ?? []) void changed(Number(table.id))
}

/** They stay for good. */
export async function forgetSamples(id: string): Promise<void> {
  await send('DELETE', `setting/${id}`)
  await queries.invalidateQueries({ queryKey: samples.queryKey })
}
