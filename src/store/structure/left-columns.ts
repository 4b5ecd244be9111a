import { name, sql } from '../../sql/sql.ts'
import type { Dialect } from '../../sql/dialect.ts'
import { conversionColumns, physicalNames, readConversion } from '../catalogue/conversions.ts'
import type { Transaction } from '../ground/db.ts'
import { recordsOf, trashOf, type Field } from '../model/catalogue.ts'

/*
 * Columns that conversions by a job leave in a large table, empty: SQLite writes the whole table anew to drop a column, and all writes wait for
 * that. Nobody reads or writes them, new records have the default in them, and they go when their field or table is erased.
 */

/** The largest id of a table that is written anew in a moment. */
export const QUICK = 50_000
/** Columns that a table keeps in this way. */
export const MOST_LEFT = 100

type Reads = Pick<Transaction, 'all'>

/** Whether a column that holds nothing any more stays in a table. */
export async function mayStay(tx: Reads, dialect: Dialect, tableId: number): Promise<boolean> {
  if (!dialect.dropRewrites) return false
  for (const twin of [recordsOf(tableId), trashOf(tableId)]) {
    const [row] = await tx.all(sql`SELECT coalesce(max(id), 0) FROM ${name(twin)}`)
    if (Number(row![0]) > QUICK) return (await leftIn(tx, dialect, tableId)).size < MOST_LEFT
  }
  return false
}

/** The columns of fields in the database that are neither that of a field nor that of a conversion. */
async function leftIn(tx: Reads, dialect: Dialect, tableId: number): Promise<ReadonlySet<string>> {
  const fields = await tx.all(sql`SELECT column_name FROM fields WHERE table_id = ${tableId}`)
  const conversions = await tx.all(sql`SELECT ${conversionColumns} FROM conversions WHERE table_id = ${tableId}`)
  const known = new Set([
    ...fields.flatMap(([column]) => [String(column), `${String(column)}k`]),
    ...conversions.flatMap((row) => physicalNames(readConversion(row))),
  ])
  const columns = (await tx.all(dialect.columnsOf(recordsOf(tableId)))).map(([column]) => String(column))
  return new Set(columns.filter((column) => /^f\d+(_\d+)?k?$/.test(column) && !known.has(column)))
}

/** The name of the next column of a field: f12, f12_2, f12_3 … Each conversion makes a new one. */
export async function nextColumn(tx: Reads, dialect: Dialect, { tableId, column }: Pick<Field, 'tableId' | 'column'>): Promise<string> {
  const left = await leftIn(tx, dialect, tableId)
  const [base, count = '1'] = column.split('_')
  for (let n = Number(count) + 1; ; n++) {
    const next = `${base}_${n}`
    if (!left.has(next) && !left.has(`${next}k`)) return next
  }
}

/** Drops those of a field that is erased. */
export async function dropLeft(tx: Transaction, dialect: Dialect, tableId: number, fieldId: number): Promise<void> {
  const ofField = new RegExp(`^f${fieldId}(_\\d+)?k?$`)
  for (const column of await leftIn(tx, dialect, tableId))
    if (ofField.test(column))
      for (const twin of [recordsOf(tableId), trashOf(tableId)])
        await tx.alterStructure(sql`ALTER TABLE ${name(twin)} DROP COLUMN ${name(column)}`)
}
