import type { Store } from '../../src/store/ground/store.ts'
import type { pages } from '../../src/store/lists/pages.ts'
import type { sqlListReader, ListParts } from '../../src/store/lists/sql-list-reader.ts'

/** What the lists of a store are answered from. */
export const partsOf = (store: Store): ListParts => (store.pages as ReturnType<typeof pages<ReturnType<typeof sqlListReader>>>).reader.parts
