import { sql } from '../../sql/sql.ts'
import type { Db } from '../ground/db.ts'
import type { DistributedPositions } from '../positions/distributed-positions.ts'
import { pageAtPosition, type WholePages } from './whole-pages.ts'

/**
 * Pages of whole tables whose records are on several servers, and whose counts are on one. The position is read first, by a query of its own:
 * only with a number as its limit does each server send no more than the page. Sorted pages are found as those of any other list.
 */
export function distributedPages({ db, positions }: { readonly db: Db; readonly positions: DistributedPositions }): WholePages {
  return {
    async byId(granted, offset, limit) {
      const found = offset > 0 ? await read(granted.table.id, offset) : { prelude: sql``, id: 0, skip: 0 }
      return pageAtPosition(db, positions, granted, found, limit)
    },
    sorted: async () => undefined,
    idle: () => Promise.resolve(),
  }

  async function read(tableId: number, offset: number) {
    const [row] = (await db.read(positions.numbers(tableId, offset)))[0]!
    return row && { prelude: sql``, id: Number(row[0]), skip: Number(row[1]) }
  }
}
