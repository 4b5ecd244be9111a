import { fail } from '../../errors.ts'
import { fold } from '../../fields/fold.ts'
import { sql } from '../../sql/sql.ts'
import type { Transaction } from '../ground/db.ts'

/* Names of fields may repeat, unless the table says that they must not. They are compared as texts are. */

/** Names that an error lists. */
const LISTED = 20

/** @throws `field.name_taken` where another field of the table has the name, and the table wants different ones */
export async function nameMustBeFree(tx: Transaction, tableId: number, title: string, fieldId = 0): Promise<void> {
  const [table] = await tx.all(sql`SELECT unique_field_names FROM tables WHERE id = ${tableId}`)
  if (Number(table?.[0] ?? 0) === 0) return
  const [other] = await tx.all(
    sql`SELECT id FROM fields WHERE table_id = ${tableId} AND deleted = '' AND titlek = ${fold(title)} AND id <> ${fieldId} ORDER BY id`,
  )
  if (other) throw fail('field.name_taken', { name: title, field: Number(other[0]) }, { attribute: 'title' })
}

/** @throws `table.field_names_repeat` with the names */
export async function namesMustDiffer(tx: Transaction, tableId: number): Promise<void> {
  const rows = await tx.all(sql`SELECT id, title, titlek FROM fields WHERE table_id = ${tableId} AND deleted = '' ORDER BY sequence, id`)
  const repeated = [...Map.groupBy(rows, ([, , key]) => String(key)).values()].filter((some) => some.length > 1)
  if (repeated.length === 0) return
  const listed = repeated.slice(0, LISTED).map((some) => ({ name: String(some[0]![1]), fields: some.map(([id]) => `f${Number(id)}`) }))
  const names = listed.map(({ name, fields }) => `'${name}' (${fields.join(', ')})`).join(', ')
  throw fail('table.field_names_repeat', { names }, { attribute: 'uniqueFieldNames', meta: { names: listed } })
}
