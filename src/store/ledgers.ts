import type { Ledger } from './ground/db.ts'
import type { OnFault } from './ground/fault.ts'

/**
 * The one list of ledgers, for both engines and for the thread that imports: the counts of the engine, then what else keeps in
 * step with records. Each is told of everything.
 */
export function ledgers<L extends Ledger>(counts: L, others: readonly Ledger[], onFault: OnFault): L {
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
      // The write has succeeded: where one of them fails now, the others are told all the same.
      for (const one of all) {
        try {
          one.afterCommit(tallies, moves)
        } catch (error) {
          onFault('a ledger failed after a commit', error)
        }
      }
    },
  }
}
