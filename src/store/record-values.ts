import { Failure, Failures, fail } from '../errors.ts'
import { fold } from '../fields/fold.ts'
import type { Attribute, Stored } from '../fields/field-type.ts'
import { isEmpty, parseValue } from '../fields/value.ts'
import { name, sql } from '../sql/sql.ts'
import type { View } from './access.ts'
import { recordsOf, type Field } from './catalogue.ts'
import type { Transaction } from './db.ts'
import { namesOf, sameFiles, type Staged } from './files.ts'
import type { Present } from './present.ts'
import { missing } from './references.ts'
import type { Sent, SentAttributes } from './sent.ts'
import type { Store } from './store.ts'

/** One write on its way: whose, what, and what stands there now (undefined on create). */
export interface Change {
  readonly granted: View
  readonly sent: SentAttributes
  readonly staged: Staged
  readonly present: Present | undefined
  /** An administrator's import may bring user_id and add_time with it. */
  readonly keepsOrigin: boolean
}

/**
 * The values that a write sets, by attribute name: only those that differ from what stands there.
 * @throws Failures: unknown and read-only attributes (400, 403), or else every value that does not fit (422).
 */
export async function readChange(store: Store, tx: Transaction, change: Change): Promise<Map<string, Stored>> {
  const values = new Map<string, Stored>()
  const refused: Failure[] = []
  const unfit: Failure[] = []
  const faulty = new Set<string>()
  for (const [key, sent] of change.sent) {
    const attribute = change.granted.attributes.get(key)
    if (!attribute || key === 'id') {
      refused.push(fail('attribute.unknown', { name: key }, at(key)))
      continue
    }
    try {
      const value = await readOne(store, tx, change, attribute, sent)
      if (value !== undefined) values.set(key, value)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      ;(error.status === 422 ? unfit : refused).push(error.where.source ? error : error.at(at(key).source))
      faulty.add(key)
    }
  }
  if (refused.length > 0) throw new Failures(refused)
  unfit.push(...unmet(change, values, faulty))
  if (unfit.length > 0) throw new Failures(unfit)
  return values
}

/** The value to write, or undefined where the attribute stays as it is. */
async function readOne(store: Store, tx: Transaction, change: Change, attribute: Attribute, sent: Sent): Promise<Stored | undefined> {
  if (sent instanceof Failure) throw sent
  const { granted, present } = change
  const { type, settings } = attribute
  const now = present?.values.get(attribute.name)
  const shown = type.format(now ?? initial(change, attribute), settings)
  const files = change.staged.get(attribute.name)
  if (files) {
    if (present && (await sameFiles(tx, granted.table.id, (attribute as Field).id, present.id, files))) return undefined
    mustBeOpen(change, attribute)
    return namesOf(files)
  }
  const text = wireText(attribute, sent)
  if (text === shown) return undefined
  mustBeOpen(change, attribute)
  if (type.files && text !== '') throw fail('field.invalid_value', { why: 'Files are sent as an array of file objects.' })
  const value = parseValue(type, text, settings, store.context)
  if (now !== undefined && String(value) === String(now)) return undefined
  await mustExist(store, tx, granted, attribute, value, now)
  return value
}

/** What an attribute holds before the client has said anything. */
function initial({ granted }: Change, { name: key, type }: Attribute): Stored {
  return key === 'user_id' ? granted.caller.userId : type.empty
}

/** @throws where the caller may see the attribute but not set it. */
function mustBeOpen({ granted, keepsOrigin }: Change, { name: key, type }: Attribute): void {
  const closed =
    key === 'add_time'
      ? !keepsOrigin
      : key === 'user_id'
        ? !granted.caller.administrator
        : type.assigned === true || granted.readOnly.has(key)
  if (closed) throw fail('attribute.read_only', { name: key })
  if (key === 'status' && !granted.rights.has('archive')) throw fail('access.denied', { what: `archive in table ${granted.table.id}` })
}

/** What was sent, as the text a response would show: an array of scalars stands for the members of a multi-value field. */
function wireText({ type }: Attribute, sent: Exclude<Sent, Failure>): string {
  if (typeof sent === 'string') return sent
  if (type.kind !== 'set' || sent.some((one) => typeof one !== 'string'))
    throw fail('field.invalid_value', { why: 'This attribute takes one value, not an array.' })
  if (sent.length === 0) return ''
  return type.ids ? `-${sent.join('-')}-` : sent.join('\r\n')
}

/** New ids in a value must name what exists and what the caller may read; ids that stood there already may stay. */
async function mustExist(
  store: Store,
  tx: Transaction,
  granted: View,
  { type, settings }: Attribute,
  value: Stored,
  now: Stored | undefined,
): Promise<void> {
  if (!type.target || !type.ids) return
  const known = new Set(now === undefined ? [] : type.ids(now))
  const ids = type.ids(value).filter((id) => !known.has(id))
  if (ids.length === 0) return
  const lost = await missing(store, tx, granted, type.target, settings.referenceTableId ?? 0, ids)
  if (lost.length > 0) throw fail('field.invalid_value', { why: `There is no ${type.target} ${lost.join(', ')} here.` })
}

/** Required fields that this write leaves empty. */
function unmet(change: Change, values: ReadonlyMap<string, Stored>, faulty: ReadonlySet<string>): Failure[] {
  const { granted, present, sent } = change
  return granted.table.fields.flatMap((field) => {
    const { name: key, type, settings } = field
    if (!settings.required || type.assigned || !granted.attributes.has(key) || granted.readOnly.has(key)) return []
    if (faulty.has(key)) return []
    const emptied = values.has(key) && type.hasEmpty && isEmpty(type, values.get(key)!)
    const absent = !present && !values.has(key) && settings.defaultValue === '' && (type.hasEmpty || !sent.has(key))
    return emptied || absent ? [fail('field.required', { name: field.title }, at(key))] : []
  })
}

/**
 * Empty values never collide, and records in the trash live elsewhere.
 * @throws `field.not_unique`, naming the other record only to those who may read it.
 */
export async function mustBeUnique(
  store: Store,
  tx: Transaction,
  granted: View,
  values: ReadonlyMap<string, Stored>,
  id: number,
): Promise<void> {
  const failures: Failure[] = []
  for (const field of granted.table.fields) {
    const value = values.get(field.name)
    if (!field.settings.unique || value === undefined || isEmpty(field.type, value)) continue
    const key = field.type.key?.(value, field.settings)
    if (key === '') continue
    const column = name(key === undefined ? field.column : field.keyColumn!)
    const [other] = await tx.all(sql`SELECT id FROM ${name(recordsOf(granted.table.id))} WHERE ${column} = ${key ?? value} AND id <> ${id}`)
    if (!other) continue
    const hidden = granted.rights.has('read') ? await missing(store, tx, granted, 'record', granted.table.id, [Number(other[0])]) : [other]
    const where = { ...at(field.name), ...(hidden.length === 0 && { meta: { record_id: String(other[0]) } }) }
    failures.push(fail('field.not_unique', { name: field.title }, where))
  }
  if (failures.length > 0) throw new Failures(failures)
}

/** The default of a field, or its empty value where the default no longer fits. */
export function defaultOf(store: Store, { type, settings }: Field): Stored {
  if (settings.defaultValue === '' || type.files) return type.empty
  try {
    return parseValue(type, settings.defaultValue, settings, store.context)
  } catch (error) {
    if (error instanceof Failure) return type.empty
    throw error
  }
}

export const titleKey = (title: string): string => fold(title)

const at = (key: string) => ({ source: { pointer: `/data/attributes/${key.replaceAll('~', '~0').replaceAll('/', '~1')}` } })
