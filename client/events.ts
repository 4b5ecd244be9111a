import type { Connection } from './http.ts'
import { ApiError } from './http.ts'

/** A change of a record (docs/changes.md). */
export interface Change {
  /** Its position in the log, from which `after` goes on. */
  readonly id: string
  readonly attributes: {
    readonly table_id: number
    readonly record_id: number
    readonly action: string
    readonly user_id: number
    readonly batch_id: number
    readonly made_at: string
    /** By attribute, what it held and holds; null: too long to be told here. */
    readonly changes: Readonly<Record<string, { readonly from: string | null; readonly to: string | null }>> | null
  }
}

export interface Following {
  /** Ids of tables. Default: all that the caller may read. */
  readonly tables?: readonly number[]
  readonly savedFilter?: number
  /** The id of the last change that is known: those after it are told first. Default: from now on. */
  readonly after?: string
  readonly signal?: AbortSignal
}

/** A job, as `GET /api/dev/job/<id>` shows it (docs/jobs.md). */
export interface Job {
  readonly id: string
  readonly attributes: {
    readonly kind: string
    readonly table_id: number
    readonly state: 'draft' | 'queued' | 'running' | 'done' | 'failed' | 'cancelled' | 'interrupted'
    readonly cancel_asked: boolean
    readonly done: number
    /** null: not known. */
    readonly total: number | null
    readonly result: Readonly<Record<string, unknown>> | null
    readonly error: { readonly code: string; readonly detail: string } | null
    readonly batch_id: number | null
  }
}

/**
 * A job each time it has come further, at most about once a second, and at its end, which is the last one. Where the connection ends, the job is read
 * again. @throws ApiError where it does not exist, or the service refuses it
 */
export async function* followJob(connection: Connection, id: string | number, signal?: AbortSignal): AsyncGenerator<Job, void> {
  const path = `/api/dev/job/${id}`
  let last = ''
  for await (const event of streamOf(connection, 'jobEvents=only', signal)) {
    // What happened before the stream began is not told: so the job is read where it says where it is.
    const told =
      event.name === 'job'
        ? (JSON.parse(event.data) as Job)
        : (await connection.json<{ readonly data: Job }>('GET', path, signal && { signal }).catch(endedBy(signal)))?.body.data
    const text = JSON.stringify(told?.attributes)
    if (told?.id !== String(id) || text === last) continue
    last = text
    yield told
    if (!['draft', 'queued', 'running'].includes(told.attributes.state)) return
  }
}

/** Undefined where `signal` has ended the request. */
const endedBy = (signal: AbortSignal | undefined) => (error: unknown) => {
  if (!signal?.aborted) throw error
  return undefined
}

/**
 * Changes as they happen, until the loop is left or `signal` is aborted. Where the connection ends, it is made again, and goes on where
 * it was; so it is where the service cannot answer now (429, 5xx). @throws ApiError where the service refuses it: `change.expired` (410) means that what came meanwhile is not kept any more
 */
export async function* follow(
  connection: Connection,
  { tables, savedFilter, after, signal }: Following = {},
): AsyncGenerator<Change, void> {
  const query = new URLSearchParams({
    ...(tables && { tables: tables.join(',') }),
    ...(savedFilter !== undefined && { saved_filter: String(savedFilter) }),
    ...(after !== undefined && { after }),
  })
  for await (const { name, data } of streamOf(connection, String(query), signal)) if (name === 'change') yield JSON.parse(data) as Change
}

/** The events of a stream, which is opened again where it ends. */
async function* streamOf(connection: Connection, query: string, signal: AbortSignal | undefined): AsyncGenerator<ServerEvent, void> {
  const end = new AbortController()
  const stop = () => end.abort(signal?.reason)
  signal?.addEventListener('abort', stop, { once: true })
  if (signal?.aborted) stop()
  let [last, retry] = ['', 2_000]
  try {
    for (;;) {
      try {
        const headers: Record<string, string> = last === '' ? {} : { 'Last-Event-ID': last }
        const { body } = await connection.send('GET', `/api/dev/events?${query}`, { headers, signal: end.signal })
        for await (const event of events(body!)) {
          last = event.id ?? last
          retry = event.retry ?? retry
          yield event
        }
      } catch (error) {
        if (end.signal.aborted) return
        // A proxy or a start of the service passes; what is wrong with the request, or with the answer, does not.
        if (error instanceof SyntaxError || (error instanceof ApiError && error.status < 500 && error.status !== 429)) throw error
      }
      await connection.wait(retry, end.signal).catch(() => undefined)
      if (end.signal.aborted) return
    }
  } finally {
    signal?.removeEventListener('abort', stop)
    end.abort()
  }
}

interface ServerEvent {
  readonly name: string
  readonly data: string
  readonly id?: string
  readonly retry?: number
}

/** The events of a stream (server-sent events); those without data too, since they have positions. */
async function* events(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      rest += decoder.decode(value, { stream: true })
      const blocks = rest.split('\n\n')
      rest = blocks.pop()!
      for (const block of blocks) yield eventOf(block)
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

function eventOf(block: string): ServerEvent {
  const fields = new Map<string, string>()
  for (const line of block.split('\n')) {
    const [name = '', value = ''] = line.split(/: ?(.*)/s)
    if (name !== '') fields.set(name, fields.has(name) ? `${fields.get(name)}\n${value}` : value)
  }
  const [id, retry] = [fields.get('id'), fields.get('retry')]
  return {
    name: fields.get('event') ?? '',
    data: fields.get('data') ?? '',
    ...(id !== undefined && { id }),
    ...(retry !== undefined && { retry: Number(retry) }),
  }
}
