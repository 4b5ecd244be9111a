import { fail, Failure, Failures } from '../../errors.ts'
import { isEmpty, parseValue } from '../../fields/value.ts'
import type { Stored } from '../../fields/field-type.ts'
import type { Transaction } from '../ground/db.ts'
import type { Uses } from '../ground/store.ts'
import type { Granted } from '../model/access.ts'
import type { Field } from '../model/catalogue.ts'
import type { ShownRecord } from '../model/record.ts'
import type { SentAttributes } from '../model/sent.ts'
import { stageFiles } from './files.ts'
import { keysAhead } from './long-keys.ts'
import { mustBeCurrent } from './present.ts'
import { missing } from './references.ts'
import { holderOf, uniqueKey } from './unique-keys.ts'
import { applyCreate, applyUpdate, completed, writeAlone, type CreateOptions, type PreparedWrite } from './write-records.ts'

/** How often a record is looked for again that came after the look and has gone since. */
const TRIES = 10

/** What the caller may do; at least one of them. */
export interface Upserting {
  readonly create: Granted<'create'> | undefined
  readonly update: Granted<'update' | 'read'> | undefined
}

export interface Upserted {
  readonly record: ShownRecord
  readonly created: boolean
}

/** See `prepareUpsert`. */
export const upsertRecord = async (...given: Parameters<typeof prepareUpsert>): Promise<Upserted> =>
  writeAlone(given[0], await prepareUpsert(...given))

/**
 * Changes the record that holds the value sent of a unique field, or creates one. Where another process writes the same value meanwhile, the
 * work is run again, and finds its record.
 * @throws Failures as a create and a change do (as a create also where the caller may not read the record that holds the value);
 * `field.required` without a value; `access.denied` where they may not do what there is to do
 */
export async function prepareUpsert(
  store: Uses<'db' | 'files' | 'environment' | 'settings' | 'context' | 'catalogue'>,
  { create, update }: Upserting,
  field: Field,
  sent: SentAttributes,
  later?: CreateOptions['later'],
): Promise<PreparedWrite<Upserted>> {
  const granted = (create ?? update)!
  const prepared = await stageFiles(store, granted, sent)
  const keys = await keysAhead(granted, prepared.sent)
  const key = keyOf(store, field, sent)
  const denied = (what: string) => fail('access.denied', { what: `${what} in table ${granted.table.id}` })

  const apply = async (tx: Transaction) => {
    await mustBeCurrent(store, tx, granted)
    const staging = await completed(tx, prepared, later)
    for (let tries = TRIES; ; tries--) {
      const id = key === undefined ? undefined : await holderOf(store, tx, field, key, 0, true)
      // A record that the caller may not read does not exist for them: they get the answer of a create.
      if (id !== undefined && (await missing(store, tx, granted, 'record', granted.table.id, [id])).length === 0) {
        if (!update) throw denied('update')
        return { record: await applyUpdate(store, tx, update, id, staging, keys), created: false }
      }
      if (!create) throw denied('create')
      try {
        return { record: await applyCreate(store, tx, create, staging, { keys }), created: true }
      } catch (error) {
        // Another process has committed a record with this value since the look: it is there now. A create leaves nothing behind.
        if (tries === 0 || id !== undefined || key === undefined || !isTaken(error, field)) throw error
      }
    }
  }
  // Which record it changes is known only in the transaction.
  return { apply, apart: undefined, isLong: keys.size > 0 }
}

const isTaken = (error: unknown, field: Field): boolean =>
  error instanceof Failures && error.failures.some(({ code, where }) => code === 'field.not_unique' && where.attribute === field.name)

/** The key of the value sent; undefined for one that does not fit the field, which a create refuses with all others. @throws `field.required` */
function keyOf(store: Uses<'context'>, field: Field, sent: SentAttributes): Stored | undefined {
  const { type, settings } = field
  const text = sent.get(field.name)
  if (text !== undefined && typeof text !== 'string') return undefined
  let value: Stored
  try {
    value = parseValue(type, text ?? '', settings, store.context)
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
  if (isEmpty(type, value)) throw new Failures([fail('field.required', { name: field.title }, { attribute: field.name })])
  return uniqueKey(field, value)
}
