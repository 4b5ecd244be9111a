import { fail, Failure } from '../../errors.ts'
import { parseValue } from '../../fields/value.ts'
import { limits } from '../../limits.ts'
import { grant, type Granted, type View } from '../../store/model/access.ts'
import type { ShownRecord } from '../../store/model/record.ts'
import type { Relationship } from '../../store/model/relationships.ts'
import type { Sent, SentAttributes } from '../../store/model/sent.ts'
import { getRecord } from '../../store/records/read-records.ts'
import { wireText } from '../../store/records/record-values.ts'
import { referencesOf, shownAmong } from '../../store/records/related-records.ts'
import { idsOfReferring, type Linked } from '../../store/records/referring-records.ts'
import type { Incoming } from '../routing/route.ts'
import { escaped } from '../routing/source.ts'
import { notWritten, pointedAt, relationshipNamed, sentIds, textOf } from './relationship.ts'

/*
 * `relationships` in the document of a record (JSON:API 1.1). One that is sent as the caller was shown it
 * changes nothing, so a record that was read with `include` can be sent back; another one sets its field, like its attribute.
 */

/** Errors of documents with `relationships`. */
export const failsOfRelationships = [
  'relationship.unknown',
  'relationship.read_only',
  'relationship.partial',
  'relationship.contradicts',
  'include.too_many',
] as const

/** What a document sets, and by field the pointer of the relationship that sets it. */
export interface SentRecord {
  readonly sent: SentAttributes
  readonly pointers: ReadonlyMap<string, string>
}

type Asking = Pick<Incoming, 'store'>

interface Reading {
  readonly store: Incoming['store']
  readonly granted: View
  readonly attributes: SentAttributes
  /** The record that is changed; undefined on create. Read once, and only if a relationship needs it. */
  readonly record: () => Promise<ShownRecord> | undefined
  /** Relationships backwards that were compared, and ids that were looked up. */
  inverse: number
  references: number
}

/**
 * Adds to the attributes of a document what its relationships set. `id`: of the record that is changed; undefined on create.
 * @throws `relationship.…`, `document.…`, and `record.not_found` where the caller may not read the record
 */
export async function withRelationships(
  { store }: Asking,
  granted: View,
  attributes: SentAttributes,
  relationships: ReadonlyMap<string, unknown>,
  id?: number,
): Promise<SentRecord> {
  if (relationships.size === 0) return { sent: attributes, pointers: none }
  const sent = new Map<string, Sent>(attributes)
  const pointers = new Map<string, string>()
  let record: Promise<ShownRecord> | undefined
  const read = id === undefined ? () => undefined : () => (record ??= getRecord(store, mayRead(granted, granted.table.id), id))
  const reading: Reading = { store, granted, attributes, record: read, inverse: 0, references: 0 }
  for (const [name, value] of relationships) {
    const pointer = `/data/relationships/${escaped(name)}`
    const relationship = relationshipNamed(granted, name)
    if (!relationship) throw fail('relationship.unknown', notWritten(granted, name), { source: { pointer } })
    const data = dataOf(value, name, pointer)
    if (data === undefined) continue
    const ids = sentIds(data, relationship, `${pointer}/data`)
    if (relationship.isInverse) await mustBeShown(reading, relationship, ids, { name, pointer })
    else if (await setsField(reading, relationship, ids, { name, pointer })) {
      sent.set(relationship.field.name, textOf(relationship, ids))
      pointers.set(relationship.field.name, `${pointer}/data`)
    }
  }
  return { sent, pointers }
}

const none: SentRecord['pointers'] = new Map()

/** Runs a write; failures of fields that relationships set point at these. */
export const aboutRelationships = <R>({ pointers }: SentRecord, work: () => Promise<R>): Promise<R> => pointedAt(pointers, work)

const mayRead = ({ caller, catalogue }: View, tableId: number): Granted<'read'> => grant('read', tableId, caller, catalogue)

/** The linkage of a relationship object; undefined where it has links or meta only, as records show it that were not read with `include`. */
function dataOf(value: unknown, name: string, pointer: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw fail('document.invalid_member', { name: name.slice(0, 100), must: 'an object' }, { source: { pointer } })
  const { data } = value as { readonly data?: unknown }
  if (data === undefined && !Object.hasOwn(value, 'links') && !Object.hasOwn(value, 'meta'))
    throw fail('document.missing_member', { name: 'data' }, { source: { pointer: `${pointer}/data` } })
  return data
}

interface Place {
  readonly name: string
  readonly pointer: string
}

/** Whether the linkage changes the field; not if it is what the caller was shown of the field, or of the attribute that was sent with it. */
async function setsField(reading: Reading, relationship: Relationship, ids: readonly string[], place: Place): Promise<boolean> {
  const { store, attributes, record } = reading
  const { field } = relationship
  const attribute = attributes.get(field.name)
  const wanted = attribute === undefined ? undefined : idsOf(reading, relationship, attribute)
  // The write refuses the attribute.
  if (attribute !== undefined && !wanted) return false
  const present = await record()
  const held = present && ((await referencesOf(store, field, [present])).get(present.id) ?? []).map(String)
  if (held) {
    const shown = await shownOf(reading, relationship, ids, held)
    if (isSame(ids, shown?.ids ?? held)) return false
    if (shown?.more)
      throw fail('relationship.partial', { name: place.name, most: limits.page.most }, { source: { pointer: place.pointer } })
  }
  if (!wanted || (held && isSame(wanted, held))) return true
  const shown = await shownOf(reading, relationship, ids, wanted)
  if (isSame(ids, wanted) || (shown && isSame(ids, shown.ids))) return false
  throw fail('relationship.contradicts', { name: place.name, attribute: field.name }, { source: { pointer: place.pointer } })
}

/** The ids in an attribute of a document; undefined if it is no value of the field. */
function idsOf({ store, granted }: Reading, { field }: Relationship, sent: Sent): readonly string[] | undefined {
  const attribute = granted.attributes.get(field.name)!
  try {
    if (sent instanceof Failure) return undefined
    return attribute.type.ids!(parseValue(attribute.type, wireText(attribute, sent), attribute.settings, store.context)).map(String)
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

/** What a record whose field has these ids shows of them; undefined if that cannot differ from them, or not be what was sent. */
async function shownOf(
  reading: Reading,
  { tableId }: Relationship,
  ids: readonly string[],
  held: readonly string[],
): Promise<{ readonly ids: readonly string[]; readonly more: boolean } | undefined> {
  if (isSame(ids, held) || (held.length <= limits.page.most && !isPartOf(ids, held))) return undefined
  reading.references += held.length
  const { most } = limits.includedReferences
  if (reading.references > most) throw fail('include.too_many', { most, of: 'references' }, { source: { pointer: '/data/relationships' } })
  const { granted, store } = reading
  return asTexts(await shownAmong(store, mayRead(granted, tableId), held.map(Number)))
}

/** Compares linkage that nobody can set with what the caller is shown. @throws `relationship.read_only` */
async function mustBeShown(reading: Reading, relationship: Relationship, ids: readonly string[], { name, pointer }: Place): Promise<void> {
  const { store, granted, record } = reading
  const { most } = limits.includes
  if (++reading.inverse > most)
    throw fail('include.too_many', { most, of: 'relationships' }, { source: { pointer: '/data/relationships' } })
  const present = await record()
  const target = mayRead(granted, relationship.tableId)
  const linked = present && (await idsOfReferring(store, target, relationship.field, [present.id], limits.page.most)).get(present.id)
  if (!isSame(ids, linked ? asTexts(linked).ids : [])) throw fail('relationship.read_only', { name }, { source: { pointer } })
}

const asTexts = ({ ids, more }: Linked) => ({ ids: ids.map(String), more })

const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((one, i) => one === others[i])

/** Whether the ids are among the others, in the same order. */
function isPartOf(ids: readonly string[], others: readonly string[]): boolean {
  let next = 0
  for (const one of others) if (one === ids[next]) next++
  return next === ids.length
}
