import { queryOptions } from '@tanstack/react-query'
import { query, send, type Resource } from './client.ts'
import { undoBatch, type Undone } from './jobs.ts'
import { tookBack } from './undo.ts'

/* What was changed by one request, import or command, of one change or of several (docs/changes.md). */

export interface Batch {
  readonly made_at: string
  /** 0: the command line, or the service. */
  readonly user_id: number
  readonly via: 'api' | 'page' | 'import' | 'cli' | 'undo' | 'conversion' | 'service'
  /** Of those that the person may read now. */
  readonly records: number
  readonly tables: readonly number[]
  readonly actions: readonly ('create' | 'update' | 'delete' | 'restore' | 'convert' | 'erase')[]
  /** null: it holds. */
  readonly undone_by: number | null
}

export type BatchResource = Resource & { readonly attributes: Batch }

/** Batches of a page: the service counts the records of each. */
const PAGE = 20

export interface AskedBatches {
  /** Undefined: those of all. */
  readonly user: number | undefined
  /** Cursors. */
  readonly after?: string | undefined
  readonly before?: string | undefined
}

/** The latest first, without what took others back: those tell it of themselves. */
export const batchesOf = ({ user, after, before }: AskedBatches) =>
  queryOptions({
    queryKey: ['batch', 'list', { user, after, before }],
    queryFn: ({ signal }) => {
      const parts = [`not(eq(via,'undo'))`, ...(user === undefined ? [] : [`eq(user_id,${user})`])]
      const filter = parts.length > 1 ? `and(${parts.join()})` : parts[0]
      const page = { 'page[size]': PAGE, 'page[after]': after, 'page[before]': before }
      return send<readonly BatchResource[]>(
        'GET',
        `batch?${query({ sort: '-id', singleChanges: 'true', filter, ...page })}`,
        undefined,
        signal,
      )
    },
    staleTime: 0,
  })

/** The first changes of some batches, which have their ids. */
export const changesWith = (ids: readonly string[]) =>
  queryOptions({
    queryKey: ['batch', 'changes', ids],
    queryFn: ({ signal }) =>
      send<readonly Resource[]>('GET', `change?${query({ filter: `in(id,${ids.join()})`, 'page[limit]': PAGE })}`, undefined, signal),
    placeholderData: (last) => last,
    staleTime: Infinity,
  })

/** Which of these batches the person sees: what somebody else has taken back is theirs to bring back. */
export const undoersSeen = (ids: readonly number[]) =>
  queryOptions({
    queryKey: ['batch', 'seen', ids],
    queryFn: async ({ signal }) => {
      const { data } = await send<readonly Resource[]>(
        'GET',
        `batch?${query({ filter: `in(id,${ids.join()})`, 'page[size]': PAGE })}`,
        undefined,
        signal,
      )
      return new Set(data.map(({ id }) => Number(id)))
    },
  })

/** Records from which on it is told that an undo runs. */
const LONG = 1000

/** Takes a batch back, or does it again where it was taken back. @throws ApiError `batch.undone` */
export async function turn({ id, attributes: { tables, records, undone_by } }: BatchResource): Promise<Undone> {
  const batch = undone_by ?? Number(id)
  const undone = await undoBatch(batch)
  await tookBack(tables[0] ?? 0, batch, undone.batch, records > LONG)
  return undone
}
