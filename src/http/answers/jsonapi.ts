import type { Incoming, Reply } from '../routing/route.ts'

/* The envelopes of docs/interface.md (chapters 3 and 7) and of JSON:API 1.1. */

export const MEDIA_TYPE = 'application/vnd.api+json'
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

export interface Page {
  readonly offset: number
  readonly limit: number
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

/** A page of a list, with its links (interface 7.9 to 7.15). */
export function list(
  request: Pick<Incoming, 'origin' | 'path' | 'pairs'>,
  data: readonly ResourceObject[],
  page: Page,
  total: number,
): Reply {
  const meta = { offset: page.offset, limit: String(page.limit), total }
  return { status: 200, body: { data, links: pageLinks(request, page, total), meta, jsonapi } }
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

function pageLinks(request: Pick<Incoming, 'origin' | 'path' | 'pairs'>, { offset, limit }: Page, total: number): Record<string, string> {
  const others = request.pairs.filter(([name]) => name !== 'page[offset]' && name !== 'page[limit]')
  const at = (start: number) => address(request, [...others, ['page[offset]', String(start)], ['page[limit]', String(limit)]])
  const last = total === 0 ? 0 : Math.floor((total - 1) / limit) * limit
  const sent = request.pairs.map(([name, value]) => (name === 'page[limit]' ? ([name, String(limit)] as const) : ([name, value] as const)))
  return {
    self: address(request, sent),
    ...(offset > 0 && { first: at(0), prev: at(Math.max(0, Math.min(offset - limit, last))) }),
    ...(offset + limit < total && { next: at(offset + limit) }),
    last: at(last),
  }
}

/** An absolute address with its parameters sorted by name. */
export function address({ origin, path }: Pick<Incoming, 'origin' | 'path'>, pairs: Incoming['pairs']): string {
  if (pairs.length === 0) return origin + path
  const sorted = [...pairs].sort(([a], [b]) => (a < b ? -1 : Number(a > b)))
  return `${origin}${path}?${sorted.map(([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`).join('&')}`
}

/** Percent-encodes every byte of the UTF-8 form except A–Z a–z 0–9 - . _ ~. */
export const percentEncode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
