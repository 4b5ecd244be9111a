import { fail, Failure } from '../../errors.ts'
import { likeOthers } from '../../fields/named.ts'
import { limits } from '../../limits.ts'
import type { Expression } from '../../filter/ast.ts'
import { parseLegacy } from '../../filter/legacy.ts'
import { mustFitBody, parse } from '../../filter/parse.ts'
import { BEGINNING, NOW } from '../../store/changes/follow-changes.ts'
import { parameter, type Incoming, type Reader } from './route.ts'
import { escaped, type Source } from './source.ts'

/* Reads what requests send: query parameters, the document of a write, filters, fields[…]. */

/** Text of a filter expression; an empty one is no filter. `wanted` parses it. */
export const filter: Reader<string | undefined> = parameter(
  'A [filter](../filters.md), such as `eq(status,0)`. Default: all resources.',
  { type: 'string', maxLength: limits.filter.most },
  (raw) => (raw === '' ? undefined : raw),
)

/** Text of a sort order, '' for none; filter/sort.ts reads it. */
export const sort: Reader<string> = parameter(
  'Attributes, separated by commas; `-` before an attribute means descending: `-add_time,f1`. Default: by `id`.',
  { type: 'string' },
  (raw = '') => raw,
)

/** A parameter that is a whole number. */
const whole = { type: 'integer', minimum: 0 }

export const pageOffset: Reader<number> = parameter('Number of resources to skip. Default: 0.', { ...whole, default: 0 }, (raw = '0') =>
  Math.min(digits(raw), Number.MAX_SAFE_INTEGER),
)

/** A position in the log of changes; '' for the oldest that is kept, `now` for the end of the log. Undefined: not asked for. */
export const cursor = (says: string): Reader<number | undefined> =>
  parameter(says, { type: 'string', pattern: '^(\\d+|now)?$' }, (raw) => {
    if (raw === undefined) return undefined
    return raw === '' ? BEGINNING : raw === 'now' ? NOW : Math.min(digits(raw), Number.MAX_SAFE_INTEGER)
  })

/** Ids, separated by commas; undefined: not sent. */
export const ids = (says: string): Reader<ReadonlySet<number> | undefined> =>
  parameter(says, { type: 'string', pattern: '^\\d+(,\\d+)*$' }, (raw) =>
    raw === undefined ? undefined : new Set(raw.split(',').map(digits)),
  )

/** An id; 0: not sent. */
export const id = (says: string): Reader<number> => parameter(says, whole, (raw = '0') => digits(raw))

/** A larger one becomes the largest (interface 7.2). */
export const pageLimit: Reader<number> = parameter(
  'Number of resources on a page. Default: 20. A value above 50 counts as 50; `meta.limit` shows the number that was used.',
  { ...whole, minimum: 1, default: 20 },
  (raw = '20') => {
    const limit = Math.min(digits(raw), limits.page.most)
    if (limit === 0) throw fail('parameter.invalid', { why: 'A page has at least one resource.' })
    return limit
  },
)

/** A position in the log of changes; undefined: not sent. */
export const position = (says: string): Reader<number | undefined> =>
  parameter(says, whole, (raw) => (raw === undefined ? undefined : Math.min(digits(raw), Number.MAX_SAFE_INTEGER)))

/** A number of seconds; undefined: not sent. */
export const seconds = (says: string): Reader<number | undefined> =>
  parameter(says, whole, (raw) => (raw === undefined ? undefined : digits(raw)))

/** @throws `parameter.invalid` */
export function digits(raw: string): number {
  if (!/^[0-9]+$/.test(raw)) throw fail('parameter.invalid', { why: `'${raw.slice(0, 100)}' is not a whole number of digits only.` })
  return Number(raw)
}

/** One of the words; the first where none is sent. */
export const oneOf = <const Words extends readonly [string, ...string[]]>(says: string, ...words: Words): Reader<Words[number]> =>
  parameter(says, { enum: words, default: words[0] }, (raw = words[0]) => {
    if (!words.includes(raw)) throw fail('parameter.invalid', { why: `'${raw.slice(0, 100)}' is not one of ${words.join(', ')}.` })
    return raw
  })

/** One of the words; undefined: not sent. */
export const maybeOneOf = <const Words extends readonly [string, ...string[]]>(
  says: string,
  ...words: Words
): Reader<Words[number] | undefined> =>
  parameter(says, { enum: words }, (raw) => {
    if (raw !== undefined && !words.includes(raw))
      throw fail('parameter.invalid', { why: `'${raw.slice(0, 100)}' is not one of ${words.join(', ')}.` })
    return raw
  })

/** `true` or `false`; `false` where it is not sent. */
export const flag = (says: string): Reader<boolean> =>
  parameter(says, { enum: ['false', 'true'], default: 'false' }, (raw) => readFlag(raw) === 'true')

const readFlag = oneOf('', 'false', 'true')

/** Whether a write is only tried. */
export const dryRun = flag('`true`: everything is checked, and nothing is changed. Default: `false`.')

/** Any text; undefined where it is not sent. */
export const text = (says: string): Reader<string | undefined> => parameter(says, { type: 'string' }, (raw) => raw)

/** Relationships of records to follow; resources/compound.ts reads it. */
export const includeRecords: Reader<string | undefined> = text(
  'Relationships to follow, separated by commas, with up to two steps each. The records that they lead to are in `included` ([relationships](relationships.md)).',
)

/** Words to search for; those that are missing are refused as the empty text is. */
export const searchText: Reader<string> = parameter('The words to search for.', { type: 'string' }, (raw = '') => raw)

/** The relationships that a route can include, separated by commas (JSON:API 1.1, `include`). */
export const include = (says: string, ...known: readonly string[]): Reader<ReadonlySet<string>> =>
  parameter(says, { type: 'string' }, (raw = '') => {
    const names = raw === '' ? [] : raw.split(',')
    const unknown = names.find((name) => !known.includes(name))
    if (unknown !== undefined)
      throw fail('parameter.invalid', { why: `'${unknown.slice(0, 100)}' cannot be included. Known: ${known.join(', ')}.` })
    return new Set(names)
  })

/** The filter of a request, as an expression or in its older form; undefined: everything. */
export function wanted({
  query,
  pairs,
}: {
  readonly query: { readonly filter: string | undefined }
  readonly pairs: Incoming['pairs']
}): Expression | undefined {
  const legacy = pairs.filter(([name]) => name.startsWith('filter['))
  if (query.filter === undefined) return legacy.length > 0 ? parseLegacy(legacy) : undefined
  if (legacy.length > 0)
    throw fail('parameter.invalid', { why: 'A filter expression cannot be combined with filter[…].' }, { source: { parameter: 'filter' } })
  return parse(query.filter)
}

/**
 * Runs work with the filter of a search, which is in the body as `meta.filter`, where it may be longer than in an address. Its
 * failures point there.
 */
export async function postedFilter<T>({ body }: Pick<Incoming, 'body'>, work: (filter: Expression | undefined) => Promise<T>): Promise<T> {
  const meta = object(member(object(body, 'The document', ''), 'meta', ''), 'meta', '/meta')
  const { filter: expression = '' } = meta
  if (typeof expression !== 'string') throw invalid('filter', 'a string', POSTED)
  try {
    mustFitBody(expression)
    return await work(expression === '' ? undefined : parse(expression, limits.postedFilter.most))
  } catch (error) {
    throw error instanceof Failure && error.where.expression === 'filter' ? error.at({ source: { pointer: POSTED } }) : error
  }
}

/** The state to which a record is restored: `meta.change`, and the attributes in `meta.attributes`; without these, all. */
export function readVersion({ body }: Pick<Incoming, 'body'>): {
  readonly change: number
  readonly attributes: readonly string[] | undefined
} {
  const meta = object(member(object(body, 'The document', ''), 'meta', ''), 'meta', '/meta')
  const sent = member(meta, 'change', '/meta')
  const change = typeof sent === 'string' && /^[0-9]{1,16}$/.test(sent) ? Number(sent) : sent
  if (!Number.isSafeInteger(change) || (change as number) < 1) throw invalid('change', 'the id of a change', '/meta/change')
  const { attributes } = meta
  const isList = Array.isArray(attributes) && attributes.length > 0 && attributes.length <= limits.attributes.most
  if (attributes !== undefined && !(isList && attributes.every((one) => typeof one === 'string')))
    throw invalid('attributes', `an array of at most ${limits.attributes.most} names of attributes`, '/meta/attributes')
  return { change: change as number, attributes: attributes === undefined ? undefined : [...new Set(attributes as string[])] }
}

const POSTED = '/meta/filter'

/** What `fields[<type>]` may name; `keys`: its attributes. */
export interface Names {
  has(name: string): boolean
  keys(): Iterable<string>
}

/**
 * By type, the attributes to show that `fields[<type>]` selects. `known`: the types that the route shows, with their attributes.
 * @throws for unknown types and attributes
 */
export function selection(
  { pairs }: Pick<Incoming, 'pairs'>,
  known: Readonly<Record<string, Names>>,
): ReadonlyMap<string, ReadonlySet<string>> {
  if (pairs.length === 0) return nothing
  const chosen = new Map<string, ReadonlySet<string>>()
  for (const [parameter, value] of pairs) {
    if (!parameter.startsWith('fields[')) continue
    const source = { parameter }
    const type = parameter.slice('fields['.length, -1)
    const attributes = Object.hasOwn(known, type) && parameter.endsWith(']') ? known[type] : undefined
    if (!attributes) throw fail('parameter.unknown', { name: parameter }, { source })
    const names = value === '' ? [] : value.split(',')
    const unknown = names.find((name) => !attributes.has(name))
    if (unknown !== undefined) throw fail('attribute.unknown', likeOthers(unknown, attributes.keys()), { source })
    chosen.set(type, new Set(names))
  }
  return chosen
}

const nothing: ReadonlyMap<string, ReadonlySet<string>> = new Map()

/** The attributes that `fields[<type>]` selects; all where it was not sent. */
export function pick<T>(attributes: Readonly<Record<string, T>>, names: ReadonlySet<string> | undefined): Readonly<Record<string, T>> {
  return names ? Object.fromEntries(Object.entries(attributes).filter(([name]) => names.has(name))) : attributes
}

export interface Expected {
  readonly type: string
  /** The id in the path; undefined when creating. */
  readonly id?: number
  readonly creating: boolean
  /** Whether it may have `relationships`, which `readRelationships` reads. */
  readonly relates?: true
}

/** The attributes of a document that creates or changes a resource (interface 3.6); empty where it has none. */
export function readDocument({ body }: Pick<Incoming, 'body'>, { type, id, creating, relates }: Expected): ReadonlyMap<string, unknown> {
  const data = object(member(object(body, 'The document', ''), 'data', ''), 'data', '/data')
  const sentType = member(data, 'type', '/data')
  if (typeof sentType !== 'string') throw invalid('type', 'a string', '/data/type')
  if (sentType !== type) throw fail('document.wrong_type', { type }, at('/data/type'))
  if (creating) mustHaveNoId(data)
  else if (id !== undefined) mustHaveId(data, id)
  if (!relates) mustHaveNoRelationships(data)
  const attributes = Object.hasOwn(data, 'attributes') ? object(data['attributes'], 'attributes', '/data/attributes') : {}
  const entries = membersOf(attributes)
  const { most } = limits.attributes
  if (entries.length > most) throw invalid('attributes', `an object of at most ${most} members`, '/data/attributes')
  return new Map(entries)
}

/** The relationships of a document that `readDocument` has read, by name; empty where it has none. */
export function readRelationships({ body }: Pick<Incoming, 'body'>): ReadonlyMap<string, unknown> {
  const { data } = body as { readonly data: JsonObject }
  const pointer = '/data/relationships'
  if (!Object.hasOwn(data, 'relationships')) return new Map()
  const entries = membersOf(object(data['relationships'], 'relationships', pointer))
  const { most } = limits.attributes
  if (entries.length > most) throw invalid('relationships', `an object of at most ${most} members`, pointer)
  return new Map(entries)
}

function mustHaveNoId(data: JsonObject): void {
  if (Object.hasOwn(data, 'id') && data['id'] !== null) throw fail('document.client_id', undefined, at('/data/id'))
}

function mustHaveId(data: JsonObject, id: number): void {
  const sent = member(data, 'id', '/data')
  if (typeof sent !== 'string' && typeof sent !== 'number') throw invalid('id', 'a string', '/data/id')
  if (String(sent) !== String(id)) throw fail('document.wrong_id', { id }, at('/data/id'))
}

function mustHaveNoRelationships(data: JsonObject): void {
  if (!Object.hasOwn(data, 'relationships')) return
  const [[name] = []] = membersOf(object(data['relationships'], 'relationships', '/data/relationships'))
  if (name !== undefined) throw fail('relationship.unknown', { name }, at(`/data/relationships/${escaped(name)}`))
}

type JsonObject = Readonly<Record<string, unknown>>

/** The attributes or relationships of an object: an @-member is neither (JSON:API 1.1, @-Members). */
const membersOf = (of: JsonObject): [name: string, value: unknown][] => Object.entries(of).filter(([name]) => !name.startsWith('@'))

function object(value: unknown, name: string, pointer: string): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid(name, 'an object', pointer)
  return value as JsonObject
}

function member(of: JsonObject, name: string, pointer: string): unknown {
  if (!Object.hasOwn(of, name)) throw fail('document.missing_member', { name }, at(`${pointer}/${name}`))
  return of[name]
}

const invalid = (name: string, must: string, pointer: string): Failure => fail('document.invalid_member', { name, must }, at(pointer))
const at = (pointer: string): { readonly source: Source } => ({ source: { pointer } })
