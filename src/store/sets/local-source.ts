import type { Sql } from '../../sql/sql.ts'
import type { LocalDb } from '../ground/db.ts'
import type { LocalPositions } from '../ground/positions.ts'
import type { CommitHold } from './commit-hold.ts'
import { valuesOf } from './set-queries.ts'
import { LARGE, type Fresh, type SetSource } from './set-source.ts'
import type { TableSets } from './table-sets.ts'

/** For a database in this process (SQLite): commits are told to the log of each table, and records are read in the turn in which they are needed. */
export function localSource(db: LocalDb, positions: LocalPositions, hold: CommitHold, least: number): SetSource {
  /** A commit of another thread may be in the answer and not in the log yet. */
  async function read<T>({ log }: TableSets, ask: () => Promise<T>): Promise<Fresh<T>> {
    const seen = log.end
    const answer = await ask()
    await hold.released()
    return { answer, seen }
  }
  const readNow = (query: Sql) => db.readNow(query)[0]!
  return {
    async answered({ id }) {
      await positions.ready(id)
      if (!positions.locate(id, least - 1)) return 'by SQL'
      return positions.locate(id, LARGE - 1) ? 'by sets' : 'by sets of a table that is not large'
    },
    isLonger: ({ id }, records) => positions.locate(id, records) !== undefined,
    startAhead: async () => db.startAhead?.(),
    begun: () => undefined,
    set: (sets, by, query) => read(sets, async () => db.readSetAside(by, await query)),
    order: (sets, by, ids) => read(sets, () => db.readOrderAside(by, ids)),
    column: (sets, by, table, attribute) => read(sets, () => db.readColumnAside(by, valuesOf(table, attribute, db.dialect))),
    areShownRight({ shown }) {
      const compared = shown.some()
      return !compared || shown.areStill(compared, readNow(compared.as.query(compared.ids)))
    },
    rows(sets, plan) {
      const { ids, shown, areKept } = plan
      if (shown && areKept) return sets.shown.rows(shown, ids, readNow)
      const { query } = plan
      return query ? readNow(query) : []
    },
  }
}
