import { ofRecords } from './ground/changes.ts'
import type { Ledger } from './ground/db.ts'
import type { OnFault } from './ground/fault.ts'
import { localChangeLog, sharedChangeLog, type Clock } from './changes/change-log.ts'

/**
 * The list of ledgers beside the counts of the engine: made anew wherever records are written, which is each process that opens a store
 * (open.ts) and the thread of each import (open-import-writer.ts). A ledger in it is told of the changes of all of them. It keeps nothing
 * in memory from `beforeCommit` to `afterCommit`: of an import in a thread, the thread's instance gets the one, that of the thread that
 * serves the other. What `restore` and `migrate-store` copy is told to no ledger.
 */
export const recordLedgers = (clock: Clock, isShared: boolean): readonly Ledger[] => [
  isShared ? sharedChangeLog(clock) : localChangeLog(clock),
]

/**
 * One ledger that passes everything on: first to the counts of the engine, which alone take `beforeOthersCommit`, then to the others.
 * The counts are told of records only.
 */
export function combineLedgers<L extends Ledger>(counts: L, others: readonly Ledger[], onFault: OnFault): L {
  const counting: Ledger = {
    ...counts,
    beforeCommit: (tx, changes, before) => counts.beforeCommit(tx, ofRecords(changes), before),
    afterCommit: (tallies) => counts.afterCommit(ofRecords(tallies)),
  }
  const all = [counting, ...others]
  return {
    ...counts,
    images: all.some(({ images }) => images === true),
    sendsAtOnce: all.every(({ sendsAtOnce }) => sendsAtOnce === true),
    mostTogether: Math.min(...all.map(({ mostTogether = Infinity }) => mostTogether)),
    async beforeCommit(...given) {
      // The transaction goes on when all of them have ended, also where one has failed.
      const outcomes = await Promise.allSettled(all.map((one) => one.beforeCommit(...given)))
      for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
    },
    undone() {
      for (const one of all) one.undone?.()
    },
    afterCommit(tallies) {
      // The write has succeeded: where one of them fails now, the others are told all the same.
      for (const one of all) {
        try {
          one.afterCommit(tallies)
        } catch (error) {
          onFault('a ledger failed after a commit', error)
        }
      }
    },
  }
}
