import { fail, type Failure } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Incoming } from './route.ts'
import { decodeQuery } from './query.ts'
import { escaped } from './source.ts'

/*
 * The Atomic Operations of a request (JSON:API 1.1, https://jsonapi.org/ext/atomic), and the records of a PATCH of many: what is asked, in
 * one form, before it is known what the caller may do. Whether a `lid` is that of an earlier operation is checked here too.
 */

export const ATOMIC = 'https://jsonapi.org/ext/atomic'
const MEMBER = 'atomic:operations'

/** A record by its id, or by the `lid` of the operation that creates it. */
export type Reference = { readonly type: string; readonly tableId: number } & ({ readonly id: number } | { readonly lid: string })

/** Where in the document it is. */
interface Place {
  /** JSON pointer of the operation. */
  readonly at: string
  /** Of its `data`. */
  readonly dataAt: string
}

interface OfRecord extends Place {
  readonly tableId: number
  readonly data: JsonObject
  /** What those of its relationships refer to that name records by their `lid`. */
  readonly linked: ReadonlyMap<string, Linkage>
}

interface Create extends OfRecord {
  readonly act: 'create'
  readonly lid: string | undefined
  readonly upsertBy: string | undefined
}

interface Update extends OfRecord {
  readonly act: 'update'
  readonly record: Reference
}

interface Delete extends Place {
  readonly act: 'delete'
  readonly tableId: number
  readonly record: Reference
}

interface Relate extends Place {
  readonly act: 'relate'
  readonly op: Op
  readonly tableId: number
  readonly record: Reference
  readonly relationship: string
  readonly linkage: Linkage
}

export type Operation = Create | Update | Delete | Relate
type Op = 'add' | 'update' | 'remove'

/** Resource linkage: an identifier, null, or an array of identifiers. */
export type Linkage = readonly Reference[] | Reference | null

export type JsonObject = Readonly<Record<string, unknown>>

/** @throws `document.…`, `parameter.unknown`, each at its place */
export function readOperations({ body, origin, path }: Pick<Incoming, 'body' | 'origin' | 'path'>): readonly Operation[] {
  const document = object(body, 'The document', '')
  for (const name of ['data', 'included', 'errors', 'atomic:results'])
    if (Object.hasOwn(document, name)) throw invalid(name, `left out beside '${MEMBER}'`, `/${name}`)
  const sent = member(document, MEMBER, '')
  const { most } = limits.operations
  if (!Array.isArray(sent) || sent.length === 0 || sent.length > most)
    throw invalid(MEMBER, `an array of 1 to ${most} operations`, `/${MEMBER}`)
  const known: Known = new Set()
  return sent.map((one, i) => readOperation(one, `/${MEMBER}/${i}`, origin + path, known))
}

/** The changes of a PATCH of many records of one table. @throws as `readOperations` */
export function readChanges({ body }: Pick<Incoming, 'body'>, tableId: number): readonly Operation[] {
  const data = member(object(body, 'The document', ''), 'data', '')
  const { most } = limits.operations
  if (!Array.isArray(data) || data.length === 0 || data.length > most) throw invalid('data', `an array of 1 to ${most} resources`, '/data')
  return data.map((one: unknown, i): Operation => {
    const at = `/data/${i}`
    const resource = object(one, 'data', at)
    const record = readReference(resource, at, none)
    mustBeOf(record, tableId, at)
    return { act: 'update', at, dataAt: at, tableId, record, data: resource, linked: linkedOf(resource, at, none) }
  })
}

/** The (type, lid) of records that are created by earlier operations. */
type Known = Set<string>
const none: Known = new Set()
export const lidKey = (type: string, lid: string): string => `${type} ${lid}`

function readOperation(sent: unknown, at: string, base: string, known: Known): Operation {
  const operation = object(sent, 'operation', at)
  const op = member(operation, 'op', at)
  if (op !== 'add' && op !== 'update' && op !== 'remove') throw invalid('op', "'add', 'update' or 'remove'", `${at}/op`)
  const place = { at, dataAt: `${at}/data` }
  const target = targetOf(operation, at, base, known)
  if (target?.relationship !== undefined && target.record) {
    const { record, relationship, tableId } = target
    const linkage = readLinkage(member(operation, 'data', at), place.dataAt, known)
    if (op !== 'update' && !Array.isArray(linkage)) throw invalid('data', 'an array of resource identifiers', place.dataAt)
    return { ...place, act: 'relate', op, tableId, record, relationship, linkage }
  }
  if (op === 'remove') {
    if (!target?.record) throw invalid('ref', 'the record or relationship to remove, unless href is', target ? `${at}/href` : at)
    return { ...place, act: 'delete', tableId: target.tableId, record: target.record }
  }
  if (target?.upsertBy !== undefined && op !== 'add') throw unknownParameter('upsertBy', at)
  const data = object(member(operation, 'data', at), 'data', place.dataAt)
  const linked = linkedOf(data, place.dataAt, known)
  if (op === 'add') {
    if (target?.record) throw invalid('ref', 'a relationship, where something is added to a record', `${at}/${target.by}`)
    const tableId = target?.tableId ?? typeIn(data, place.dataAt).tableId
    const lid = lidOf(data, place.dataAt)
    if (lid !== undefined) define(lidKey(`data${tableId}`, lid), known, place.dataAt)
    return { ...place, act: 'create', tableId, lid, upsertBy: target?.upsertBy, data, linked }
  }
  if (target && !target.record) throw invalid('href', 'the address of a record or a relationship', `${at}/href`)
  const named = readReference(data, place.dataAt, known)
  if (target?.record) mustBeSame(named, target.record, place.dataAt)
  return { ...place, act: 'update', tableId: named.tableId, record: named, data, linked }
}

interface Target {
  readonly by: 'ref' | 'href'
  readonly tableId: number
  /** Undefined: the table. */
  readonly record: Reference | undefined
  readonly relationship: string | undefined
  readonly upsertBy: string | undefined
}

function targetOf(operation: JsonObject, at: string, base: string, known: Known): Target | undefined {
  const [ref, href] = ['ref', 'href'].map((name) => Object.hasOwn(operation, name))
  if (ref && href) throw invalid('href', "left out beside 'ref'", `${at}/href`)
  if (href) return readAddress(operation['href'], `${at}/href`, base)
  if (!ref) return undefined
  const sent = object(operation['ref'], 'ref', `${at}/ref`)
  const record = readReference(sent, `${at}/ref`, known)
  const { relationship } = sent
  if (relationship !== undefined && typeof relationship !== 'string') throw invalid('relationship', 'a string', `${at}/ref/relationship`)
  return { by: 'ref', tableId: record.tableId, record, relationship, upsertBy: undefined }
}

const ADDRESS = /^\/api\/dev\/data([1-9]\d{0,15})(?:\/([1-9]\d{0,15})(?:\/relationships\/([^/]+))?)?\/?$/

function readAddress(sent: unknown, at: string, base: string): Target {
  const url = typeof sent === 'string' && URL.canParse(sent, base) ? new URL(sent, base) : undefined
  const [, table, id, relationship] = (url?.origin === new URL(base).origin && ADDRESS.exec(url.pathname)) || []
  if (!url || table === undefined || url.hash !== '')
    throw invalid('href', 'the address of a table, a record or a relationship of this service', at)
  let upsertBy: string | undefined
  for (const [name, value] of decodeQuery(url.search.slice(1))) {
    if (name !== 'upsertBy' || id !== undefined || upsertBy !== undefined) throw unknownParameter(name, at)
    upsertBy = value
  }
  const tableId = Number(table)
  const record = id === undefined ? undefined : { type: `data${table}`, tableId, id: Number(id) }
  return { by: 'href', tableId, record, relationship, upsertBy }
}

/** Its type with its `id` or `lid`. */
function readReference(sent: JsonObject, at: string, known: Known): Reference {
  const { type, tableId } = typeIn(sent, at)
  const lid = lidOf(sent, at)
  const { id } = sent
  if (lid !== undefined) {
    if (id !== undefined) throw invalid('lid', "left out beside 'id'", `${at}/lid`)
    if (!known.has(lidKey(type, lid))) throw invalid('lid', `the lid of a record of ${type} that an earlier operation creates`, `${at}/lid`)
    return { type, tableId, lid }
  }
  if (id === undefined) throw fail('document.missing_member', { name: 'id' }, { source: { pointer: `${at}/id` } })
  const digits = typeof id === 'string' || typeof id === 'number' ? String(id) : ''
  if (!/^[1-9]\d{0,15}$/.test(digits)) throw invalid('id', 'the id of a record', `${at}/id`)
  return { type, tableId, id: Number(digits) }
}

function typeIn(sent: JsonObject, at: string): { readonly type: string; readonly tableId: number } {
  const type = member(sent, 'type', at)
  const [, digits] = (typeof type === 'string' && /^data([1-9]\d{0,15})$/.exec(type)) || []
  if (digits === undefined) throw invalid('type', "the type of records of a table, such as 'data7'", `${at}/type`)
  return { type: `data${digits}`, tableId: Number(digits) }
}

function lidOf({ lid }: JsonObject, at: string): string | undefined {
  if (lid === undefined || (typeof lid === 'string' && lid !== '')) return lid
  throw invalid('lid', 'a string', `${at}/lid`)
}

function define(key: string, known: Known, at: string): void {
  if (known.has(key)) throw invalid('lid', 'another one for each new record', `${at}/lid`)
  known.add(key)
}

function linkedOf(data: JsonObject, at: string, known: Known): ReadonlyMap<string, Linkage> {
  if (known.size === 0 || !Object.hasOwn(data, 'relationships')) return nothing
  const linked = new Map<string, Linkage>()
  for (const [name, one] of Object.entries(object(data['relationships'], 'relationships', `${at}/relationships`))) {
    if (name.startsWith('@')) continue
    const sent = typeof one === 'object' && one !== null ? (one as JsonObject)['data'] : undefined
    const hasLid = (Array.isArray(sent) ? sent : [sent]).some(
      (to) => typeof to === 'object' && to !== null && Object.hasOwn(to as object, 'lid'),
    )
    if (hasLid) linked.set(name, readLinkage(sent, `${at}/relationships/${escaped(name)}/data`, known))
  }
  return linked
}

const nothing: ReadonlyMap<string, Linkage> = new Map()

function readLinkage(sent: unknown, at: string, known: Known): Linkage {
  if (sent === null) return null
  const { most } = limits.ids
  if (!Array.isArray(sent)) return readReference(object(sent, 'data', at), at, known)
  if (sent.length > most) throw invalid('data', `an array of at most ${most} resource identifiers`, at)
  return sent.map((one, i) => readReference(object(one, 'data', `${at}/${i}`), `${at}/${i}`, known))
}

function mustBeOf({ tableId }: Reference, wanted: number, at: string): void {
  if (tableId !== wanted) throw fail('document.wrong_type', { type: `data${wanted}` }, { source: { pointer: `${at}/type` } })
}

function mustBeSame(named: Reference, target: Reference, at: string): void {
  mustBeOf(named, target.tableId, at)
  if ('id' in named && 'id' in target) {
    if (named.id !== target.id) throw fail('document.wrong_id', { id: target.id }, { source: { pointer: `${at}/id` } })
  } else if (!('lid' in named && 'lid' in target && named.lid === target.lid))
    throw invalid('lid' in named ? 'lid' : 'id', "that of 'ref'", `${at}/${'lid' in named ? 'lid' : 'id'}`)
}

function object(value: unknown, name: string, pointer: string): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid(name, 'an object', pointer)
  return value as JsonObject
}

function member(of: JsonObject, name: string, pointer: string): unknown {
  if (!Object.hasOwn(of, name)) throw fail('document.missing_member', { name }, { source: { pointer: `${pointer}/${name}` } })
  return of[name]
}

const invalid = (name: string, must: string, pointer: string): Failure =>
  fail('document.invalid_member', { name, must }, { source: { pointer } })
const unknownParameter = (name: string, at: string): Failure =>
  fail('parameter.unknown', { name: name.slice(0, 100) }, { source: { pointer: at.endsWith('/href') ? at : `${at}/href` } })
