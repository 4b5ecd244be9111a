import type { Catalogue } from './catalogue.ts'
import type { Db } from './db.ts'
import type { Positions } from './positions.ts'

/** What store/indexes.ts needs of the store. */
export interface Indexing {
  readonly db: Db
  readonly positions: Positions
  catalogue(): Catalogue
  /** So many days ago, as the store writes times. */
  time(daysAgo: number): string
}
