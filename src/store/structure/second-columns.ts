import type { Attribute } from '../../fields/field-type.ts'
import { constant, name, sql } from '../../sql/sql.ts'
import type { Dialect } from '../../sql/dialect.ts'
import { conversionColumns, keptOf, otherColumn, physicalNames, readConversion } from '../catalogue/conversions.ts'
import type { Transaction } from '../ground/db.ts'
import type { Caller } from '../model/access.ts'
import { recordsOf, trashOf, type Conversion } from '../model/catalogue.ts'
import { addColumns, forgetColumn } from './columns.ts'
import { dropLeft, mayStay } from './left-columns.ts'

/* The second column of a field that a job converts: how it comes and goes. */

/** Adds the new column, empty. */
export async function addSecond(
  tx: Transaction,
  dialect: Dialect,
  { tableId, fieldId, jobId, from, to }: Pick<Conversion, 'tableId' | 'fieldId' | 'jobId' | 'from' | 'to'>,
  { userId, tokenId }: Pick<Caller, 'userId' | 'tokenId'>,
): Promise<void> {
  await addColumns(tx, dialect, tableId, to.column, to.type)
  await tx.run(sql`INSERT INTO conversions (table_id, field_id, job_id, user_id, token_id, phase, source, target)
    VALUES (${tableId}, ${fieldId}, ${jobId}, ${userId}, ${tokenId}, ${'fill'}, ${keptOf(from)}, ${keptOf(to)})`)
}

/** From now on the second column is the old one. */
export async function swapSecond(tx: Transaction, { id, tableId }: Conversion): Promise<void> {
  const newest = [recordsOf(tableId), trashOf(tableId)].map((twin) => tx.all(sql`SELECT coalesce(max(id), 0) FROM ${name(twin)}`))
  const last = Math.max(...(await Promise.all(newest)).map((rows) => Number(rows[0]![0])))
  await tx.run(sql`UPDATE conversions SET phase = ${'leave'}, last_id = ${last} WHERE id = ${id}`)
}

/** Takes the second column away, which holds nothing any more; where that would take long, it stays in the table (left-columns.ts). */
export async function endSecond(tx: Transaction, dialect: Dialect, conversion: Conversion): Promise<void> {
  await dropSecond(tx, conversion, await mayStay(tx, dialect, conversion.tableId))
}

async function dropSecond(tx: Transaction, conversion: Conversion, stays = false): Promise<void> {
  for (const twin of [recordsOf(conversion.tableId), trashOf(conversion.tableId)])
    for (const one of physicalNames(conversion))
      if (!stays) await tx.alterStructure(sql`ALTER TABLE ${name(twin)} DROP COLUMN ${name(one)}`)
  await tx.run(sql`DELETE FROM conversions WHERE id = ${conversion.id}`)
}

/** Drops the second column of a field that is erased, and those that other conversions have left. */
export async function eraseSecond(tx: Transaction, dialect: Dialect, tableId: number, fieldId: number): Promise<void> {
  for (const row of await tx.all(sql`SELECT ${conversionColumns} FROM conversions WHERE field_id = ${fieldId}`)) {
    const conversion = readConversion(row)
    await forgetColumn(tx, dialect, tableId, otherColumn(conversion), async () => undefined)
    await dropSecond(tx, conversion)
  }
  await dropLeft(tx, dialect, tableId, fieldId)
}

/** Whether a record has a value in a column. */
export const holds = ({ column, type }: Attribute) => sql`${name(column)} <> ${constant(type.empty)}`
