import type { Stored } from '../../fields/field-type.ts'
import { name, sql } from '../../sql/sql.ts'
import type { Transaction } from '../ground/db.ts'
import type { Uses } from '../ground/store.ts'
import { recordsOf, trashOf, type Table } from '../model/catalogue.ts'
import { checksumOf } from './checksums.ts'
import { newRecord } from './new-record.ts'

/** Writes new records; returns their ids. `given`: the ids that they get. `isTrial`: the transaction is undone, so later ids need not be larger. */
export async function writeRows(
  store: Uses<'db'>,
  tx: Transaction,
  table: Table,
  columns: readonly string[],
  rows: readonly Stored[][],
  given: readonly number[] | undefined,
  isTrial = false,
): Promise<number[]> {
  if (rows.length === 0) return []
  const { valued, time } = newRecord(table)
  for (const row of rows) row[row.length - 1] = checksumOf(valued, row, row[time]!)
  if (!given) return tx.insert(recordsOf(table.id), columns, rows)
  await tx.insert(
    recordsOf(table.id),
    ['id', ...columns],
    rows.map((row, i) => [given[i]!, ...row]),
  )
  // Over PostgreSQL, the last id stays where the transaction is undone.
  if (isTrial) return [...given]
  const highest = given.reduce((most, id) => Math.max(most, id), 0)
  for (const statement of store.db.dialect.raiseLastId(recordsOf(table.id), highest)) await tx.run(statement)
  return [...given]
}

/** Whether any of the ids is that of a record, also of one in the trash. */
export async function idsInUse({ db: { dialect } }: Uses<'db'>, tx: Transaction, { id }: Table, ids: readonly number[]): Promise<boolean> {
  for (const from of [recordsOf(id), trashOf(id)])
    if ((await tx.all(sql`SELECT id FROM ${name(from)} WHERE ${dialect.oneOf(sql`id`, [...ids])} LIMIT 1`)).length > 0) return true
  return false
}
