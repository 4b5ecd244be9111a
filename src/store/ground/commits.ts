import type { Ledger } from './db.ts'

/** Tells functions of this process that something was committed. */
export interface Commits {
  /** To be told by the engine. */
  readonly ledger: Ledger
  /** Calls a function after each commit of this process, also of the thread of an import. Returns how to end that. */
  onCommit(call: () => void): () => void
}

export function commitSignal(): Commits {
  const calls = new Set<() => void>()
  return {
    ledger: {
      sendsAtOnce: true,
      beforeCommit: () => nothing,
      afterCommit() {
        for (const call of calls) call()
      },
    },
    onCommit(call) {
      calls.add(call)
      return () => void calls.delete(call)
    },
  }
}

const nothing = Promise.resolve()
