import { sql } from '../../sql/sql.ts'
import type { Transaction } from '../ground/db.ts'
import type { Field } from '../model/catalogue.ts'

/** The last of so many numbers that nobody else gets. */
export async function takeNumbers(tx: Transaction, { id }: Field, count: number): Promise<number> {
  const [row] = await tx.runReturning(sql`UPDATE fields SET number_next = number_next + ${count} WHERE id = ${id} RETURNING number_next`)
  return Number(row![0])
}
