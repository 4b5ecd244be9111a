import { fail, Failure, Failures } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { grant, type Granted, type View } from '../../store/model/access.ts'
import type { Relationship } from '../../store/model/relationships.ts'
import type { ShownRecord } from '../../store/model/record.ts'
import type { SentAttributes } from '../../store/model/sent.ts'
import { turns } from '../../store/scheduling/others-turn.ts'
import { inlineBytes } from '../../store/records/left.ts'
import { heldReferences } from '../../store/records/held-references.ts'
import { prepareUpsert, type Upserting } from '../../store/records/upsert-record.ts'
import { prepareCreate, prepareDelete, prepareUpdate, type PreparedWrite, type RecordId } from '../../store/records/write-records.ts'
import type { Transaction } from '../../store/ground/db.ts'
import { resource, type AtomicResult, type ResourceObject } from '../answers/jsonapi.ts'
import { lidKey, type JsonObject, type Linkage, type Operation, type Reference } from '../routing/operations.ts'
import { readDocument, readRelationships } from '../routing/readers.ts'
import type { Incoming } from '../routing/route.ts'
import { escaped, sourceOf } from '../routing/source.ts'
import { sentFromDocument, typeOf } from './record.ts'
import { changedLinkage, mustBeWritable, notWritten, pointedAt, relationshipName, relationshipNamed, textOf } from './relationship.ts'
import { withRelationships } from './sent-relationships.ts'
import { mayUpsert, upsertField } from './upsert.ts'

/*
 * The writes of several records by one request. First the rights of all operations are checked, then each is prepared; what depends on
 * records that operations before it create is filled in within the transaction. A failure names its operation.
 */

type Asking = Pick<Incoming, 'store' | 'caller' | 'catalogue'>

/** What the caller may do in an operation, by what it does. */
type Rights =
  | { readonly act: 'create'; readonly granted: Granted<'create'> }
  | { readonly act: 'upsert'; readonly upserting: Upserting }
  | { readonly act: 'update'; readonly granted: Granted<'update' | 'read'> }
  | { readonly act: 'delete'; readonly granted: Granted<'delete'> }

export interface AllowedOperation {
  readonly operation: Operation
  readonly rights: Rights
}

/** The table as the answer shows it. */
const viewIn = (rights: Rights): View => (rights.act === 'upsert' ? (rights.upserting.create ?? rights.upserting.update)! : rights.granted)

/** @throws `table.not_found`, `access.denied`, each at the first operation that the caller may not do; more than one record of a table takes the right `bed` */
export function mayDoAll({ caller, catalogue }: Asking, operations: readonly Operation[]): readonly AllowedOperation[] {
  const records = new Map<number, Set<unknown>>()
  return operations.map((operation) =>
    inPlace(operation, () => {
      const { act, tableId } = operation
      const rights = ((): Rights => {
        if (act === 'delete') return { act, granted: grant('delete', tableId, caller, catalogue) }
        if (act !== 'create') return { act: 'update', granted: grant(['update', 'read'], tableId, caller, catalogue) }
        if (operation.upsertBy === undefined) return { act, granted: grant('create', tableId, caller, catalogue) }
        return { act: 'upsert', upserting: mayUpsert(tableId, caller, catalogue) }
      })()
      const those = records.get(tableId) ?? new Set()
      records.set(tableId, those.add(recordKey(operation)))
      if (those.size > 1) grant('bulk', tableId, caller, catalogue)
      return { operation, rights }
    }),
  )
}

/** The same for operations on the same record; each new record has its own. */
function recordKey(operation: Operation): unknown {
  if (operation.act === 'create') return operation.lid ?? operation
  return 'id' in operation.record ? operation.record.id : operation.record.lid
}

/** The writes of the operations, each with its result. */
export async function prepareAll(request: Asking, allowed: readonly AllowedOperation[]): Promise<PreparedWrite<AtomicResult>[]> {
  const turn = turns()
  const lids = new Map<string, number>()
  const results = shownResults()
  const writes: PreparedWrite<AtomicResult>[] = []
  for (const [i, { operation, rights }] of allowed.entries()) {
    const preparing = { request, lids, show: (record: ShownRecord) => results.show(viewIn(rights), record) }
    const { apply, ...write } = await inPlaceLater(operation, () => prepare(preparing, operation, rights))
    const again = (tx: Transaction) => {
      // The transaction may run again.
      if (i === 0) {
        results.begin()
        if (request.caller.batch) request.caller.batch.id[0] = 0
      }
      return inPlaceLater(operation, () => apply(tx))
    }
    writes.push({ ...write, apply: again })
    await turn()
  }
  return writes
}

/** The kept results of operations, without the attributes that do not exist for the caller any more. */
export const resultsAgain = (allowed: readonly AllowedOperation[], results: readonly AtomicResult[]): AtomicResult[] =>
  results.map((result, i) => {
    if (!result.data) return result
    const view = viewIn(allowed[i]!.rights)
    const attributes = Object.entries(result.data.attributes ?? {}).filter(([name]) => view.attributes.has(name))
    return { ...result, data: { ...result.data, attributes: Object.fromEntries(attributes) } }
  })

/** Shows records as results. Long values are left out, and from a number of bytes on all attributes. */
function shownResults() {
  let bytes = 0
  return {
    begin: () => void (bytes = 0),
    show(view: View, { id, attributes }: ShownRecord): ResourceObject {
      const longest = inlineBytes(view.attributes)
      const shown: Record<string, string> = {}
      let own = 0
      for (const [name, value] of Object.entries(attributes)) {
        if (typeof value !== 'string') continue
        const length = Buffer.byteLength(value)
        if (length > longest) continue
        shown[name] = value
        own += length
      }
      bytes += own
      return resource(typeOf(view), id, bytes <= limits.operationResults.most ? shown : {})
    },
  }
}

interface Preparing {
  readonly request: Asking
  /** Ids of records that operations have created, by type and lid. */
  readonly lids: Map<string, number>
  readonly show: (record: ShownRecord) => ResourceObject
}

async function prepare(preparing: Preparing, operation: Operation, rights: Rights): Promise<PreparedWrite<AtomicResult>> {
  const { store } = preparing.request
  if (rights.act === 'delete') {
    const { record } = operation as Extract<Operation, { readonly act: 'delete' }>
    return giving(prepareDelete(store, rights.granted, idOf(preparing, record)), () => ({}))
  }
  if (operation.act === 'relate') return prepareRelating(preparing, operation, rights)
  return prepareRecord(preparing, operation as RecordOperation, rights)
}

type RecordOperation = Extract<Operation, { readonly act: 'create' | 'update' }>
type Linked = RecordOperation['linked']
type Changing = Exclude<Rights, { readonly act: 'delete' }>

async function prepareRecord(preparing: Preparing, operation: RecordOperation, rights: Changing): Promise<PreparedWrite<AtomicResult>> {
  const { request, lids, show } = preparing
  const { store } = request
  const view = viewIn(rights)
  const type = typeOf(view)
  const links = [...operation.linked].map(([name, linkage]) => linkOf(view, name, linkage, `/data/relationships/${escaped(name)}`))
  const document = { body: { data: without(operation.data, operation.linked) } }
  const attributes = sentFromDocument(view, readDocument(document, { type, creating: operation.act === 'create', relates: true }))
  const twice = links.find(({ relationship }) => attributes.has(relationship.field.name))
  if (twice) throw contradicts(twice)
  const id = operation.act === 'update' && 'id' in operation.record ? operation.record.id : undefined
  const { sent, pointers } = await withRelationships(request, view, attributes, readRelationships(document), id)
  const later =
    links.length === 0 ? undefined : async (): Promise<SentAttributes> => new Map(links.map((one) => valueOf(one, idsOf(preparing, one))))
  const about = new Map([...pointers, ...links.map(({ relationship, pointer }) => [relationship.field.name, pointer] as const)])
  if (rights.act === 'update' && operation.act === 'update') {
    const updating = await prepareUpdate(store, rights.granted, idOf(preparing, operation.record), sent, { later })
    return giving(updating, (record) => ({ data: show(record) }), about)
  }
  const { lid, upsertBy } = operation as Extract<Operation, { readonly act: 'create' }>
  const shown = (record: ShownRecord): ResourceObject => {
    if (lid !== undefined) lids.set(lidKey(type, lid), record.id)
    return show(record)
  }
  if (rights.act === 'upsert') {
    const upserting = await prepareUpsert(store, rights.upserting, upsertField(rights.upserting, upsertBy!), sent, later)
    return giving(upserting, ({ record, created }) => ({ data: shown(record), meta: { created } }), about)
  }
  const creating = await prepareCreate(store, rights.granted as Granted<'create'>, sent, { later })
  return giving(creating, (record) => ({ data: shown(record) }), about)
}

async function prepareRelating(
  preparing: Preparing,
  operation: Extract<Operation, { readonly act: 'relate' }>,
  rights: Changing,
): Promise<PreparedWrite<AtomicResult>> {
  const { store } = preparing.request
  const { granted } = rights as Extract<Rights, { readonly act: 'update' }>
  const { op, linkage, record } = operation
  const link = linkOf(granted, operation.relationship, linkage, undefined)
  const { relationship } = link
  mustBeWritable(granted, relationship)
  if (op !== 'update' && !relationship.isToMany)
    throw invalid('op', `'update', since '${operation.relationship}' leads to one record`, undefined)
  const id = idOf(preparing, record)
  const later = async (tx: Transaction): Promise<SentAttributes> => {
    const named = idsOf(preparing, link)
    const held = op === 'update' ? [] : await heldReferences(store, tx, relationship.field, typeof id === 'number' ? id : id())
    return new Map([valueOf(link, changedLinkage(op, held, named))])
  }
  return giving(await prepareUpdate(store, granted, id, new Map(), { later }), () => ({}), new Map([[relationship.field.name, '/data']]))
}

/** `about`: pointers to what sets fields otherwise than by their attributes. */
const giving = <T>(
  { apply, ...write }: PreparedWrite<T>,
  result: (done: T) => AtomicResult,
  about: ReadonlyMap<string, string> = new Map(),
): PreparedWrite<AtomicResult> => ({ ...write, apply: async (tx) => result(await pointedAt(about, () => apply(tx))) })

/** What a relationship is to lead to. */
interface Link {
  readonly relationship: Relationship
  readonly to: readonly Reference[]
  /** Of the linkage in the document of the record. */
  readonly pointer: string
}

/** `pointer`: of the relationship in the document; undefined: the operation is about the relationship. @throws `relationship.…`, `document.…` */
function linkOf(view: View, name: string, linkage: Linkage, pointer: string | undefined): Link {
  const relationship = relationshipNamed(view, name)
  const here = pointer === undefined ? {} : { source: { pointer } }
  if (!relationship) throw fail('relationship.unknown', notWritten(view, name), here)
  if (relationship.isInverse) throw fail('relationship.read_only', { name }, here)
  const { isToMany, tableId } = relationship
  const at = pointer === undefined ? '/data' : `${pointer}/data`
  if (isToMany !== Array.isArray(linkage))
    throw invalid('data', isToMany ? 'an array of resource identifiers' : 'a resource identifier or null', at)
  const to = Array.isArray(linkage) ? (linkage as readonly Reference[]) : linkage === null ? [] : [linkage as Reference]
  const wrong = to.findIndex((one) => one.tableId !== tableId)
  if (wrong >= 0)
    throw fail('document.wrong_type', { type: `data${tableId}` }, { source: { pointer: `${at}${isToMany ? `/${wrong}` : ''}/type` } })
  return { relationship, to, pointer: at }
}

/** The resource without these relationships. */
function without(data: JsonObject, linked: Linked): JsonObject {
  if (linked.size === 0) return data
  const { relationships, ...rest } = data as JsonObject & { readonly relationships: object }
  return { ...rest, relationships: Object.fromEntries(Object.entries(relationships).filter(([name]) => !linked.has(name))) }
}

const contradicts = ({ relationship, pointer }: Link): Failure =>
  fail(
    'relationship.contradicts',
    { name: relationshipName(relationship), attribute: relationship.field.name },
    { source: { pointer: pointer.slice(0, -'/data'.length) } },
  )

const idsOf = ({ lids }: Preparing, { to }: Link): string[] => [
  ...new Set(to.map((one) => String('id' in one ? one.id : lids.get(lidKey(one.type, one.lid))))),
]

const valueOf = ({ relationship }: Link, ids: readonly string[]) => [relationship.field.name, textOf(relationship, ids)] as const

const idOf = ({ lids }: Preparing, record: Reference): RecordId =>
  'id' in record ? record.id : () => lids.get(lidKey(record.type, record.lid))!

const invalid = (name: string, must: string, pointer: string | undefined): Failure =>
  fail('document.invalid_member', { name, must }, pointer === undefined ? {} : { source: { pointer } })

function inPlace<T>(operation: Operation, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw placed(operation, error)
  }
}

async function inPlaceLater<T>(operation: Operation, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw placed(operation, error)
  }
}

/** What was thrown, at the place of the operation in the document. */
function placed(operation: Operation, error: unknown): unknown {
  const at = (failure: Failure) => (failure.status < 500 ? failure.at({ source: { pointer: pointerOf(operation, failure) } }) : failure)
  if (error instanceof Failures) return new Failures(error.failures.map(at))
  return error instanceof Failure ? at(error) : error
}

function pointerOf({ at, dataAt }: Operation, { where }: Failure): string {
  const { pointer, parameter } = sourceOf(where) ?? {}
  if (pointer !== undefined) return dataAt + pointer.slice('/data'.length)
  return parameter === undefined ? at : `${at}/href`
}
