import { useSyncExternalStore } from 'react'
import { send, type Document, type Resource } from './client.ts'
import { isConnectionLost, onConnection } from './connection.ts'
import { allKept, eraseKept, keep, keepFor } from './kept.ts'
import { me, queries } from './queries.ts'
import { changed, saveRecord } from './records.ts'
import { writeQueue, type Entry, type Values, type Write } from './write-queue.ts'

/*
 * All changes of single records that a person makes go through here, from the card as from the grid:
 *
 *     const { writes } = useOutbox()                                // or outboxNow() outside of components
 *     const key = change(7, '123', { f3: 'new' }, seen)             // seen: the record as it was read; of a list, without an ETag
 *     insist(key); give(key); tryNow(); forgetSaved(7, '123')
 *
 * `change` answers at once. What was written is in `writes` until it is saved and forgotten, with its state: waiting, sending, saved, refused (with
 * the error) or clash (with their values). The page shows `values` of a write over what the service has told, whatever the state. A write is sent
 * once the one before it of the same record is done; while the service is away, it waits, and a later one of the same attributes takes its place. It is
 * kept in the browser until it is saved, so a reload or the end of the session loses nothing.
 *
 * Each write names the version that the person saw (If-Match). Where that is gone, or not known (rows of lists have none), the record is read: if it holds what was written, the answer to an
 * earlier try was lost and it is saved; if it holds what the person saw, others have changed other fields and it is sent again; otherwise it is a
 * clash. Several attributes of one write are one request. Changes of many records at once are requests of their own (an operation with an
 * Idempotency-Key), not of this queue.
 */

export interface Outbox {
  readonly writes: readonly Entry[]
  /** Writes that are neither saved nor given up. */
  readonly unsaved: number
  /** Whether the service does not answer just now. */
  readonly isAway: boolean
}

let person: string | undefined
let isListening = false
let current: Outbox = { writes: [], unsaved: 0, isAway: false }
const listeners = new Set<() => void>()

const queue = writeQueue({
  save: ({ table, record, values, etag }) => saveRecord(table, record, values, etag),
  read: ({ table, record }) => send<Resource>('GET', `data${table}/${encodeURIComponent(record)}`),
  keep: (key, write) => keep('write', key, write),
  onRecord({ table, record }, answer, isSaved) {
    queries.setQueriesData<Document<Resource>>({ queryKey: ['record', table, record] }, (before) => ({
      ...answer,
      included: before?.included ?? [],
    }))
    if (isSaved) void changed(table)
  },
  // Whoever listens to the end of a session leads to the page to sign in.
  onSignedOut: () => void queries.invalidateQueries({ queryKey: me.queryKey }),
  onChange: show,
  later(go, milliseconds) {
    const timer = setTimeout(go, milliseconds)
    return () => clearTimeout(timer)
  },
})

function show(): void {
  const writes = queue.entries()
  const isAway = isConnectionLost() || queue.isHeld()
  current = { writes, unsaved: writes.filter(({ state }) => state.is !== 'saved').length, isAway }
  for (const listener of listeners) listener()
}

/** For whom writes are kept and sent from now on: what a page before this one has left is sent now. */
export function openOutbox(id: string): void {
  if (person === id) return
  if (!isListening) listen()
  isListening = true
  queue.clear()
  person = id
  keepFor(id)
  const left = [...allKept<Write>('write').values()].sort((one, other) => one.at - other.at)
  for (const write of left) queue.add(write)
}

/** When the session has ended. What is kept stays for the person. */
export function closeOutbox(): void {
  queue.clear()
  person = undefined
  keepFor(undefined)
}

/** When the person signs out: the next one at this browser finds nothing of theirs. */
export function eraseOutbox(): void {
  queue.clear()
  eraseKept()
}

/** What the person saw of the record, at least of the attributes that they change. */
export interface Seen {
  readonly data: Pick<Resource, 'attributes'>
  readonly etag?: string | undefined
}

/** Changes attributes of a record; returns the key of the write. */
export function change(table: number, record: string, values: Values, seen: Seen | undefined): string {
  const key = newKey()
  const expected = Object.fromEntries(Object.keys(values).map((name) => [name, [seen?.data.attributes[name]]]))
  queue.add({ key, at: Date.now(), table, record, values, expected, etag: seen?.etag })
  return key
}

export const { insist, give, tryNow, forget: forgetSaved } = queue

export const outboxNow = (): Outbox => current

export const useOutbox = (): Outbox =>
  useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }, outboxNow)

/** A key that no other write has, for Idempotency-Key too. Not crypto.randomUUID: browsers have that behind https alone. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Milliseconds between questions whether the service is back. */
const PAUSE = 2000
let asking: ReturnType<typeof setTimeout> | undefined

function ask(): void {
  asking = setTimeout(() => {
    send('GET', 'me').catch(() => isConnectionLost() && ask())
  }, PAUSE)
}

/** The browser knows first; what it says is asked of the service itself, which may be on this machine. */
function listen(): void {
  const look = () => send('GET', 'me').then(tryNow, () => undefined)
  // The first answer may still come from before the connection went.
  const watch = (): void => void look().then(() => navigator.onLine || isConnectionLost() || setTimeout(watch, PAUSE))
  addEventListener('online', () => void look())
  addEventListener('offline', watch)
  onConnection(() => {
    show()
    clearTimeout(asking)
    // While it is away it is asked; when it is back, what waits is sent soon.
    if (isConnectionLost()) ask()
    else if (queue.isHeld()) asking = setTimeout(tryNow, PAUSE / 2)
  })
}
