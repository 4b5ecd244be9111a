import { Failure, fail } from '../../errors.ts'
import type { FieldSettings, FieldType, Moment, Stored } from '../../fields/field-type.ts'
import { isDefaultWord, parseValue } from '../../fields/value.ts'
import { operator } from '../catalogue/administrator.ts'
import type { Catalogue, Field } from '../model/catalogue.ts'
import type { Transaction } from '../ground/db.ts'
import { missing } from './references.ts'
import type { Uses } from '../ground/store.ts'

/** The default of a field; its empty value if the default is no longer valid, such as the id of a deleted record. */
export async function defaultOf(
  store: Uses<'db' | 'context' | 'catalogue'>,
  tx: Pick<Transaction, 'all'>,
  catalogue: Catalogue,
  { type, settings }: Field,
  moment: Moment,
): Promise<Stored> {
  const { defaultValue } = settings
  if (defaultValue === '' || type.files) return type.empty
  try {
    const text = isDefaultWord(type, settings) ? type.defaultWords![defaultValue]!(moment) : defaultValue
    const value = parseValue(type, text, settings, store.context)
    return (await namesNothing(store, tx, catalogue, type, settings, value)).length === 0 ? value : type.empty
  } catch (error) {
    if (error instanceof Failure) return type.empty
    throw error
  }
}

/** @throws `field.invalid_value` where the default of a field is the id of a record or user that does not exist. */
export async function defaultMustName(
  store: Uses<'db' | 'context' | 'catalogue'>,
  tx: Pick<Transaction, 'all'>,
  catalogue: Catalogue,
  type: FieldType,
  settings: FieldSettings,
): Promise<void> {
  if (settings.defaultValue === '' || !type.target || isDefaultWord(type, settings)) return
  const value = parseValue(type, settings.defaultValue, settings, store.context)
  const lost = await namesNothing(store, tx, catalogue, type, settings, value)
  if (lost.length > 0)
    throw fail('field.invalid_value', { why: `There is no ${type.target} ${lost.join(', ')}.` }, { attribute: 'defaultValue' })
}

/** With the rights of the operator: administrators choose a default, and it applies whatever the caller may read. */
async function namesNothing(
  store: Uses<'db' | 'context' | 'catalogue'>,
  tx: Pick<Transaction, 'all'>,
  catalogue: Catalogue,
  { target, ids }: FieldType,
  { referenceTableId = 0 }: FieldSettings,
  value: Stored,
): Promise<readonly number[]> {
  const named = target && ids ? ids(value) : []
  return target && named.length > 0 ? missing(store, tx, { caller: operator, catalogue }, target, referenceTableId, named) : []
}
