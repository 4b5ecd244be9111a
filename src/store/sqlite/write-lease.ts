import type { MessagePort } from 'node:worker_threads'
import type { Tally } from '../ground/changes.ts'
import type { LocalLedger, Move } from '../ground/db.ts'

/*
 * The write lease: of two threads that write to the database, each with a connection of its own, only the one that has it may
 * write. The thread that serves owns it, and lends it to the import writer (import-writer.ts) while its commit queue pauses.
 * While the import writer commits, reads of the thread that serves keep to the snapshot from before, until the counts in memory
 * (store/lists/local-positions.ts, store/lists/ranks.ts) have followed. So reads never wait for the import writer, and a page always
 * belongs to its total; otherwise pages would be missing records or show them twice.
 */

/** To the import writer: it may write until it returns the lease. */
export interface Lease {
  /** Of the catalogue. */
  readonly version: number
  /** Columns whose moves it has to tell. */
  readonly followed: readonly (readonly [tableId: number, column: string])[]
}

/** From the import writer: it asks for the lease; it is about to commit, and waits for MAY_COMMIT; it returns the lease. */
export type FromWriter =
  | { readonly asks: true }
  | { readonly tallies: Float64Array; readonly moves: readonly Move[] }
  | { readonly returns: true }

/** What the thread that serves lends the lease with. */
export interface Lender {
  /** Runs the work while no other write does; `wanted` is called as soon as one waits. */
  pause<T>(work: () => Promise<T>, wanted: () => void): Promise<T>
  readonly ledger: LocalLedger
  /** Keeps the reads of this thread to the present snapshot. The function that ends it tells whether there is a newer one. */
  pinSnapshot(): () => boolean
  lease(): Lease
}

/** Places in `WriterAccess.flags`; 1: the import writer may commit; 1: other writes wait for the lease. */
export const MAY_COMMIT = 0
export const OTHERS_WAIT = 1

/** Lends the lease to the import writer at the other end of the port, as often as it asks. Resolves when the port is closed. */
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

  const wanted = () => void Atomics.store(flags, OTHERS_WAIT, 1)

  function announced(packed: Float64Array, moves: readonly Move[]): void {
    const tallies = unpack(packed)
    const unpin = lender.pinSnapshot()
    lender.ledger.beforeOthersCommit(tallies)
    follow = () => (unpin() ? lender.ledger.afterCommit(tallies, moves) : lender.ledger.afterCommit([], []))
    Atomics.store(flags, MAY_COMMIT, 1)
    Atomics.notify(flags, MAY_COMMIT)
  }

  port.on('message', (message: FromWriter) => {
    if ('asks' in message) void lender.pause(lend, wanted)
    else if ('returns' in message) returned()
    else announced(message.tallies, message.moves)
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

/** As numbers, which go from thread to thread faster than objects. */
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
