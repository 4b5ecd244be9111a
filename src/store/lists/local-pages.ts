import { name, sql } from '../../sql/sql.ts'
import type { LocalDb } from '../ground/db.ts'
import type { Indexes } from '../ground/indexes.ts'
import type { Positions } from '../ground/positions.ts'
import type { Granted } from '../model/access.ts'
import { recordsOf } from '../model/catalogue.ts'
import { shownList } from '../records/read-records.ts'
import { servedOrder } from './order.ts'
import { pageFrom, type Ranks } from './ranks.ts'
import type { PageRows } from './list-reader.ts'
import { pageAtPosition, type WholePages } from './whole-pages.ts'

/** What pages of whole tables are read with in SQLite. */
export interface LocalParts {
  readonly db: LocalDb
  readonly positions: Positions
  readonly indexes: Indexes
  readonly ranks: Ranks
}

/** Pages of whole tables in SQLite: by counts per block (positions.ts), or by places along an index (ranks.ts). */
export function localPages(parts: LocalParts): WholePages & { readonly parts: LocalParts } {
  const { db, positions, indexes, ranks } = parts
  const { dialect, readNow } = db
  return {
    parts,
    async byId(granted, offset, limit) {
      const { id } = granted.table
      await positions.ready(id)
      return pageAtPosition(db, positions, granted, positions.locate(id, offset), limit)
    },
    async sorted(granted, key, offset, limit) {
      if (key.attribute.column === 'id') return lastFirst(parts, granted, offset, limit)
      const { table, attributes } = granted
      const order = servedOrder(indexes, table.id, key, dialect)
      if (!order) return undefined
      const select = shownList(attributes, dialect)
      return ranks.at(order, offset, (place) => {
        const [counted, ...rows] = readNow(positions.total(table.id), ...(place ? pageFrom(order, place, select, limit) : []))
        return { rows: rows.flat(), total: Number(counted![0]![0]) }
      })
    },
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
