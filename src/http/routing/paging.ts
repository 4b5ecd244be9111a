import { createHash } from 'node:crypto'
import { fail } from '../../errors.ts'
import type { Key, Position } from '../../filter/position.ts'
import { BEGINNING } from '../../filter/position.ts'
import type { SortKey } from '../../filter/sort.ts'
import { limits } from '../../limits.ts'
import type { Around, Bound } from '../../store/ground/around.ts'
import { digits, pageLimit, pageOffset } from './readers.ts'
import { parameter, type Incoming, type Reader } from './route.ts'

/*
 * Which page of a list a request asks for, in one of three styles: page[offset] and page[limit] (docs/interface.md), page[number] and
 * page[size], or page[after] and page[before] with page[size] (JSON:API profile "Cursor Pagination"). page[size] alone begins a walk by cursors.
 */

const from1 = { type: 'integer', minimum: 1 }

const pageNumber: Reader<number | undefined> = parameter(
  'Number of the page, from 1; `page[size]` says how many resources a page has (default 20, at most 50).',
  from1,
  (raw) => (raw === undefined ? undefined : atLeast1(raw)),
)

const pageSize = (says: string): Reader<number | undefined> =>
  parameter(`Number of resources on a page${says}`, from1, (raw) => (raw === undefined ? undefined : atLeast1(raw)))

const cursorOf = (says: string): Reader<string | undefined> => parameter(says, { type: 'string' }, (raw) => raw)

function atLeast1(raw: string): number {
  const number = Math.min(digits(raw), Number.MAX_SAFE_INTEGER)
  if (number === 0) throw fail('parameter.invalid', { why: 'The least value is 1.' })
  return number
}

/** The parameters of a list that has pages in the styles of offsets and of numbers. */
export const numberedPages = {
  'page[offset]': pageOffset,
  'page[limit]': pageLimit,
  'page[number]': pageNumber,
  'page[size]': pageSize(', together with `page[number]`; at most 50.'),
}

/** The parameters of a list that has pages in all styles. */
export const pages = {
  ...numberedPages,
  'page[size]': pageSize(': with `page[number]` at most 50, otherwise by cursors, and at most 1,000 ([pages](../pages.md)).'),
  'page[after]': cursorOf('Cursor of a resource: the page begins behind it.'),
  'page[before]': cursorOf('Cursor of a resource: the page ends before it.'),
}

/** A page at an offset; `number`: it was asked for by its number. */
export interface PageAt {
  readonly offset: number
  readonly limit: number
  readonly number?: number
}

type Query<Names extends keyof typeof pages> = { readonly [N in Names]: ReturnType<(typeof pages)[N]> }
type Asking<Names extends keyof typeof pages = keyof typeof pages> = Pick<Incoming, 'parameters'> & { readonly query: Query<Names> }

/** @throws `page.styles_mixed`, `page.too_large` */
export function pageAt({ query, parameters }: Asking<keyof typeof numberedPages>): PageAt {
  const { 'page[number]': number, 'page[size]': size } = query
  if (number === undefined) {
    if (size !== undefined) throw fail('parameter.invalid', { why: 'It is sent together with page[number].' }, at('page[size]'))
    return { offset: query['page[offset]'], limit: query['page[limit]'] }
  }
  mustBeAlone(parameters, 'page[number]', ['page[offset]', 'page[limit]', 'page[after]', 'page[before]'])
  const limit = size ?? 20
  mustNotBeLarger(limit, limits.page.most)
  return { offset: Math.min((number - 1) * limit, Number.MAX_SAFE_INTEGER), limit, number }
}

/** Whether a request asks for a page by cursors. */
export const isAround = ({ query }: Asking): boolean =>
  query['page[after]'] !== undefined ||
  query['page[before]'] !== undefined ||
  (query['page[size]'] !== undefined && query['page[number]'] === undefined)

/** Where a page by cursors is. `most`: resources that one may have. @throws `page.styles_mixed`, `page.too_large` */
export function aroundOf({ query, parameters }: Asking, sort: readonly SortKey[], most: number): Around {
  const { 'page[after]': after, 'page[before]': before, 'page[size]': size } = query
  const by = after !== undefined ? 'page[after]' : before !== undefined ? 'page[before]' : 'page[size]'
  mustBeAlone(parameters, by, ['page[offset]', 'page[limit]', 'page[number]'])
  const used = size ?? (after !== undefined && before !== undefined ? most : 20)
  mustNotBeLarger(used, most)
  return {
    ...(after !== undefined && { after: readCursor(after, sort, 'page[after]') }),
    ...(before !== undefined && { before: readCursor(before, sort, 'page[before]') }),
    size: used,
  }
}

function mustBeAlone(parameters: Incoming['parameters'], by: string, others: readonly string[]): void {
  const other = others.find((name) => parameters.has(name))
  if (other !== undefined) throw fail('page.styles_mixed', { one: by, other }, at(other))
}

/** The profile of pages by cursors. */
export const CURSOR_PROFILE = 'https://jsonapi.org/profiles/ethanresnick/cursor-pagination'

function mustNotBeLarger(size: number, most: number): void {
  if (size > most)
    throw fail(
      'page.too_large',
      { most },
      { ...at('page[size]'), meta: { page: { maxSize: most } }, type: `${CURSOR_PROFILE}/max-size-exceeded` },
    )
}

const at = (name: string) => ({ source: { parameter: name } })

/*
 * A cursor is [the order it belongs to, a value for each sort key, the id] as JSON in base64url. It has what the service needs to find
 * the position again, so nothing is stored, and it stays valid for as long as the attributes that the list is sorted by.
 */

/** Behind the last resource. */
export const END = Buffer.from('["end"]').toString('base64url')

export const cursorText = (sort: readonly SortKey[], { keys, id }: Position): string =>
  Buffer.from(JSON.stringify([orderName(sort), ...keys.map((key) => (typeof key === 'bigint' ? String(key) : key)), id])).toString(
    'base64url',
  )

/** Tells orders apart: a field whose type was converted has another column. */
const orderName = (sort: readonly SortKey[]): string =>
  sort.length === 0
    ? ''
    : createHash('sha256')
        .update(JSON.stringify(sort.map(({ attribute: { name, column }, descending }) => [name, column, descending])))
        .digest('base64url')
        .slice(0, 6)

function readCursor(text: string, sort: readonly SortKey[], name: string): Bound {
  if (text === END) return 'end'
  const refused = (why: string) => fail('parameter.invalid', { why }, at(name))
  const [order, ...values] = parsed(text) ?? []
  const id = values.pop()
  if (typeof order !== 'string' || !Number.isSafeInteger(id) || (id as number) < 0) throw refused('It is no cursor of this service.')
  if (order !== orderName(sort) || values.length !== sort.length) throw refused('The cursor belongs to a list in another order.')
  const keys = values.map((value, i) => keyOf(value, sort[i]!))
  if (keys.includes(undefined)) throw refused('It is no cursor of this service.')
  return { keys: keys as Key[], id: id as number }
}

/** Characters of a cursor: two of the largest fit into an address. */
const LONGEST = 32_768

function parsed(text: string): readonly unknown[] | undefined {
  if (text.length > LONGEST || !/^[\w-]+$/.test(text)) return undefined
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    return Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

const LARGEST = 2n ** 63n - 1n

function keyOf(value: unknown, { attribute: { type } }: SortKey): Key | undefined {
  if (type.kind === 'choice') return Number.isSafeInteger(value) ? (value as number) : undefined
  if (type.kind === 'number') {
    const units = typeof value === 'string' && /^-?\d{1,19}$/.test(value) ? BigInt(value) : undefined
    return units !== undefined && units <= LARGEST && units >= -LARGEST ? units : undefined
  }
  if (typeof value === 'string') return isKey(value) ? value : undefined
  const { beginning, digest } = (value ?? {}) as { readonly beginning?: unknown; readonly digest?: unknown }
  const isWhole = typeof beginning === 'string' && isKey(beginning) && [...beginning].length === BEGINNING
  return isWhole && typeof digest === 'string' && /^[0-9a-f]{32}$/.test(digest) ? { beginning, digest } : undefined
}

/** Whether every engine can compare it. */
const isKey = (text: string): boolean => text.length <= 2 * BEGINNING && text.isWellFormed() && !text.includes('\0')
