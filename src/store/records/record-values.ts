import { Failure, Failures, fail } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { fold } from '../../fields/fold.ts'
import type { Attribute, Stored } from '../../fields/field-type.ts'
import { likeOthers } from '../../fields/named.ts'
import { isEmpty, parseValue } from '../../fields/value.ts'
import type { View } from '../model/access.ts'
import { hasEveryRight } from '../model/built-in-groups.ts'
import type { Field } from '../model/catalogue.ts'
import type { Transaction } from '../ground/db.ts'
import { namesOf, sameFiles, type Staged } from './files.ts'
import type { Present } from './present.ts'
import { missing } from './references.ts'
import type { Sent, SentAttributes } from '../model/sent.ts'
import type { Uses } from '../ground/store.ts'
import { holderOf, uniqueKey } from './unique-keys.ts'
import { memo } from '../../memory/memo.ts'

/** A write: the caller, what they sent, and the record before it (undefined on create). */
export interface Change {
  readonly granted: View
  readonly sent: SentAttributes
  readonly staged: Staged
  readonly present: Present | undefined
  /** On create, the values of attributes that were not sent. */
  readonly defaults?: ReadonlyMap<string, Stored>
  /** Where the same is sent for many records in one transaction: what its references lack is found once. */
  readonly lost?: LostReferences | undefined
  /** An administrator's import may bring user_id and add_time with it. */
  readonly keepsOrigin: boolean
}

/** By attribute name, the ids in the value that refer to nothing that exists for the caller. */
export type LostReferences = Map<string, ReadonlySet<number>>

/** By attribute name, the values to set, and the failures of values that are wrong. */
export interface Reading {
  readonly values: Map<string, Stored>
  readonly faults: Map<string, Failure>
}

/**
 * The values that a write sets, by attribute name: only those that differ from the present ones.
 * @throws Failures: unknown and read-only attributes (400, 403), or else every value that does not fit (422).
 */
export async function readChange(
  store: Uses<'db' | 'context' | 'catalogue'>,
  tx: Transaction,
  change: Change,
): Promise<Map<string, Stored>> {
  const reading = parseSent(store, change)
  if (change.staged.size > 0) await readFiles(tx, change, reading)
  await checkTargets(store, tx, change, reading)
  return accepted(change, reading)
}

/** Parses what needs no query of the database; not file objects. */
export function parseSent(store: Uses<'context'>, change: Change): Reading {
  const { granted, staged } = change
  const values = new Map<string, Stored>()
  const faults = new Map<string, Failure>()
  for (const [key, sent] of change.sent) {
    if (staged.has(key)) continue
    const attribute = granted.allAttributes.get(key)
    if (!attribute || key === 'id') {
      faults.set(
        key,
        fail('attribute.unknown', attribute ? { name: key } : likeOthers(key, granted.allAttributes.keys()), { attribute: key }),
      )
      continue
    }
    try {
      const value = readOne(store, change, attribute, sent)
      if (value !== undefined) values.set(key, value)
    } catch (error) {
      faults.set(key, attributed(key, error))
    }
  }
  return { values, faults }
}

/** The values to set. @throws Failures */
export function accepted(change: Change, { values, faults }: Reading): Map<string, Stored> {
  if (faults.size > 0) {
    // In the order in which the attributes were sent.
    const found = [...change.sent.keys()].flatMap((key) => faults.get(key) ?? [])
    const refused = found.filter(({ status }) => status !== 422)
    if (refused.length > 0) throw new Failures(refused)
    throw new Failures([...found, ...unmet(change, values, faults)])
  }
  const missed = unmet(change, values, faults)
  if (missed.length > 0) throw new Failures(missed)
  return values
}

/** The value to write, or undefined where the attribute stays as it is. */
function readOne(store: Uses<'context'>, change: Change, attribute: Attribute, sent: Sent): Stored | undefined {
  if (sent instanceof Failure) throw sent
  const { type, settings } = attribute
  const now = change.present?.values.get(attribute.name)
  const text = wireText(attribute, sent)
  if (text === (now === undefined ? initialText(change, attribute) : type.format(now, settings))) return undefined
  mustBeOpen(change, attribute)
  if (type.files && text !== '') throw fail('field.invalid_value', { why: 'Files are sent as an array of file objects.' })
  const value = parseValue(type, text, settings, store.context)
  return now !== undefined && String(value) === String(now) ? undefined : value
}

/** Sets, by attribute, the names of its new files if these differ from the files of the record. */
async function readFiles(tx: Transaction, change: Change, { values, faults }: Reading): Promise<void> {
  const { granted, present } = change
  for (const [key, files] of change.staged) {
    const attribute = granted.attributes.get(key)!
    if (present && (await sameFiles(tx, granted.table.id, (attribute as Field).id, present.id, files))) continue
    try {
      mustBeOpen(change, attribute)
      values.set(key, namesOf(files))
    } catch (error) {
      faults.set(key, attributed(key, error))
    }
  }
}

async function checkTargets(
  store: Uses<'db' | 'context' | 'catalogue'>,
  tx: Transaction,
  { granted, present, lost }: Change,
  { values, faults }: Reading,
): Promise<void> {
  for (const [key, value] of values) {
    const attribute = granted.attributes.get(key)!
    if (!attribute.type.target) continue
    try {
      await mustExist(store, tx, granted, attribute, value, present?.values.get(key), lost)
    } catch (error) {
      faults.set(key, attributed(key, error))
      values.delete(key)
    }
  }
}

function attributed(key: string, error: unknown): Failure {
  if (!(error instanceof Failure)) throw error
  return error.isPlaced ? error : error.at({ attribute: key })
}

const emptyText = memo(({ type, settings }: Attribute): string => type.format(type.empty, settings))

/** The text of an attribute before the write, as a response shows it. */
function initialText({ granted }: Change, attribute: Attribute): string {
  const { name: key, type, settings } = attribute
  if (key === 'user_id') return type.format(granted.caller.userId, settings)
  return emptyText(attribute)
}

/** @throws where the caller may see the attribute but not set it. */
export function mustBeOpen(
  { granted, keepsOrigin }: Pick<Change, 'granted' | 'keepsOrigin'>,
  { name: key, type, onlyNamed }: Attribute,
): void {
  const closed =
    key === 'add_time' ? !keepsOrigin : key === 'user_id' ? !hasEveryRight(granted.caller) : type.assigned === true || onlyNamed === true
  if (closed || granted.readOnly.has(key)) throw fail('attribute.read_only', { name: key })
  if (key === 'status' && !granted.rights.has('archive')) throw fail('access.denied', { what: `archive in table ${granted.table.id}` })
}

/** The value sent as the text that a response would show. An array of scalars has the members of a field with several values. */
export function wireText({ type }: Attribute, sent: Exclude<Sent, Failure>): string {
  if (typeof sent === 'string') return sent
  if (type.kind !== 'set' || sent.some((one) => typeof one !== 'string'))
    throw fail('field.invalid_value', { why: 'This attribute takes one value, not an array.' })
  if (sent.length === 0) return ''
  if (type.ids && sent.length > limits.ids.most) throw fail('field.invalid_value', { why: `A value names at most ${limits.ids.most} ids.` })
  return type.ids ? `-${sent.join('-')}-` : sent.join('\r\n')
}

/** New ids in a value must refer to something that exists and that the caller may read. Ids that the value had before may stay. */
async function mustExist(
  store: Uses<'db' | 'context' | 'catalogue'>,
  tx: Transaction,
  granted: View,
  { name: key, type, settings }: Attribute,
  value: Stored,
  now: Stored | undefined,
  found: LostReferences | undefined,
): Promise<void> {
  const { target } = type
  if (!target || !type.ids) return
  const lostOf = (ids: readonly number[]) => missing(store, tx, granted, target, settings.referenceTableId ?? 0, ids)
  const known = new Set(now === undefined ? [] : type.ids(now))
  const ids = type.ids(value).filter((id) => !known.has(id))
  if (ids.length === 0) return
  if (found && !found.has(key)) found.set(key, new Set(await lostOf(type.ids(value))))
  const all = found?.get(key)
  const lost = all ? ids.filter((id) => all.has(id)) : await lostOf(ids)
  if (lost.length > 0) throw fail('field.invalid_value', { why: `There is no ${target} ${some(lost)} here.` })
}

const some = (ids: readonly number[]): string => (ids.length > NAMED ? `${ids.slice(0, NAMED).join(', ')} …` : ids.join(', '))
/** The most ids in a message. */
const NAMED = 10

/** A failure for each required field that this write leaves empty. */
function unmet(change: Change, values: ReadonlyMap<string, Stored>, faults: ReadonlyMap<string, Failure>): Failure[] {
  const { granted, present, sent, defaults } = change
  if (!granted.table.fields.some(({ settings }) => settings.required)) return []
  return granted.table.fields.flatMap((field) => {
    const { name: key, type, settings } = field
    if (!settings.required || type.assigned || !granted.attributes.has(key) || granted.readOnly.has(key)) return []
    if (faults.has(key)) return []
    const emptied = values.has(key) && type.hasEmpty && isEmpty(type, values.get(key)!)
    const preset = defaults?.get(key) ?? type.empty
    const without = sent.has(key) ? type.hasEmpty : settings.defaultValue === '' || (type.hasEmpty && isEmpty(type, preset))
    const absent = !present && !values.has(key) && without
    return emptied || absent ? [fail('field.required', { name: field.title }, { attribute: key })] : []
  })
}

/**
 * Checks unique values. Any number of records may have the empty value, and records in the trash do not count.
 * @throws `field.not_unique`, with the id of the other record only where the caller may read it; `trash.conflict` where the field
 * is hidden from the caller, which happens only when a record is restored.
 */
export async function mustBeUnique(
  store: Uses<'db' | 'context' | 'catalogue'>,
  tx: Transaction,
  granted: View,
  values: ReadonlyMap<string, Stored>,
  id: number,
): Promise<void> {
  const failures: Failure[] = []
  let concealed = false
  for (const field of granted.table.fields) {
    const value = values.get(field.name)
    const key = value === undefined || !field.settings.unique ? undefined : uniqueKey(field, value)
    if (key === undefined) continue
    const other = await holderOf(store, tx, field, key, id)
    if (other === undefined) continue
    if (!granted.attributes.has(field.name)) {
      concealed = true
      continue
    }
    const hidden = granted.rights.has('read') ? await missing(store, tx, granted, 'record', granted.table.id, [other]) : [other]
    const where = { attribute: field.name, ...(hidden.length === 0 && { meta: { record_id: String(other) } }) }
    failures.push(fail('field.not_unique', { name: field.title }, where))
  }
  if (failures.length > 0) throw new Failures(failures)
  if (concealed) throw fail('trash.conflict')
}

export const titleKey = (title: string): string => fold(title)
