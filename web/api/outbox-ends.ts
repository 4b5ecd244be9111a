import type { Resource } from './client.ts'
import type { Values } from './write-queue.ts'

/* Who is told what became of the changes of the outbox. */

/** A list that is shown: it takes what is saved into its rows. */
export interface Follower {
  readonly table: number
  /** Whether the record is among those that it has. */
  has(record: string): boolean
  /** Records as the service holds them, and what of them was saved just now. */
  told(
    records: readonly Resource[],
    included: readonly Resource[],
    saved: readonly { readonly record: string; readonly values: Values }[],
  ): void
}

let followers: readonly Follower[] = []

/** Returns what ends it. */
export function followOutbox(follower: Follower): () => void {
  followers = [...followers, follower]
  shownOther()
  return () => {
    followers = followers.filter((one) => one !== follower)
    shownOther()
  }
}

const listeners = new Set<() => void>()
let version = 0

/** A list shows other records than before. */
export function shownOther(): void {
  version++
  for (const listener of listeners) listener()
}

/** For useSyncExternalStore: which records are shown. */
export const shownRecords = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  version: () => version,
}

/** Whether a list of the table is shown. */
export function tellFollowers(table: number, ...what: Parameters<Follower['told']>): boolean {
  const shown = followers.filter((one) => one.table === table)
  for (const one of shown) one.told(...what)
  return shown.length > 0
}

/** Whether the records are in a list that is shown. */
export const isShown = (table: number, records: readonly string[]): boolean =>
  followers.some((one) => one.table === table && records.every((record) => one.has(record)))

const waiters = new Map<string, (end: unknown) => void>()

/** Resolves to what the record holds, to the ids of batches, or to why it was refused; undefined: the person has to decide, or has given it up. */
export const endOf = (key: string): Promise<unknown> => new Promise((tell) => waiters.set(key, tell))

/** Whether somebody waited for it. */
export function settle(key: string, end: unknown): boolean {
  const tell = waiters.get(key)
  waiters.delete(key)
  tell?.(end)
  return tell !== undefined
}

/** Nobody waits any longer for those of which `isOver` is true. */
export function settleAll(isOver: (key: string) => boolean): void {
  for (const key of [...waiters.keys()].filter(isOver)) queueMicrotask(() => settle(key, undefined))
}
