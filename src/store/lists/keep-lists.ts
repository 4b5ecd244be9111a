import type { Db, Ledger } from '../ground/db.ts'
import type { Indexes } from '../ground/indexes.ts'
import type { Pages } from '../ground/pages.ts'
import type { Positions } from '../ground/positions.ts'
import type { Uses } from '../ground/store.ts'
import { listMemory } from './list-memory.ts'
import type { ListReader } from './list-reader.ts'
import { pages } from './pages.ts'
import { sqlListReader, type SqlListReader } from './sql-list-reader.ts'
import type { WholePages } from './whole-pages.ts'

/** What a store uses of lists/: counts that follow each commit, and the pages that are read with them. */
export interface ListKeeping<D extends Db = Db, L extends Ledger = Ledger> {
  readonly ledger: L
  readonly positions: Positions
  pages(store: ForLists<D>): Pages
}

type ForLists<D extends Db> = { readonly db: D } & Uses<'indexes' | 'context' | 'catalogue'>

export const keepLists = <D extends Db, L extends Ledger>(
  ledger: L,
  positions: Positions,
  wholePages: (db: D, indexes: Indexes) => WholePages,
  /** What answers lists instead of SQL alone. */
  readerOver: (parts: ForLists<D> & Uses<'positions'>, bySql: SqlListReader) => ListReader = (_, bySql) => bySql,
): ListKeeping<D, L> => ({
  ledger,
  positions,
  pages(store) {
    const whole = wholePages(store.db, store.indexes)
    const bySql = sqlListReader({ ...store, positions, whole, memory: listMemory() })
    return pages(store, readerOver({ ...store, positions }, bySql))
  },
})
