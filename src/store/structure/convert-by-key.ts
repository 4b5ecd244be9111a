import { fail } from '../../errors.ts'
import type { Attribute, Stored } from '../../fields/field-type.ts'
import { isEmpty, parseValue } from '../../fields/value.ts'
import { limits } from '../../limits.ts'
import type { Transaction } from '../ground/db.ts'
import type { Uses } from '../ground/store.ts'
import type { Catalogue, Field } from '../model/catalogue.ts'
import { findAnyByKey } from '../records/find-by-key.ts'
import type { Converted } from './convert-value.ts'

/*
 * A field becomes a reference, and its values are those of a unique field of the table to which it refers then: the *key*. A value refers to the record
 * that the unique index would not let it stand beside. Records in the trash have given up their values, and are not found.
 */

/** The field that `reference_by` names. @throws `field.invalid_value` */
export function keyOfConversion(
  catalogue: Catalogue,
  from: Field,
  to: Field,
  { referenceBy, converts }: { readonly referenceBy: number | null | undefined; readonly converts: boolean },
): Field | undefined {
  if (referenceBy === undefined || referenceBy === null) return undefined
  const refuse = (why: string) => fail('field.invalid_value', { why }, { attribute: 'referenceBy' })
  if (to.type.target !== 'record') throw refuse(`A field of type ${to.type.name} does not refer to records.`)
  if (from.type.target || from.type.files) throw refuse(`Values of type ${from.type.name} are none of another field.`)
  if (!converts) throw refuse('This change converts no values.')
  const { referenceTableId = 0 } = to.settings
  const table = catalogue.tables.get(referenceTableId)
  const key = table?.fields.find(({ id }) => id === referenceBy)
  if (!key) throw refuse(`There is no field ${referenceBy} in table ${referenceTableId}.`)
  if (key.id === from.id) throw refuse('The values of a field do not name records by themselves.')
  if (!key.settings.unique) throw refuse(`The field '${key.title}' is not unique, so it cannot name records.`)
  return key
}

/** The same for a job, which has asked before. @throws `field.changed_meanwhile` where the field is gone, or not unique any more */
export function keyNow(catalogue: Catalogue, to: Attribute, referenceBy: number | null | undefined): Field | undefined {
  if (referenceBy === undefined || referenceBy === null) return undefined
  const key = catalogue.tables.get(to.settings.referenceTableId ?? 0)?.fields.find(({ id }) => id === referenceBy)
  if (!key?.settings.unique) throw fail('field.changed_meanwhile')
  return key
}

interface Row {
  readonly id: number
  readonly stored: Stored
}

/** The new values of some records. What meets no record is lost. */
export async function convertByKey(
  store: Uses<'db' | 'context'>,
  tx: Pick<Transaction, 'all'>,
  { from, to, key }: { readonly from: Attribute; readonly to: Attribute; readonly key: Field },
  rows: readonly Row[],
): Promise<(Row & Converted)[]> {
  const members = rows.map(({ stored }) => membersOf(from, to, key, stored))
  const ids = await findAnyByKey(store, tx, key, members.flat())
  return rows.map(({ id, stored }, i) => {
    const found = new Set(members[i]!.flatMap((member) => ids.get(member) ?? []))
    const kept = [...found].slice(0, mostOf(to))
    const lost = members[i]!.length > limits.ids.most || kept.length < found.size || members[i]!.some((member) => !ids.has(member))
    return { id, stored, value: valueOf(store, to, kept), lost }
  })
}

const mostOf = ({ type }: Attribute): number => (type.kind === 'set' ? limits.ids.most : 1)

/** The texts of a value that are to name a record each, at most one more than a value can hold. */
export function membersOf({ type, settings }: Attribute, to: Attribute, key: Field, stored: Stored): readonly string[] {
  if (isEmpty(type, stored)) return []
  const text = type.format(stored, settings)
  // 5.00 is the 5 of a field of whole numbers.
  if (type.kind === 'number') return [key.type.kind === 'number' && text.includes('.') ? text.replace(/\.?0+$/, '') : text]
  const areSeveral = type.kind === 'set' || (type.multiline && to.type.kind === 'set')
  if (!areSeveral) return [text]
  // The first piece is empty where the text begins with a blank line.
  const lines = text.split(/[\r\n]+/, limits.ids.most + 2).filter((line) => line !== '')
  return lines.slice(0, limits.ids.most + 1)
}

function valueOf({ context }: Uses<'context'>, { type, settings }: Attribute, ids: readonly number[]): Stored {
  if (ids.length === 0) return type.empty
  return parseValue(type, type.kind === 'set' ? `-${ids.join('-')}-` : String(ids[0]), settings, context)
}
