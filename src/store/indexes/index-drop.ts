import type { Dialect } from '../../sql/dialect.ts'
import { sql } from '../../sql/sql.ts'
import type { Transaction } from '../ground/db.ts'
import { dropAll } from './index-plan.ts'

/** Called before a column is dropped. What an administrator wished for the field (`pinned`, `forbidden`) stays. */
export async function dropIndexesOf(tx: Transaction, dialect: Dialect, tableId: number, column: string): Promise<void> {
  const [attribute] = column.split('_')
  for (const statement of dropAll(tableId, column, dialect)) await tx.alterStructure(statement)
  const ofField = sql`table_id = ${tableId} AND attribute = ${attribute!}`
  await tx.run(sql`DELETE FROM indexes WHERE ${ofField} AND wish = 'auto'`)
  const isDropped = sql`(${ofField} AND wish = 'pinned') OR (table_id = ${tableId} AND kind = 'words' AND state <> 'none')`
  await tx.run(sql`UPDATE indexes SET state = 'waiting', index_name = '', made_of = '' WHERE ${isDropped}`)
}

/** Called before a table is dropped. */
export async function dropIndexesOfTable(tx: Transaction, dialect: Dialect, tableId: number): Promise<void> {
  for (const [column] of await tx.all(sql`SELECT column_name FROM fields WHERE table_id = ${tableId}`))
    await dropIndexesOf(tx, dialect, tableId, String(column))
  await tx.run(sql`DELETE FROM indexes WHERE table_id = ${tableId}`)
}
