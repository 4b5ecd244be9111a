import { ApiError as Refused, Connection, JSON_API, type ErrorObject } from '../../client/http.ts'
import { tellBack, tellLost } from './connection.ts'
import type { Document, Resource } from './documents.ts'
import { noteRead } from './log-positions.ts'
import { clock, withTold } from './told-values.ts'

/* The only place that sends requests, by the typed client (client/). The session is a cookie, which scripts cannot read. */

export type { Document, Identifier, Resource } from './documents.ts'

/** An answer that refuses. `status` 0: there was no answer. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  /** Of the header Retry-After. */
  readonly seconds: number
  /** What is wrong with single attributes, by their names. */
  readonly attributes: ReadonlyMap<string, string>
  /** More about the first error, such as examples of values. */
  readonly meta: Readonly<Record<string, unknown>>
  /** What is wrong with a write of several records, whose places are counted from 0. */
  readonly places: readonly Place[]
  /** Of the first error, by which it is found in the log of the service. */
  readonly id: string
  constructor(
    status: number,
    code: string,
    detail: string,
    seconds = 0,
    attributes: ReadonlyMap<string, string> = new Map(),
    meta: Readonly<Record<string, unknown>> = {},
    places: readonly Place[] = [],
    id = '',
  ) {
    super(detail)
    this.status = status
    this.code = code
    this.seconds = seconds
    this.attributes = attributes
    this.places = places
    this.id = id
    this.meta = meta
  }
}

interface Place {
  readonly record: number
  readonly attribute: string
  readonly detail: string
}

/** A request is sent once: what is sent again, and when, is for those who ask (outbox.ts, queries.ts). */
const connection = new Connection({
  retries: 0,
  async fetch(...given) {
    const answer = await fetch(...given)
    tellBack()
    return answer
  },
})

/**
 * `headers` besides those of all requests, or instead of them. A list is as new as the stream of changes; the answer of one record
 * says what the service held then. @throws ApiError
 */
export async function send<Data>(
  method: string,
  path: string,
  body?: object,
  signal?: AbortSignal,
  headers: Readonly<Record<string, string>> = {},
): Promise<Document<Data>> {
  const type = body && { 'Content-Type': body instanceof Blob ? body.type || 'application/octet-stream' : JSON_API }
  const askedAt = clock()
  const asking = { ...(body && { body: body instanceof Blob ? body : JSON.stringify(body) }), signal }
  try {
    const answer = await connection.send(method, `/api/dev/${path}`, { ...asking, headers: { Accept: JSON_API, ...type, ...headers } })
    const text = await answer.text()
    const document = parsed(text) as Document<Data> | undefined
    if (answer.ok && document) {
      return asked(method, path, { ...document, ...headed(answer.headers), askedAt })
    }
    throw failed(answer.status, text, null)
  } catch (error) {
    if (error instanceof ApiError || signal?.aborted) throw error
    if (error instanceof Refused) throw failure(error.status, error.errors, error.retryAfter)
    // There was no answer, or the connection broke in the middle of it.
    tellLost()
    throw new ApiError(0, 'network', '')
  }
}

function headed(headers: Headers): { readonly etag?: string; readonly cursor?: number } {
  const [etag, cursor] = [headers.get('etag'), headers.get('change-cursor')]
  return { ...(etag !== null && { etag }), ...(cursor !== null && { cursor: Number(cursor) }) }
}

/** An answer, and what is known besides of what it tells. */
function asked<Data>(method: string, path: string, answer: Document<Data>): Document<Data> {
  const [, table] = /^data(\d+)\b/.exec(path) ?? []
  if (method !== 'GET') {
    const cursor = answer.cursor ?? answer.meta?.batch_id
    return typeof cursor === 'number' ? { ...answer, cursor, data: asOf(answer.data, cursor) } : answer
  }
  if (table !== undefined && answer.cursor !== undefined) noteRead(Number(table), answer.cursor)
  if (answer.etag === undefined || Array.isArray(answer.data)) return withTold(answer)
  // A version (ETag) of a record is that of what the service held.
  return answer.cursor === undefined ? answer : { ...answer, data: asOf(answer.data, answer.cursor) }
}

/** Records that have all changes up to there. */
function asOf<Data>(data: Data, cursor: number): Data {
  const marked = (one: Resource): Resource => ({ ...one, asOf: cursor })
  return (Array.isArray(data) ? (data as Resource[]).map(marked) : data && marked(data as unknown as Resource)) as Data
}

/** What an answer that refuses says. */
export function failed(status: number, text: string, retryAfter: string | null): ApiError {
  const errors = (parsed(text) as { errors?: readonly ErrorObject[] } | undefined)?.errors ?? []
  return failure(status, errors, Number(retryAfter ?? 0))
}

function failure(status: number, errors: readonly Partial<ErrorObject>[], seconds: number): ApiError {
  const attributes = errors.flatMap(({ detail = '', source }) => {
    const [, name] = /^\/data\/attributes\/(\w+)/.exec(source?.pointer ?? '') ?? []
    return name === undefined ? [] : [[name, detail] as const]
  })
  const places = errors.flatMap(({ detail = '', source }) => {
    const [, record, attribute] = /^\/(?:data|atomic:operations)\/(\d+)(?:\/data)?\/attributes\/(\w+)/.exec(source?.pointer ?? '') ?? []
    return attribute === undefined ? [] : [{ record: Number(record), attribute, detail }]
  })
  const [{ id, code = '', detail = '', meta } = {}] = errors
  return new ApiError(status, code, detail, seconds, new Map(attributes), meta, places, id)
}

/** A proxy may answer with a page of its own. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A value in the query part of an address. */
export const query = (parameters: Readonly<Record<string, string | number | undefined>>): string =>
  Object.entries(parameters)
    .flatMap(([name, value]) => (value === undefined || value === '' ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(value)}`]))
    .join('&')

/** The cursor of a page that a link leads to; undefined: it leads nowhere. */
export const cursorOf = (link: string | null | undefined, side: 'after' | 'before'): string | undefined =>
  (link && new URL(link).searchParams.get(`page[${side}]`)) || undefined
