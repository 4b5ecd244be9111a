import { tellBack, tellLost } from './connection.ts'

/* The only place that sends requests. The session is a cookie, which scripts cannot read. */

export interface Resource {
  readonly type: string
  readonly id: string
  // oxlint-disable-next-line typescript/no-explicit-any -- each type has attributes of its own
  readonly attributes: Readonly<Record<string, any>>
  readonly meta?: { readonly access?: Readonly<Record<string, boolean>> }
  readonly relationships?: Readonly<Record<string, { readonly data?: Identifier | readonly Identifier[] | null }>>
}

export interface Identifier {
  readonly type: string
  readonly id: string
}

export interface Document<Data> {
  readonly data: Data
  readonly included?: readonly Resource[]
  readonly links?: Readonly<Record<string, string | null>>
  readonly meta?: { readonly total?: number; readonly login?: string; readonly batch_id?: number | null }
  /** Of the answer, where it is of one record. */
  readonly etag?: string | undefined
}

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
  constructor(
    status: number,
    code: string,
    detail: string,
    seconds = 0,
    attributes: ReadonlyMap<string, string> = new Map(),
    meta: Readonly<Record<string, unknown>> = {},
    places: readonly Place[] = [],
  ) {
    super(detail)
    this.status = status
    this.code = code
    this.seconds = seconds
    this.attributes = attributes
    this.places = places
    this.meta = meta
  }
}

interface Place {
  readonly record: number
  readonly attribute: string
  readonly detail: string
}

const MEDIA = 'application/vnd.api+json'

/** `headers` besides those of all requests, or instead of them. @throws ApiError */
export async function send<Data>(
  method: string,
  path: string,
  body?: object,
  signal?: AbortSignal,
  headers: Readonly<Record<string, string>> = {},
): Promise<Document<Data>> {
  let answer: Response
  try {
    answer = await fetch(`/api/dev/${path}`, {
      method,
      credentials: 'same-origin',
      headers: {
        Accept: MEDIA,
        // Without it the service takes a write for one of another site.
        'X-Requested-With': 'kartoteka',
        ...(body && { 'Content-Type': body instanceof Blob ? body.type || 'application/octet-stream' : MEDIA }),
        ...headers,
      },
      ...(body && { body: body instanceof Blob ? body : JSON.stringify(body) }),
      ...(signal && { signal }),
    })
  } catch (error) {
    if (signal?.aborted) throw error
    tellLost()
    throw new ApiError(0, 'network', '')
  }
  tellBack()
  // The connection may break in the middle of an answer.
  const text = await answer.text().catch(() => {
    if (!signal?.aborted) tellLost()
    throw new ApiError(0, 'network', '')
  })
  const document = parsed(text) as Document<Data> | undefined
  if (answer.ok && document) return { ...document, etag: answer.headers.get('etag') ?? undefined }
  throw failed(answer.status, text, answer.headers.get('retry-after'))
}

/** What an answer that refuses says. */
export function failed(status: number, text: string, retryAfter: string | null): ApiError {
  const errors = (parsed(text) as { errors?: readonly Refusal[] } | undefined)?.errors ?? []
  const attributes = errors.flatMap(({ detail = '', source }) => {
    const [, name] = /^\/data\/attributes\/(\w+)/.exec(source?.pointer ?? '') ?? []
    return name === undefined ? [] : [[name, detail] as const]
  })
  const places = errors.flatMap(({ detail = '', source }) => {
    const [, record, attribute] = /^\/(?:data|atomic:operations)\/(\d+)(?:\/data)?\/attributes\/(\w+)/.exec(source?.pointer ?? '') ?? []
    return attribute === undefined ? [] : [{ record: Number(record), attribute, detail }]
  })
  const [{ code = '', detail = '', meta } = {}] = errors as readonly Refusal[]
  return new ApiError(status, code, detail, Number(retryAfter ?? 0), new Map(attributes), meta, places)
}

interface Refusal {
  readonly code?: string
  readonly detail?: string
  readonly meta?: Readonly<Record<string, unknown>>
  readonly source?: { readonly pointer?: string }
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
