import type { Store } from '../../src/store/ground/store.ts'
import type { LocalDb } from '../../src/store/ground/db.ts'
import type { LocalPositions } from '../../src/store/ground/positions.ts'
import { ListSets } from '../../src/store/sets/list-sets.ts'
import { localSource } from '../../src/store/sets/local-source.ts'
import { setMemory } from '../../src/store/sets/set-memory.ts'
import type { pages } from '../../src/store/lists/pages.ts'
import type { SetListParts } from '../../src/store/lists/set-list-reader.ts'
import type { ListParts, SqlListReader } from '../../src/store/lists/sql-list-reader.ts'

const readerOf = (store: Store) =>
  (store.pages as ReturnType<typeof pages<SqlListReader & { readonly parts: ListParts | SetListParts }>>).reader.parts as
    | ListParts
    | SetListParts

/** What the lists of a store are answered from by SQL. */
export function partsOf(store: Store): ListParts {
  const parts = readerOf(store)
  return 'bySql' in parts ? (parts.bySql as SqlListReader).parts : parts
}

/** What the lists of a store over SQLite are answered from. */
export const setPartsOf = (store: Store): SetListParts & { readonly db: LocalDb } =>
  readerOf(store) as SetListParts & { readonly db: LocalDb }

/** Sets of which nothing is known yet, that are read of this database. */
export const setsOver = (store: Store, db: LocalDb, bytes = Infinity): ListSets =>
  new ListSets({ ...setPartsOf(store), db }, setMemory(bytes), ({ hold }) =>
    localSource(db, partsOf(store).positions as LocalPositions, hold, 1_000),
  )
