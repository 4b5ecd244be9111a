import type { Db } from '../ground/db.ts'
import type { OnFault } from '../ground/fault.ts'
import type { Indexes } from '../ground/indexes.ts'
import type { Positions } from '../ground/positions.ts'
import { distributedPages } from './distributed-pages.ts'
import { distributedPositions } from './distributed-positions.ts'
import { sharedPages } from './shared-pages.ts'
import { sharedPositions } from './shared-positions.ts'
import type { WholePages } from './whole-pages.ts'

/** How counts are kept, and the pages that are found by them. */
export interface Keeping {
  readonly positions: Positions
  wholePages(db: Db, indexes: Indexes): WholePages
}

/** On one server that several processes write to. */
export function keepShared(write: Db['write'], onFault: OnFault): Keeping {
  const positions = sharedPositions(write, onFault)
  return { positions, wholePages: (db, indexes) => sharedPages({ db, positions, indexes, onFault }) }
}

/** On several servers. */
export function keepDistributed(write: Db['write'], onFault: OnFault): Keeping {
  const positions = distributedPositions(write, onFault)
  return { positions, wholePages: (db) => distributedPages({ db, positions }) }
}
