import type { LocalDb, LocalLedger, Reader } from '../ground/db.ts'
import type { OnFault } from '../ground/fault.ts'
import { keepLists, type ListKeeping } from './keep-lists.ts'
import { ListSets } from '../sets/list-sets.ts'
import { localPages } from './local-pages.ts'
import { localSource } from '../sets/local-source.ts'
import { localPositions } from '../positions/local-positions.ts'
import { setListReader } from './set-list-reader.ts'
import { setMemory, type SetMemory } from '../sets/set-memory.ts'

export interface ListLimits {
  /** Bytes of sets and orders. */
  readonly most: number
  /** Records of a table from which on its lists are answered from them. */
  readonly least: number
}

/** For a database to which only this process writes (SQLite): counts, sets and orders are in memory. */
export function keepLocal(
  read: Reader['read'],
  { most, least }: ListLimits,
  onFault: OnFault,
): ListKeeping<LocalDb, LocalLedger> & { readonly memory: SetMemory } {
  const positions = localPositions(read)
  const memory = setMemory(most)
  let sets: ListSets | undefined
  const ledger: LocalLedger = {
    beforeCommit(tx, changes, before) {
      sets?.hold.tell(changes)
      return positions.beforeCommit(tx, changes, before)
    },
    undone: () => sets?.hold.undone(),
    beforeOthersCommit(tallies) {
      positions.beforeOthersCommit(tallies)
      sets?.hold.hold()
    },
    afterCommit(tallies) {
      positions.afterCommit(tallies)
      sets?.committed(tallies)
    },
  }
  const keeping = keepLists<LocalDb, LocalLedger>(
    ledger,
    positions,
    (db) => localPages({ db, positions }),
    (parts, bySql) => {
      sets = new ListSets({ ...parts, onFault }, memory, ({ hold }) => localSource(parts.db, positions, hold, least))
      return setListReader({ ...parts, bySql, onFault, sets, instead: new Map() })
    },
  )
  return { ...keeping, memory }
}
