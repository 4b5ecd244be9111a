import { sql } from '../../sql/sql.ts'
import type { Transaction } from './db.ts'

/**
 * In `meta`, by the id of a field that was erased, while the log of changes may have values of it (changes/strip-fields.ts): the table, and
 * up to which record and change they are erased.
 */
export const ERASED_FIELD = 'erased_field_'

/** In the transaction that erases a field. */
export const noteErasedField = (tx: Transaction, tableId: number, fieldId: number): Promise<number> =>
  tx.run(
    sql`INSERT INTO meta (name, value) VALUES (${`${ERASED_FIELD}${fieldId}`}, ${`${tableId} 0 0`}) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
  )
