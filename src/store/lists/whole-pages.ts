import type { SortKey } from '../../filter/sort.ts'
import { name, sql } from '../../sql/sql.ts'
import type { Db } from '../ground/db.ts'
import type { Position, Positions } from '../ground/positions.ts'
import type { Granted } from '../model/access.ts'
import { recordsOf } from '../model/catalogue.ts'
import { shownList } from '../records/read-records.ts'
import type { PageRows } from './list-reader.ts'

/**
 * Pages of all records of a table, at any offset without skipping the records before it. One implementation for each way of
 * keeping counts: local-pages.ts (SQLite), shared-pages.ts (PostgreSQL), distributed-pages.ts (Citus).
 */
export interface WholePages {
  /** In the order of the ids. */
  byId(granted: Granted<'read'>, offset: number, limit: number): Promise<PageRows>
  /** Sorted by one field, or by id descending. Undefined: the page has to be read as that of a filtered list. */
  sorted(granted: Granted<'read'>, key: SortKey, offset: number, limit: number): Promise<PageRows | undefined>
  /** Resolves when no work for later pages is running. */
  idle(): Promise<unknown>
}

/** The page at a position by id; undefined: behind the last record. */
export async function pageAtPosition(
  db: Db,
  positions: Positions,
  { table, attributes }: Granted<'read'>,
  position: Position | undefined,
  limit: number,
): Promise<PageRows> {
  const total = positions.total(table.id)
  const [counted, rows = []] = await (position
    ? db.forLists.read(
        total,
        sql`${position.prelude}SELECT ${shownList(attributes, db.dialect)} FROM ${name(recordsOf(table.id))}
          WHERE id >= ${position.id} ORDER BY id LIMIT ${limit} OFFSET ${position.skip}`,
      )
    : db.forLists.read(total))
  return { rows, total: Number(counted![0]?.[0] ?? 0) }
}
