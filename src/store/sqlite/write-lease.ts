import type { MessagePort } from 'node:worker_threads'
import type { Tally } from '../ground/changes.ts'
import type { LocalLedger } from '../ground/db.ts'

/*
 * The write lease. Two threads write to the database, each with its own connection; only the one with the lease may write. The thread that
 * serves owns it, and lends it to the import writer (import-writer.ts) while its commit queue pauses. While the import writer commits, the
 * thread that serves reads from the snapshot before the commit, until the counts in memory (store/positions/local-positions.ts,
 * store/sets/list-sets.ts) are updated. So reads never wait for the import writer, and a page always matches its total. Otherwise pages could
 * miss records or show them twice.
 */

/** A message to the import writer, which may write until it returns the lease. */
export interface Lease {
  /** The version of the catalogue. */
  readonly version: number
}

/** A message from the import writer: it requests the lease; it is about to commit and waits for MAY_COMMIT; it returns the lease. */
export type FromWriter = { readonly asks: true } | { readonly tallies: Float64Array } | { readonly returns: true }

/** What lending the lease needs of the thread that serves. */
export interface Lender {
  /** Runs the work while no other write runs. `onWaiting` is called as soon as a write waits. */
  pause<T>(work: () => Promise<T>, onWaiting: () => void): Promise<T>
  readonly ledger: LocalLedger
  /** Lets this thread read from the present snapshot only. The returned function ends that, and returns whether there is a newer one. */
  pinSnapshot(): () => boolean
  lease(): Lease
}

/** Indexes in `WriterAccess.flags`. MAY_COMMIT is 1 if the import writer may commit, OTHERS_WAIT if other writes wait for the lease. */
export const MAY_COMMIT = 0
export const OTHERS_WAIT = 1

/** Lends the lease to the import writer at the other end of the port each time it requests it. Resolves when the port is closed. */
export function lendTo(port: MessagePort, flags: Int32Array, lender: Lender): Promise<void> {
  let isClosed = false
  let resume: (() => void) | undefined
  let follow: (() => void) | undefined

  function returned(): void {
    follow?.()
    follow = undefined
    resume?.()
    resume = undefined
  }

  function lend(): Promise<void> {
    Atomics.store(flags, OTHERS_WAIT, 0)
    return new Promise((done) => {
      resume = done
      if (isClosed) returned()
      else port.postMessage(lender.lease())
    })
  }

  const onWaiting = () => void Atomics.store(flags, OTHERS_WAIT, 1)

  function announced(packed: Float64Array): void {
    const tallies = unpack(packed)
    const unpin = lender.pinSnapshot()
    lender.ledger.beforeOthersCommit(tallies)
    follow = () => lender.ledger.afterCommit(unpin() ? tallies : [])
    Atomics.store(flags, MAY_COMMIT, 1)
    Atomics.notify(flags, MAY_COMMIT)
  }

  port.on('message', (message: FromWriter) => {
    if ('asks' in message) void lender.pause(lend, onWaiting)
    else if ('returns' in message) returned()
    else announced(message.tallies)
  })
  return new Promise((resolve) => {
    // Comes after all messages that were sent before.
    port.on('close', () => {
      isClosed = true
      returned()
      resolve()
    })
  })
}

/** Tallies as numbers, which pass from thread to thread faster than objects. */
export function pack(tallies: readonly Tally[]): Float64Array {
  const packed = new Float64Array(tallies.length * 3)
  let i = 0
  for (const { tableId, recordId, change } of tallies) {
    packed[i++] = tableId
    packed[i++] = recordId
    packed[i++] = change
  }
  return packed
}

const unpack = (packed: Float64Array): Tally[] =>
  Array.from({ length: packed.length / 3 }, (_, i) => ({
    tableId: packed[i * 3]!,
    recordId: packed[i * 3 + 1]!,
    change: packed[i * 3 + 2] as Tally['change'],
  }))
