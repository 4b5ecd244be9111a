import { fail } from '../../errors.ts'
import type { Stored } from '../../fields/field-type.ts'
import { limits } from '../../limits.ts'
import { join, name, sql } from '../../sql/sql.ts'
import { recordsOf, type Table } from '../model/catalogue.ts'
import type { Transaction } from '../ground/db.ts'
import { canBeLeft, canBeLonger } from './left.ts'
import type { Values } from './present.ts'
import type { Uses } from '../ground/store.ts'

/* How many bytes the values of one record may have (src/limits.ts, `record`). */

const { most } = limits.record

/** The most bytes of a code unit in UTF-8. */
const BYTES = 3

/** Checks a new record. `row`: its values, and what else is written with them. @throws `record.too_large` */
export function mustFitInRecord(row: readonly Stored[], values: () => readonly Stored[]): void {
  let units = 0
  for (const value of row) if (typeof value === 'string') units += value.length
  if (units * BYTES <= most) return
  let bytes = 0
  for (const value of values()) if (typeof value === 'string') bytes += Buffer.byteLength(value)
  if (bytes > most) throw fail('record.too_large', { most })
}

/** Bytes of values that do not count. */
const SHORT = 2_000

/**
 * Checks a record after a change. It is measured only where a text has become longer, and where the longest values that the
 * attributes allow would be too large together. @throws `record.too_large`
 */
export async function mustStillFit(
  { db }: Uses<'db'>,
  tx: Transaction,
  { id: tableId, attributes }: Table,
  id: number,
  before: Values,
  changed: Values,
): Promise<void> {
  const grows = [...changed].some(([key, value]) => typeof value === 'string' && value.length > String(before.get(key)).length)
  if (!grows) return
  const long = [...attributes.values()].filter((one) => canBeLeft(one, SHORT))
  if (!canBeLonger(long, most)) return
  const sizes = long.map(({ column }) => db.dialect.bytesOf(name(column)))
  const [row] = await tx.all(sql`SELECT ${join(sizes, ', ')} FROM ${name(recordsOf(tableId))} WHERE id = ${id}`)
  if (row!.reduce<number>((sum, size) => sum + Number(size), 0) > most) throw fail('record.too_large', { most })
}
