import type { Target } from '../../fields/field-type.ts'
import { name, parameters, sql, type Sql } from '../../sql/sql.ts'
import { grant, rightsOn, type View } from '../model/access.ts'
import { recordsOf } from '../model/catalogue.ts'
import type { Transaction } from '../ground/db.ts'
import { groups } from '../people/groups.ts'
import { and, readCondition } from './read-records.ts'
import type { Uses } from '../ground/store.ts'
import { users } from '../people/users.ts'

/** The caller, with the structure and rights that decide what they see. */
type Viewer = Pick<View, 'caller' | 'catalogue'>

/** The ids that refer to nothing that exists for the caller. */
export async function missing(
  store: Uses<'db' | 'context' | 'catalogue'>,
  tx: Pick<Transaction, 'all'>,
  granted: Viewer,
  target: Target,
  tableId: number,
  ids: readonly number[],
): Promise<number[]> {
  const from = target === 'record' ? readable(store, granted, tableId) : await seen(store, granted, target)
  if (!from) return [...ids]
  const found = new Set<number>()
  for (let i = 0; i < ids.length; i += 500) {
    const some = ids.slice(i, i + 500)
    const rows = await tx.all(sql`SELECT id FROM ${from} AND id IN (${parameters(some)})`)
    for (const [id] of rows) found.add(Number(id))
  }
  return ids.filter((id) => !found.has(id))
}

function readable(store: Uses<'db' | 'context'>, { caller, catalogue }: Viewer, tableId: number): Sql | undefined {
  if (!rightsOn(tableId, caller, catalogue).has('read')) return undefined
  return sql`${name(recordsOf(tableId))} WHERE 1 = 1${and(readCondition(store, grant('read', tableId, caller, catalogue)))}`
}

async function seen(store: Uses<'db' | 'catalogue'>, { caller }: Viewer, target: Exclude<Target, 'record'>): Promise<Sql> {
  const { table, visible: exists } = { user: users, group: groups }[target]
  return sql`${name(table)} WHERE ${(await exists(store, caller)) ?? sql`1 = 1`}`
}
