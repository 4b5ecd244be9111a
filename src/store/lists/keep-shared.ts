import type { Db } from '../ground/db.ts'
import type { OnFault } from '../ground/fault.ts'
import { distributedPages } from './distributed-pages.ts'
import { distributedPositions } from './distributed-positions.ts'
import { keepLists, type ListKeeping } from './keep-lists.ts'
import { sharedPages } from './shared-pages.ts'
import { sharedPositions } from './shared-positions.ts'

/** For one server to which several processes write. */
export function keepShared(write: Db['write'], onFault: OnFault): ListKeeping {
  const positions = sharedPositions(write, onFault)
  return keepLists(positions, positions, (db, indexes) => sharedPages({ db, positions, indexes, onFault }))
}

/** For several servers (Citus). */
export function keepDistributed(write: Db['write'], onFault: OnFault): ListKeeping {
  const positions = distributedPositions(write, onFault)
  return keepLists(positions, positions, (db) => distributedPages({ db, positions }))
}
