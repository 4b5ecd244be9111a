import type { MessagePort } from 'node:worker_threads'
import type { Tally } from '../ground/changes.ts'
import type { LocalLedger, Move } from '../ground/db.ts'

/*
 * Another thread that writes in the database that this thread holds, as its guest: with a connection of its own, in turns
 * with the commit queue. While the guest commits, reads here keep to the snapshot from before, until what this thread
 * knows of the records (store/lists/positions.ts, store/lists/ranks.ts) has followed. So nothing here but writes ever waits for the
 * guest, and what is read and what is known always belong together.
 */

/** What the host says: it is the guest's turn. */
export interface Turn {
  /** Of the catalogue. */
  readonly version: number
  /** Columns whose moves are told. */
  readonly watched: readonly (readonly [tableId: number, column: string])[]
}

/** What the guest says: it waits; it is about to commit; its turn is over. */
export type Said = { readonly waits: true } | { readonly tallies: Float64Array; readonly moves: readonly Move[] } | { readonly over: true }

export interface Host {
  /** Runs the work while no other write does; `wanted` is called as soon as one waits. */
  pause<T>(work: () => Promise<T>, wanted: () => void): Promise<T>
  readonly ledger: LocalLedger
  /** Keeps the reads of this thread to the present snapshot. The function that ends it tells whether there is a newer one. */
  hold(): () => boolean
  turn(): Turn
}

/** Places in the numbers that both threads see: the guest may commit; others wait for their turn. */
export const GO = 0
export const WANTED = 1

/** Gives the guest at the other end of the port its turns, until the port is closed; then it resolves. */
export function welcome(host: Host, port: MessagePort, signals: Int32Array): Promise<void> {
  let gone = false
  let end: (() => void) | undefined
  let follow: (() => void) | undefined

  function over(): void {
    follow?.()
    follow = undefined
    end?.()
    end = undefined
  }

  function begin(): Promise<void> {
    Atomics.store(signals, WANTED, 0)
    return new Promise((done) => {
      end = done
      if (gone) over()
      else port.postMessage(host.turn())
    })
  }

  const wanted = () => void Atomics.store(signals, WANTED, 1)

  function announced(packed: Float64Array, moves: readonly Move[]): void {
    const tallies = unpack(packed)
    const letGo = host.hold()
    host.ledger.beforeOthersCommit(tallies)
    follow = () => (letGo() ? host.ledger.afterCommit(tallies, moves) : host.ledger.afterCommit([], []))
    Atomics.store(signals, GO, 1)
    Atomics.notify(signals, GO)
  }

  port.on('message', (said: Said) => {
    if ('waits' in said) void host.pause(begin, wanted)
    else if ('over' in said) over()
    else announced(said.tallies, said.moves)
  })
  return new Promise((resolve) => {
    // After all that was said before.
    port.on('close', () => {
      gone = true
      over()
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
