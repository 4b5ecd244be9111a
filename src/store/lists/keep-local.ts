import type { LocalDb, LocalLedger, Reader } from '../ground/db.ts'
import { keepLists, type ListKeeping } from './keep-lists.ts'
import { localPages } from './local-pages.ts'
import { localPositions } from './local-positions.ts'
import { ranksOf, type Ranks } from './ranks.ts'

/** For a database to which only this process writes (SQLite): counts, and places along indexes, are in memory. */
export function keepLocal(read: Reader['read']): ListKeeping<LocalDb, LocalLedger> {
  const positions = localPositions(read)
  let ranks: Ranks | undefined
  const ledger: LocalLedger = {
    ...positions,
    afterCommit(tallies, moves) {
      positions.afterCommit(tallies, moves)
      ranks?.moved(moves)
    },
  }
  return keepLists(ledger, positions, (db: LocalDb, indexes) => localPages({ db, positions, indexes, ranks: (ranks = ranksOf(db)) }))
}
