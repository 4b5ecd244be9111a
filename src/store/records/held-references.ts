import type { Stored } from '../../fields/field-type.ts'
import { name, sql } from '../../sql/sql.ts'
import type { Transaction } from '../ground/db.ts'
import type { Uses } from '../ground/store.ts'
import { recordsOf, type Field } from '../model/catalogue.ts'

/** The ids that a reference field of a record holds; the record is locked until the end of the transaction. Of no record: none. */
export async function heldReferences(
  store: Uses<'db'>,
  tx: Transaction,
  { type, column, tableId }: Field,
  id: number,
): Promise<readonly number[]> {
  const [row] = await tx.all(sql`SELECT ${name(column)} FROM ${name(recordsOf(tableId))} WHERE id = ${id}${store.db.dialect.forUpdate}`)
  return row ? type.ids!(row[0] as Stored) : []
}
