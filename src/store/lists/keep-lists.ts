import type { Db, Ledger } from '../ground/db.ts'
import type { Indexes } from '../ground/indexes.ts'
import type { Pages } from '../ground/pages.ts'
import type { Positions } from '../ground/positions.ts'
import type { Uses } from '../ground/store.ts'
import { listMemory } from './list-memory.ts'
import { pages } from './pages.ts'
import { sqlListReader } from './sql-list-reader.ts'
import type { WholePages } from './whole-pages.ts'

/** What a store uses of lists/: counts that follow each commit, and the pages that are read with them. */
export interface ListKeeping<D extends Db = Db, L extends Ledger = Ledger> {
  readonly ledger: L
  readonly positions: Positions
  pages(store: { readonly db: D } & Uses<'indexes' | 'context' | 'catalogue'>): Pages
}

export const keepLists = <D extends Db, L extends Ledger>(
  ledger: L,
  positions: Positions,
  wholePages: (db: D, indexes: Indexes) => WholePages,
): ListKeeping<D, L> => ({
  ledger,
  positions,
  pages(store) {
    const whole = wholePages(store.db, store.indexes)
    return pages(store, sqlListReader({ ...store, positions, whole, memory: listMemory() }))
  },
})
