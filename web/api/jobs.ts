import { queryOptions } from '@tanstack/react-query'
import { ApiError, query, send, type Resource } from './client.ts'
import { queries } from './queries.ts'
import { STILL_RUNS } from './undo.ts'

/* Work that takes longer than a request (docs/jobs.md). */

export interface Job {
  readonly kind: 'import' | 'export' | 'bulk' | 'convert'
  readonly table_id: number
  readonly state: 'draft' | 'queued' | 'running' | 'done' | 'failed' | 'cancelled' | 'interrupted'
  readonly cancel_asked: boolean
  readonly done: number
  readonly total: number | null
  readonly result: Readonly<Record<string, any>> | null // oxlint-disable-line typescript/no-explicit-any -- each kind has a result of its own
  readonly error: { readonly code: string; readonly detail: string } | null
  readonly batch_id: number | null
  /** That it reads or has made; '': none. */
  readonly file_name: string
  /** It only tries an import. */
  readonly is_trial: boolean
  readonly user_id: number
  readonly add_time: string
  readonly begin_time: string
  readonly end_time: string
}

export const goesOn = ({ state }: Pick<Job, 'state'>): boolean => state === 'queued' || state === 'running'

/** Milliseconds between two looks at work that goes on; the service tells how far it is once a second. */
const LOOK = 1000
/** The jobs that the list shows: the latest. */
const SHOWN = 50

/** The batches of jobs that have ended, as far as the pages have seen it: a job that is taken out of the list can still be undone. */
const batches = new Map<string, number | null>()

function jobIn({ id, attributes }: Resource): Job & { readonly id: string } {
  const one = { ...(attributes as Job), id }
  if (!goesOn(one)) batches.set(id, one.batch_id)
  return one
}

const readJob = async (id: string, signal?: AbortSignal): Promise<Job & { readonly id: string }> =>
  jobIn((await send<Resource>('GET', `job/${encodeURIComponent(id)}`, undefined, signal)).data)

export const job = (id: string) =>
  queryOptions({
    queryKey: ['job', id],
    queryFn: ({ signal }) => readJob(id, signal),
    refetchInterval: ({ state }) => (state.data && goesOn(state.data) ? LOOK : false),
    staleTime: 0,
  })

/** The latest first. */
export const jobs = queryOptions({
  queryKey: ['jobs'],
  queryFn: async ({ signal }) =>
    (await send<readonly Resource[]>('GET', `job?${query({ sort: '-id', 'page[limit]': SHOWN })}`, undefined, signal)).data.map(jobIn),
  refetchInterval: ({ state }) => (state.data?.some(goesOn) ? LOOK : false),
  staleTime: 0,
})

/** Asks for a job; the list of jobs is read anew. */
export async function beginJob(kind: Job['kind'], table: number | undefined, input: object): Promise<string> {
  const attributes = { kind, ...(table !== undefined && { table_id: table }), input }
  const { data } = await send<Resource>('POST', 'job', { data: { type: 'job', attributes } })
  void queries.invalidateQueries({ queryKey: jobs.queryKey })
  return data.id
}

/** Cancels a job, or takes one that has ended out of the list. One that is gone already is no fault. */
export async function endJob(id: string): Promise<void> {
  try {
    // It may have ended since the list was read.
    if (!batches.has(id)) await readJob(id)
    await send('DELETE', `job/${encodeURIComponent(id)}`)
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error
  }
  await Promise.all([queries.invalidateQueries({ queryKey: jobs.queryKey }), queries.invalidateQueries({ queryKey: ['job', id] })])
}

/** The addresses of files that a job makes. */
export const errorsOf = (id: string): string => `/api/dev/job/${encodeURIComponent(id)}/errors`
export const resultOf = (id: string): string => `/api/dev/job/${encodeURIComponent(id)}/result`

/** Every record has an id. */
const ALL = 'gte(id,1)'

/** Gives all records of a filter one value, or moves them to the trash; `filter` undefined: all of the table. */
export const beginBulk = (table: string, filter: string | undefined, act: 'delete' | Readonly<Record<string, string>>): Promise<string> =>
  beginJob('bulk', Number(table), {
    filter: filter || ALL,
    ...(act === 'delete' ? { action: 'delete' } : { action: 'update', attributes: act }),
  })

/** The batch of a job that has ended, unless it was undone as a whole; null: there is none. @throws ApiError `STILL_RUNS` */
export async function batchOfJob(id: string): Promise<number | null> {
  const now = await readJob(id).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404 && batches.has(id)) return undefined
    throw error
  })
  if (now && goesOn(now)) throw new ApiError(409, STILL_RUNS, 'The job still runs: it can be undone when it has ended.')
  const batch = now ? now.batch_id : batches.get(id)!
  if (batch === null) return null
  const found = await send<Resource>('GET', `batch/${batch}`)
  return found.data.attributes['undone_by'] === null ? batch : null
}

export interface Undone {
  readonly records: number
  readonly conflicts: number
  /** By which it was taken back; null: nothing has changed. */
  readonly batch: number | null
  /** The first of what stays as it is. */
  readonly listed: readonly Stays[]
}

/** What an undo has left as it was, and why. */
export interface Stays {
  readonly table_id: number
  readonly record_id: number
  /** null: the whole record. */
  readonly attribute: string | null
  readonly detail: string
}

/** Takes back all changes of a batch: requests of some seconds each, until it is done. @throws ApiError `batch.undone` */
export async function undoBatch(batch: number): Promise<Undone> {
  const listed: Stays[] = []
  for (;;) {
    const { meta } = (await send('POST', `batch/${batch}/undo`)) as {
      meta?: Partial<Undone> & { done?: boolean; batch_id?: number | null }
    }
    // Each request lists what it has found itself.
    listed.push(...(meta?.listed ?? []))
    if (meta?.done !== false) {
      await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' })
      return { records: meta?.records ?? 0, conflicts: meta?.conflicts ?? 0, batch: meta?.batch_id ?? null, listed }
    }
  }
}

/** What would be taken back, and what others have changed since. @throws ApiError `batch.undone` */
export async function wouldUndo(batch: number): Promise<Pick<Undone, 'records' | 'conflicts'>> {
  let [records, conflicts, before] = [0, 0, undefined as string | undefined]
  for (;;) {
    const path = `batch/${batch}/undo?${query({ dryRun: 'true', 'page[before]': before })}`
    const { meta } = (await send('POST', path)) as { meta?: { records?: number; conflicts?: number; next?: string } }
    records += meta?.records ?? 0
    conflicts += meta?.conflicts ?? 0
    before = meta?.next
    if (before === undefined) return { records, conflicts }
  }
}

/** Whether a batch was undone as a whole. */
export const isUndone = (batch: number) =>
  queryOptions({
    queryKey: ['batch', batch, 'undone'],
    queryFn: async ({ signal }) => {
      const { data } = await send<Resource>('GET', `batch/${batch}`, undefined, signal)
      return data.attributes['undone_by'] !== null
    },
    // The service counts all records of the batch for each answer.
    staleTime: 60_000,
  })

/** The tables whose records a batch changed. */
export async function tablesOfBatch(batch: number): Promise<readonly number[]> {
  const { data } = await send<Resource>('GET', `batch/${batch}`)
  return (data.attributes['tables'] ?? []) as readonly number[]
}

export type FileFormat = 'csv' | 'xlsx' | 'jsonl'

/** Which records a file has, and what of them. */
export interface Exported {
  readonly filter: string | undefined
  /** Undefined: by id. */
  readonly sort: string | undefined
  /** Attributes; undefined: all. */
  readonly fields: readonly string[] | undefined
}

/** The address of a file of records, which is sent while it is made. A CSV file is one for spreadsheets: nothing in it runs as a formula. */
export const exportOf = (table: string, format: FileFormat, { filter, sort, fields }: Exported): string =>
  `/api/dev/data${encodeURIComponent(table)}/export?${query({
    fileFormat: format,
    filter,
    sort,
    [`fields[data${table}]`]: fields?.join(','),
    forSpreadsheet: format === 'csv' ? 'true' : undefined,
  })}`

/** The same as a job, whose file is kept. */
export const beginExport = (table: string, format: FileFormat, { filter, sort, fields }: Exported): Promise<string> =>
  beginJob('export', Number(table), {
    file_format: format,
    ...(filter !== undefined && { filter }),
    ...(sort !== undefined && { sort }),
    ...(fields !== undefined && { fields }),
    ...(format === 'csv' && { for_spreadsheet: true }),
  })
