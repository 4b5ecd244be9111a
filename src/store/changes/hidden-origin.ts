import { builtIn } from '../../fields/index.ts'
import { constant, sql, type Sql } from '../../sql/sql.ts'
import { inList, tablesHiding } from '../catalogue/visible.ts'
import type { Uses } from '../ground/store.ts'
import type { Caller } from '../model/access.ts'
import { actions } from './codes.ts'

/* A created record tells its user_id and add_time. Where these are hidden from the caller, its creation does not tell them either. */

/** Of changes, the columns that tell who made them, and when. */
export const origin = { userId: sql`user_id`, tokenId: sql`token_id`, madeAt: sql`made_at` }

const NO_TIME = String(builtIn.datetime.empty)

/** The tables whose records do not tell the caller who created them, and when; undefined: there are none. */
export function tablesWithoutOrigin(store: Uses<'catalogue'>, caller: Caller) {
  const [authors, times] = [tablesHiding(store, caller, 'user_id'), tablesHiding(store, caller, 'add_time')]
  return authors.length === 0 && times.length === 0 ? undefined : { authors, times }
}

/** The columns of `origin` as the caller is shown them; undefined: as they are. */
export function hiddenOrigin(store: Uses<'db' | 'catalogue'>, caller: Caller): typeof origin | undefined {
  const tables = tablesWithoutOrigin(store, caller)
  if (!tables) return undefined
  const unless = (hiding: readonly number[], hidden: Sql, column: Sql) =>
    sql`CASE WHEN action = ${constant(actions.create)} AND ${inList(store.db.dialect, 'table_id', hiding)} THEN ${hidden} ELSE ${column} END`
  return {
    userId: unless(tables.authors, sql`0`, origin.userId),
    tokenId: unless(tables.authors, sql`0`, origin.tokenId),
    madeAt: unless(tables.times, constant(NO_TIME), origin.madeAt),
  }
}

interface Shown {
  readonly tableId: number
  readonly action: string
}

/** The same of changes that were read: those that are shown as `create`. */
export function withoutOrigin(store: Uses<'catalogue'>, caller: Caller): <T extends Shown>(change: T) => T {
  const tables = tablesWithoutOrigin(store, caller)
  if (!tables) return (change) => change
  return (change) =>
    change.action === 'create'
      ? {
          ...change,
          ...(tables.authors.includes(change.tableId) && { userId: 0, tokenId: 0 }),
          ...(tables.times.includes(change.tableId) && { madeAt: NO_TIME }),
        }
      : change
}
