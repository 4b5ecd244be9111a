import type { Db, SharedDb } from '../ground/db.ts'
import type { OnFault } from '../ground/fault.ts'
import { distributedPages } from './distributed-pages.ts'
import { distributedPositions } from '../positions/distributed-positions.ts'
import { keepLists, type ListKeeping } from './keep-lists.ts'
import type { ListLimits } from './keep-local.ts'
import { ListSets } from '../sets/list-sets.ts'
import { setListReader } from './set-list-reader.ts'
import { setMemory } from '../sets/set-memory.ts'
import { sharedPages } from './shared-pages.ts'
import { sharedPositions } from '../positions/shared-positions.ts'
import { SharedSource } from '../sets/shared-source.ts'

/** For one server to which several processes write: sets and orders are in the memory of each of them. */
export function keepShared(write: Db['write'], { most, least }: ListLimits, onFault: OnFault): ListKeeping<SharedDb> {
  const positions = sharedPositions(write, onFault)
  return keepLists<SharedDb, typeof positions>(
    positions,
    positions,
    (db) => sharedPages({ db, positions }),
    (parts, bySql) => {
      const { db, catalogue } = parts
      const sets = new ListSets(
        { ...parts, onFault },
        setMemory(most),
        (all) => new SharedSource({ db, positions, catalogue, least, forget: (sets) => all.forget(sets.tableId, sets) }),
      )
      return setListReader({ ...parts, bySql, onFault, sets, instead: new Map() })
    },
  )
}

/** For several servers (Citus), which have no common snapshot: SQL answers all lists. */
export function keepDistributed(write: Db['write'], _limits: ListLimits, onFault: OnFault): ListKeeping<SharedDb> {
  const positions = distributedPositions(write, onFault)
  return keepLists<SharedDb, typeof positions>(positions, positions, (db) => distributedPages({ db, positions }))
}
