import { sql } from '../../sql/sql.ts'
import type { Transaction } from '../ground/db.ts'
import type { Field } from '../model/catalogue.ts'

/** Takes `count` numbers of an autonumber field, which nobody else gets. Returns the last of them. */
export async function takeNumbers(tx: Transaction, { id }: Field, count: number): Promise<number> {
  const [row] = await tx.runReturning(sql`UPDATE fields SET number_next = number_next + ${count} WHERE id = ${id} RETURNING number_next`)
  return Number(row![0])
}
