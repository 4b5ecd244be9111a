import { fail } from '../../errors.ts'
import type { Limit } from '../../limits.ts'
import { name, sql, type Sql } from '../../sql/sql.ts'
import type { Transaction } from './db.ts'
import type { Uses } from './store.ts'

/**
 * Called in a transaction before it adds a row to the table. Other transactions that add rows for the same owner wait until its end.
 * `which`: the rows that count; `owner`: the id of a user, 0 for the installation.
 * @throws `quota.reached`
 */
export async function mustHaveRoom(
  store: Uses<'db'>,
  tx: Transaction,
  limit: Limit,
  { table, which = sql`1 = 1`, owner = 0 }: { readonly table: string; readonly which?: Sql; readonly owner?: number },
): Promise<void> {
  await lockOwner(store, tx, owner)
  const [row] = await tx.all(sql`SELECT count(*) FROM ${name(table)} WHERE ${which}`)
  if (Number(row![0]) >= limit.most) throw fail('quota.reached', { most: limit.most, of: limit.of })
}

/** Until the end of the transaction. */
export async function lockOwner({ db: { dialect } }: Uses<'db'>, tx: Transaction, owner: number): Promise<void> {
  const row = owner > 0 ? sql`SELECT id FROM users WHERE id = ${owner}` : sql`SELECT name FROM meta WHERE name = 'instance'`
  await tx.all(sql`${row}${dialect.forUpdate}`)
}
