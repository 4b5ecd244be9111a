import type { Catalogue } from '../model/catalogue.ts'
import type { ServedDb } from '../ground/db.ts'
import type { OnFault } from '../ground/fault.ts'
import type { Positions } from '../ground/positions.ts'

/** What store/indexes/indexes.ts needs of the store. */
export interface Indexing {
  readonly db: ServedDb
  readonly positions: Positions
  readonly onFault: OnFault
  catalogue(): Catalogue
  /** So many days ago, as the store writes times. */
  time(daysAgo: number): string
}
