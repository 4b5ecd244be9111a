import { queryOptions } from '@tanstack/react-query'
import { send, type Resource } from './client.ts'
import { queries } from './queries.ts'

/* How a person has arranged the list of tables: kept by the service under a key of their own settings, so that it is the same on each of their devices. */

export interface Arrangement {
  /** Ids of tables; those that are not named follow in the order of the administrator. */
  readonly order: readonly string[]
  /** Ids of categories that are closed; `''`: the tables without one. */
  readonly closed: readonly string[]
}

const KEY = 'side'

interface Known extends Arrangement {
  /** Of the setting; undefined: it is not there yet. */
  readonly id: string | undefined
}

export const arrangement = queryOptions({
  queryKey: ['setting', KEY],
  queryFn: async ({ signal }): Promise<Known> => {
    const { data } = await send<readonly Resource[]>('GET', `setting?filter=eq(key,'${KEY}')`, undefined, signal)
    const value = (data[0]?.attributes['value'] ?? {}) as { order?: unknown; closed?: unknown }
    return { id: data[0]?.id, order: texts(value.order), closed: texts(value.closed) }
  },
  staleTime: 300_000,
})

const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string' && one.length < 20) : []

/** Writes go one after the other: two at once would make the setting twice. */
let writing: Promise<unknown> = Promise.resolve()

/** Shown at once; `isKept`: and for the next time. @throws ApiError */
export function arrange(change: Partial<Arrangement>, isKept: boolean): Promise<void> {
  queries.setQueryData(arrangement.queryKey, (known) => known && { ...known, ...change })
  if (!isKept) return Promise.resolve()
  const written = writing.then(write)
  writing = written.catch(() => undefined)
  return written
}

async function write(): Promise<void> {
  const known = queries.getQueryData(arrangement.queryKey)
  if (!known) return
  const { id, order, closed } = known
  const attributes = { value: { order, closed } }
  if (id !== undefined) return void (await send('PATCH', `setting/${id}`, { data: { type: 'setting', id, attributes } }))
  const made = await send<Resource>('POST', 'setting', { data: { type: 'setting', attributes: { key: KEY, ...attributes } } })
  queries.setQueryData(arrangement.queryKey, (now) => now && { ...now, id: made.data.id })
}
