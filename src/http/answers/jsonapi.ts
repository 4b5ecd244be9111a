import { ATOMIC } from '../routing/operations.ts'
import { CURSOR_PROFILE } from '../routing/paging.ts'
import type { Incoming, Reply } from '../routing/route.ts'

/* The envelopes of docs/interface.md (chapters 3 and 7) and of JSON:API 1.1. */

export const MEDIA_TYPE = 'application/vnd.api+json'
export const ATOMIC_TYPE = `${MEDIA_TYPE};ext="${ATOMIC}"`
const CURSOR_TYPE = `${MEDIA_TYPE};profile="${CURSOR_PROFILE}"`
const jsonapi = { version: '1.1' }

/** A resource object; `id` is numeric text. */
export interface ResourceObject {
  readonly type: string
  readonly id: string
  readonly attributes?: Readonly<Record<string, unknown>>
  readonly relationships?: Readonly<Record<string, unknown>>
  /** `self` is relative, starting with /api/dev/. */
  readonly links: Readonly<Record<string, string>>
  readonly meta?: Readonly<Record<string, unknown>>
}

export interface Identifier {
  readonly type: string
  readonly id: string
}

export interface Page {
  readonly offset: number
  readonly limit: number
  /** From 1, where the page was asked for by its number. */
  readonly number?: number
}

interface OneOptions {
  /** Default: 200. A 201 carries the Location of the resource. */
  readonly status?: 200 | 201
  readonly headers?: Readonly<Record<string, string>>
  readonly included?: readonly ResourceObject[]
}

export function resource(
  type: string,
  id: number,
  attributes: ResourceObject['attributes'],
  meta?: ResourceObject['meta'],
): ResourceObject {
  const links = { self: `/api/dev/${type}/${id}` }
  return { type, id: String(id), ...(attributes && { attributes }), links, ...(meta && { meta }) }
}

/** The document of a single resource. */
export function one(data: ResourceObject, { status = 200, headers, included }: OneOptions = {}): Reply {
  const body = included ? { data, included, jsonapi } : { data, jsonapi }
  if (status === 201) return { status, body, headers: { Location: data.links['self']!, ...headers } }
  return headers ? { status, body, headers } : { status, body }
}

/** The document of several resources that were changed together. `batch`: of their changes; undefined: nothing was changed. */
export const many = (data: readonly ResourceObject[], batch: number | undefined): Reply => ({
  status: 200,
  body: { data, meta: { batch_id: batch ?? null }, jsonapi },
})

/** The document of a job that does what was asked for. */
export const accepted = (data: ResourceObject): Reply => ({
  status: 202,
  body: { data, jsonapi },
  headers: { Location: data.links['self']! },
})

/** Some of the resources that were found, and what is known of all. */
export const found = (data: readonly ResourceObject[], meta: Readonly<Record<string, unknown>>): Reply => ({
  status: 200,
  body: { data, meta, jsonapi },
})

/** What an atomic operation gives (https://jsonapi.org/ext/atomic, result objects). */
export interface AtomicResult {
  readonly data?: ResourceObject
  readonly meta?: Readonly<Record<string, unknown>>
}

/** `batch`: of the changes; null: nothing was changed. */
export const atomicResults = (results: readonly AtomicResult[], batch: number | null): Reply => ({
  status: 200,
  headers: { 'Content-Type': ATOMIC_TYPE },
  body: { 'atomic:results': results, meta: { batch_id: batch }, jsonapi },
})

/** A page of a list, with its links (interface 7.9 to 7.15). */
export function list(
  request: Pick<Incoming, 'origin' | 'path' | 'pairs'>,
  data: readonly (ResourceObject | Identifier)[],
  page: Page,
  total: number,
  included?: readonly ResourceObject[],
): Reply {
  const { offset, limit, number } = page
  const meta =
    number === undefined ? { offset, limit: String(limit), total } : { number, size: limit, pages: Math.ceil(total / limit), total }
  const links = number === undefined ? pageLinks(request, page, total) : numberedLinks(request, { number, limit }, total)
  return { status: 200, body: { data, ...(included && { included }), links, meta, jsonapi } }
}

/** Where a relationship leads: one resource or identifier, or null. `links`: besides `self`. */
export const related = (
  request: Pick<Incoming, 'origin' | 'path' | 'pairs'>,
  data: ResourceObject | Identifier | null,
  {
    included,
    links = {},
  }: { readonly included?: readonly ResourceObject[] | undefined; readonly links?: Readonly<Record<string, string>> },
): Reply => ({
  status: 200,
  body: { data, ...(included && { included }), links: { self: address(request, request.pairs), ...links }, jsonapi },
})

/** The same document with more links. */
export function withLinks(reply: Reply, links: Readonly<Record<string, string>>): Reply {
  const body = reply.body as { readonly links: Readonly<Record<string, string>> }
  return { ...reply, body: { ...body, links: { ...body.links, ...links } } }
}

/** What came after a cursor. `links.next`, which is always there, asks for what comes next. `more`: whether some of it may be there already. */
export function followed(
  request: Pick<Incoming, 'origin' | 'path' | 'pairs'>,
  data: readonly ResourceObject[],
  { cursor, more }: { readonly cursor: number; readonly more: boolean },
): Reply {
  const others = request.pairs.filter(([name]) => name !== 'page[after]')
  const next = address(request, [...others, ['page[after]', String(cursor)]])
  const links = { self: address(request, request.pairs), next }
  return { status: 200, body: { data, links, meta: { cursor: String(cursor), more }, jsonapi } }
}

/** A list without pages. */
export function whole(request: Pick<Incoming, 'origin' | 'path' | 'pairs'>, data: readonly ResourceObject[]): Reply {
  return { status: 200, body: { data, links: { self: address(request, request.pairs) }, meta: { total: data.length }, jsonapi } }
}

/** A document without data. */
export const done = (meta: Readonly<Record<string, unknown>> = {}): Reply => ({ status: 200, body: { meta, jsonapi } })

/** The document of the entry point: links, and the `meta` that a document without `data` must have. */
export const entryPoint = (links: Readonly<Record<string, string>>, meta: Readonly<Record<string, unknown>>): Reply => ({
  status: 200,
  body: { links, meta, jsonapi },
})

/** The document of an error. */
export const errorDocument = (errors: readonly Readonly<Record<string, unknown>>[]) => ({ errors, jsonapi })

const [LIMIT, OFFSET] = ['page[limit]', 'page[offset]']

/** Each parameter is encoded once: the links have most of them in common. */
function pageLinks(request: Linking, { offset, limit }: Page, total: number): Record<string, string> {
  const base = request.origin + request.path
  const sorted = [...request.pairs]
    .sort(byName)
    .map(([name, value]) => ({ name, text: encoded([name, name === LIMIT ? String(limit) : value]) }))
  const between = (after: string, before: string) =>
    sorted.filter(({ name }) => name > after && name < before).map(({ text }) => `${text}&`)
  const start = [...between('', LIMIT), encoded([LIMIT, String(limit)]), '&', ...between(LIMIT, OFFSET), encoded([OFFSET, ''])].join('')
  const end = sorted.map(({ name, text }) => (name > OFFSET ? `&${text}` : '')).join('')
  const at = (first: number) => `${base}?${start}${first}${end}`
  const last = total === 0 ? 0 : Math.floor((total - 1) / limit) * limit
  return {
    self: sorted.length === 0 ? base : `${base}?${sorted.map(({ text }) => text).join('&')}`,
    ...(offset > 0 && { first: at(0), prev: at(Math.max(0, Math.min(offset - limit, last))) }),
    ...(offset + limit < total && { next: at(offset + limit) }),
    last: at(last),
  }
}

function numberedLinks(
  request: Linking,
  { number, limit }: Pick<Required<Page>, 'number' | 'limit'>,
  total: number,
): Record<string, string> {
  const last = Math.max(1, Math.ceil(total / limit))
  const to = (page: number) => pageAddress(request, [['page[number]', String(page)], ['page[size]', String(limit)]]) // prettier-ignore
  return {
    self: address(request, request.pairs),
    ...describedBy(request),
    first: to(1),
    ...(number > 1 && { prev: to(Math.min(number - 1, last)) }),
    ...(number < last && { next: to(number + 1) }),
    last: to(last),
  }
}

/** A page that begins or ends at a cursor. `cursors`: of the resources. `more`: whether there are more in the direction of reading. */
export interface CursorPage {
  readonly after: string | undefined
  readonly before: string | undefined
  readonly size: number
  readonly cursors: readonly string[]
  readonly more: boolean
  /** The cursor behind the last resource of the list. */
  readonly end: string
}

/** A page by cursors: JSON:API profile "Cursor Pagination", which the media type names. */
export function around(
  request: Linking,
  data: readonly (ResourceObject | Identifier)[],
  page: CursorPage,
  included?: readonly ResourceObject[],
): Reply {
  const { after, before, more, cursors } = page
  const items = data.map((one, i) => ({ ...one, meta: { ...('meta' in one && one.meta), page: { cursor: cursors[i]! } } }))
  const truncated = after !== undefined && before !== undefined && more
  const meta = { page: truncated ? { rangeTruncated: true } : {} }
  const links = { self: address(request, request.pairs), ...describedBy(request), ...cursorLinks(request, page) }
  const headers = { 'Content-Type': CURSOR_TYPE }
  return { status: 200, headers, body: { data: items, ...(included && { included }), links, meta, jsonapi } }
}

/** `prev` and `next` are always there; null where it is known that nothing is there. */
function cursorLinks(request: Linking, { after, before, size, cursors, more, end }: CursorPage): Record<string, string | null> {
  const to = (...bound: (readonly [string, string])[]) => pageAddress(request, [...bound, ['page[size]', String(size)]])
  const first = to()
  const last = to(['page[before]', end])
  const [begin, behind] = [cursors[0], cursors.at(-1)]
  const backwards = before !== undefined && after === undefined
  const prev = begin === undefined ? (after === undefined ? null : last) : to(['page[before]', begin])
  const next = behind === undefined ? (before === undefined ? null : first) : to(['page[after]', behind])
  const isFirst = after === undefined && (!backwards || !more)
  const isLast = before === undefined ? !more : before === end && (backwards || !more)
  return { first, last, prev: isFirst ? null : prev, next: isLast ? null : next }
}

/** The schema of what a list has: of the records of one table, or the description of the whole interface. None for relationships. */
function describedBy({ origin, path }: Linking): { readonly describedby?: string } {
  const [, table, deeper] = /^\/api\/dev\/data(\d+)(?:\/search)?(\/.*)?$/.exec(path) ?? []
  if (deeper !== undefined) return {}
  return { describedby: origin + (table === undefined ? '/api/dev/openapi.json' : `/api/dev/schema/data${table}`) }
}

type Linking = Pick<Incoming, 'origin' | 'path' | 'pairs'>

/** The address of another page of the same list. */
const pageAddress = (request: Linking, page: Incoming['pairs']): string =>
  address(request, [...request.pairs.filter(([name]) => !name.startsWith('page[')), ...page])

/** An absolute address with its parameters sorted by name. */
export function address({ origin, path }: Pick<Incoming, 'origin' | 'path'>, pairs: Incoming['pairs']): string {
  if (pairs.length === 0) return origin + path
  return `${origin}${path}?${[...pairs].sort(byName).map(encoded).join('&')}`
}

type Pair = Incoming['pairs'][number]
const byName = ([one]: Pair, [other]: Pair): number => (one < other ? -1 : Number(one > other))
const encoded = ([name, value]: Pair): string => `${percentEncode(name)}=${percentEncode(value)}`

/** Percent-encodes every byte of the UTF-8 form except A–Z a–z 0–9 - . _ ~. */
export const percentEncode = (text: string): string => encodeURIComponent(text).replace(/[!'()*]/g, (character) => ESCAPES[character]!)

/** Of what encodeURIComponent leaves as it is. */
const ESCAPES: Readonly<Record<string, string>> = { '!': '%21', "'": '%27', '(': '%28', ')': '%29', '*': '%2A' }
