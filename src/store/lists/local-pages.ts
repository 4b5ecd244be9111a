import { name, sql } from '../../sql/sql.ts'
import type { LocalDb } from '../ground/db.ts'
import type { Positions } from '../ground/positions.ts'
import type { Granted } from '../model/access.ts'
import { recordsOf } from '../model/catalogue.ts'
import { shownList } from '../records/read-records.ts'
import type { PageRows } from './list-reader.ts'
import { pageAtPosition, type WholePages } from './whole-pages.ts'

/** What pages of whole tables are read with in SQLite. */
export interface LocalParts {
  readonly db: LocalDb
  readonly positions: Positions
}

/** Pages of whole tables by id in SQLite, by counts per block (positions.ts). Those in other orders are read from sets (set-list-reader.ts). */
export function localPages(parts: LocalParts): WholePages {
  const { db, positions } = parts
  return {
    async byId(granted, offset, limit) {
      const { id } = granted.table
      await positions.ready(id)
      return pageAtPosition(db, positions, granted, positions.locate(id, offset), limit)
    },
    sorted: async (granted, key, offset, limit) => (key.attribute.column === 'id' ? lastFirst(parts, granted, offset, limit) : undefined),
    idle: () => Promise.resolve(),
  }
}

/** By id, descending: the page counted from the end, reversed. */
async function lastFirst(
  { db, positions }: LocalParts,
  { table, attributes }: Granted<'read'>,
  offset: number,
  limit: number,
): Promise<PageRows> {
  await positions.ready(table.id)
  const total = Number(db.readNow(positions.total(table.id))[0]![0]![0])
  const begin = Math.max(0, total - offset - limit)
  const position = positions.locate(table.id, begin)
  if (!position || offset >= total) return { rows: [], total }
  const page = sql`SELECT ${shownList(attributes, db.dialect)} FROM ${name(recordsOf(table.id))}
    WHERE id >= ${position.id} ORDER BY id LIMIT ${total - offset - begin} OFFSET ${position.skip}`
  return { rows: db.readNow(page)[0]!.toReversed(), total }
}
