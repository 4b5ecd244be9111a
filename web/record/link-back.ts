import { change } from '../api/outbox.ts'
import { isBarred } from '../api/record-rights.ts'
import { readRecord } from '../api/records.ts'
import { idsIn, idsOf } from '../fields/ids.ts'

/* A new record that was asked for by a field of another one, which is to name it. */

export interface Wanted {
  readonly table: string
  readonly record: string
  /** The field of several references. */
  readonly field: string
}

/** For `for` of the address of the form. */
export const writeWanted = ({ table, record, field }: Wanted): string => `${table}.${record}.${field}`

/** Undefined: the record is made for itself. */
export function readWanted(text: string | undefined): Wanted | undefined {
  const [, table, record, field] = /^(\d+)\.(\d+)\.(f\d+)$/.exec(text ?? '') ?? []
  return table && record && field ? { table, record, field } : undefined
}

/** Adds a record to those that the field names; whether the person may. @throws ApiError where the record of the field is gone */
export async function linkBack({ table, record, field }: Wanted, made: string): Promise<boolean> {
  const seen = await readRecord(Number(table), record)
  if (isBarred(seen.data, 'update')) return false
  const ids = idsIn(String(seen.data.attributes[field] ?? ''))
  if (!ids.includes(made)) change(Number(table), record, { [field]: idsOf([...ids, made]) }, seen)
  return true
}
