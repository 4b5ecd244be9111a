import type { Ledger } from './ground/db.ts'

/**
 * The one list of ledgers, for both engines and for the thread that imports: the counts of the engine, then what else keeps in
 * step with records. Each is told of everything.
 */
export function ledgers<L extends Ledger>(counts: L, others: readonly Ledger[]): L {
  if (others.length === 0) return counts
  const all = [counts, ...others]
  return {
    ...counts,
    images: all.some(({ images }) => images === true),
    sendsAtOnce: all.every(({ sendsAtOnce }) => sendsAtOnce === true),
    async beforeCommit(tx, changes) {
      // The transaction goes on when all of them have ended, also where one has failed.
      const outcomes = await Promise.allSettled(all.map((one) => one.beforeCommit(tx, changes)))
      for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
    },
    afterCommit(tallies, moves) {
      for (const one of all) one.afterCommit(tallies, moves)
    },
  }
}
