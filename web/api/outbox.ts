import { useSyncExternalStore } from 'react'
import { batchQueue, doesTouch, isPending, isStopped, type Batch, type BatchEntry, type CellsOf } from './batch-queue.ts'
import { ApiError, type Document, type Resource } from './client.ts'
import { isConnectionLost } from './connection.ts'
import { watchConnection } from './connection-watch.ts'
import { takeVersion } from './foreseen.ts'
import { newKey } from './keys.ts'
import { allKept, eraseKept, keep, keepFor } from './kept.ts'
import { me, queries } from './queries.ts'
import { changed, readAttributes, readRecord, removeRecords, saveRecord, writeRecords, wrote } from './records.ts'
import { endOf, settle, settleAll, tellFollowers } from './outbox-ends.ts'
import { noteWrites } from './own-writes.ts'
import { batchOf } from './batches-of-acts.ts'
import { withTold } from './told-values.ts'
import { did, didChange } from './undo.ts'
import { writeQueue, type Entry, type Values, type Write } from './write-queue.ts'

/*
 * All changes of records that a person makes go through here, from the card as from the grid:
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
 * clash. Several attributes of one write are one request.
 *
 * `changeMany` changes, makes and removes records, each part as one batch of the service (batch-queue.ts). New records have an Idempotency-Key; a
 * batch that had to wait is compared with what the records hold before it is sent, and its cells that others have changed become clashes of their own.
 */

export interface Outbox {
  readonly writes: readonly Entry[]
  readonly batches: readonly BatchEntry[]
  /** Writes and batches that are neither saved nor given up. */
  readonly unsaved: number
  /** Whether the service does not answer just now. */
  readonly isAway: boolean
  /** Whether it answers, and has no room to write. */
  readonly isFull: boolean
  /** How many writes and batches were saved, and how many batches were refused, since the page was opened. */
  readonly ended: { readonly saved: number; readonly refused: number }
}

let person: string | undefined
let isListening = false
let current: Outbox = { writes: [], batches: [], unsaved: 0, isAway: false, isFull: false, ended: { saved: 0, refused: 0 } }
const listeners = new Set<() => void>()

const queue = writeQueue({
  save({ table, record, values, etag, include }) {
    noteWrites(table, [record])
    return noticed(saveRecord(table, record, values, etag, include))
  },
  read: ({ table, record, include }) => readRecord(table, record, include),
  keep: (key, write) => keep('write', key, write),
  onRecord(write, answer, isSaved) {
    const { table, record } = write
    const newest = withTold(answer)
    queries.setQueriesData<Document<Resource>>({ queryKey: ['record', table, record] }, (before) => ({
      ...newest,
      included: before?.included ?? [],
    }))
    const isShown = tellFollowers(table, [newest.data], newest.included ?? [], isSaved ? [write] : [])
    if (!isSaved) return
    count('saved')
    const saved = [{ ...write, now: answer.data.attributes }]
    void (isShown ? wrote(table, saved) : changed(table, saved))
    if (write.isAct && !settle(write.key, answer.data.attributes)) remember(write, Promise.resolve(answer.data.attributes))
  },
  onSignedOut,
  onChange: show,
  isTurn: (write) => !batches.entries().some((one) => isPending(one) && one.at < write.at && doesTouch(one, write)),
  mayReplace: (earlier, later) => !batches.entries().some((one) => one.at > earlier.at && doesTouch(one, later)),
  later(go, milliseconds) {
    const timer = setTimeout(go, milliseconds)
    return () => clearTimeout(timer)
  },
})

const batches = batchQueue({
  async send({ table, changes, added, removed, sentAs }) {
    noteWrites(table, changes.map(({ id }) => id)) // prettier-ignore
    noteWrites(table, removed, true)
    if (removed.length > 0) return (await noticed(removeRecords(table, removed, sentAs))) as Document<readonly Resource[]>
    return noticed(writeRecords(table, changes, added, sentAs))
  },
  async read({ table, changes }) {
    const names = new Set(changes.flatMap(({ values }) => Object.keys(values)))
    const found = await readAttributes(table, changes.map(({ id }) => id), [...names]) // prettier-ignore
    return new Map(found.map(({ id, attributes }) => [id, attributes]))
  },
  keep: (key, batch) => keep('batch', key, batch),
  keepTried: (key, isTried) => keep('tried', key, isTried),
  isTurn: (batch) =>
    ![...queue.entries(), ...batches.entries()].some((one) => isPending(one) && one.table === batch.table && one.at < batch.at),
  isHeld: () => queue.isHeld(),
  hold: () => queue.hold(),
  onSignedOut,
  onSaved(batch, answer) {
    count('saved')
    const { table, changes, added, removed, key } = batch
    const saved = changes.map(({ id, values }) => ({ record: id, values }))
    const isShown = tellFollowers(table, (answer && withTold(answer))?.data?.slice(0, changes.length) ?? [], [], saved)
    // Rows that came or went are another list.
    void (answer && isShown && added.length + removed.length === 0 ? wrote(table) : changed(table))
    const made = answer ? Promise.resolve(answer.meta?.batch_id ?? undefined) : lostBatch(batch)
    const done = made.then((id) => (typeof id === 'number' ? [id] : []))
    if (!settle(key, done)) did(table, done)
  },
  onRefused({ key }, error) {
    count('refused')
    void settle(key, error as Error)
  },
  onClash(batch, { id, values, expected }, theirs) {
    // After the batch, and before what was done next.
    const write: Write = {
      key: newKey(),
      at: batch.at + 0.5,
      table: batch.table,
      record: id,
      values,
      expected,
      etag: undefined,
      isAct: true,
    }
    queue.stop(write, theirs ? { is: 'clash', theirs, etag: undefined } : { is: 'refused', error: new ApiError(404, 'record.gone', '') })
  },
  onChange: show,
})

let isFull = false

const ended = { saved: 0, refused: 0 }
function count(how: keyof typeof ended): void {
  ended[how]++
  show()
}

/** The service may have no room for what is written: that is told, since somebody has to make some. */
async function noticed<Answer>(write: Promise<Answer>): Promise<Answer> {
  try {
    const answer = await write
    isFull = false
    return answer
  } catch (error) {
    isFull = error instanceof ApiError && error.code === 'server.disk_full'
    throw error
  }
}

// Whoever listens to the end of a session leads to the page to sign in.
function onSignedOut(): void {
  void queries.invalidateQueries({ queryKey: me.queryKey })
}

/** The batch of the service, found by one of its changes. */
async function lostBatch({ table, changes: [one] }: Batch): Promise<number | undefined> {
  const [name] = Object.keys(one?.values ?? {})
  return one && name !== undefined ? (await batchOf(table, one.id, name, one.values[name]))[0] : undefined
}

/** So that undo takes it back. */
function remember({ key, table, record, values }: Write, end: Promise<unknown>): void {
  const prevent = () => {
    const entry = queue.entries().find((one) => one.key === key)
    // With an ETag the service may have got it.
    const may = entry?.state.is === 'waiting' && entry.etag === undefined && !entry.isTried
    if (may) queue.give(key)
    return may
  }
  for (const name of Object.keys(values)) didChange(table, record, name, end.then((held) => (held as Values | undefined)?.[name]), prevent) // prettier-ignore
}

let isPumping = false
function show(): void {
  const writes = queue.entries()
  const isAway = isConnectionLost() || queue.isHeld()
  const waiting = batches.entries()
  current = {
    writes,
    batches: waiting,
    unsaved: writes.filter(({ state }) => state.is !== 'saved').length + waiting.length,
    isAway,
    isFull: isAway && isFull,
    ended: { ...ended },
  }
  // What has been stopped is decided by the person: nobody waits for it.
  const open = new Set([...writes, ...waiting].flatMap((one) => (isStopped(one) ? [] : [one.key])))
  settleAll((key) => !open.has(key))
  for (const listener of listeners) listener()
  if (isPumping) return
  isPumping = true
  queueMicrotask(() => {
    isPumping = false
    if (person === undefined) return
    queue.pump()
    batches.pump()
  })
}

/** For whom writes are kept and sent from now on: what a page before this one has left is sent now. */
export function openOutbox(id: string): void {
  if (person === id) return
  if (!isListening) watchConnection({ tryNow, show, isHeld: queue.isHeld })
  isListening = true
  queue.clear()
  batches.clear()
  person = id
  keepFor(id)
  const byTime = (one: Write | Batch, other: Write | Batch) => one.at - other.at
  const tried = allKept<true>('tried')
  // The batches first: no write goes before one that is older.
  for (const batch of [...allKept<Batch>('batch').values()].sort(byTime)) batches.add(batch, true, tried.has(batch.key))
  for (const write of [...allKept<Write>('write').values()].sort(byTime)) queue.add(write)
}

/** When the session has ended. What is kept stays for the person. */
export function closeOutbox(): void {
  queue.clear()
  batches.clear()
  person = undefined
  keepFor(undefined)
}

/** When the person signs out: the next one at this browser finds nothing of theirs. */
export function eraseOutbox(): void {
  queue.clear()
  batches.clear()
  eraseKept()
}

/** What the person saw of the record, at least of the attributes that they change. */
export interface Seen {
  readonly data: Pick<Resource, 'attributes'>
  readonly etag?: string | undefined
}

/** Changes attributes of a record, as an act that undo takes back; returns the key of the write. */
export function change(table: number, record: string, values: Values, seen: Seen | undefined): string {
  const key = newKey()
  const expected = expecting(table)(record, values, seen?.data.attributes)
  const write = { key, at: now(), table, record, values, expected, etag: seen?.etag, isAct: true } as const
  remember(write, endOf(key))
  queue.add(write)
  return key
}

/**
 * The same from a list, whose records have no ETag, unless it was foreseen. `hasTwo`: of attributes with two values. Resolves to whether it is
 * saved: it was given up, or the person has to decide.
 */
export async function changeAct(
  table: number,
  record: string,
  values: Values,
  before: Values,
  include: string | undefined,
  hasTwo = false,
): Promise<boolean> {
  const key = newKey()
  const end = endOf(key)
  // A write that has to wait has none: it can be taken back unsent.
  const version = takeVersion(table, record, before)
  const isLate = isConnectionLost() || queue.isHeld()
  const etag = isLate ? undefined : version
  const expected = expecting(table)(record, values, before)
  const write = { key, at: now(), table, record, values, expected, etag, include, isAct: true, isSure: hasTwo && !isLate }
  remember(write, end)
  supersede(table, record, Object.keys(values))
  queue.add(write)
  return (await end) !== undefined
}

export interface Part {
  readonly changes?: readonly { readonly id: string; readonly values: Values; readonly before: Values }[]
  readonly added?: readonly Values[]
  readonly removed?: readonly string[]
}

/** Many at once, as one act. Resolves to why it was refused; undefined: it is saved, or was given up. */
export async function changeMany(table: number, parts: readonly Part[]): Promise<Error | undefined> {
  const group = newKey()
  const isLate = isConnectionLost() || queue.isHeld()
  const expected = expecting(table)
  for (const { id, values } of parts.flatMap(({ changes = [] }) => changes)) supersede(table, id, Object.keys(values))
  const ends = parts.map(({ changes = [], added = [], removed = [] }) => {
    const key = newKey()
    const end = endOf(key)
    const cells = changes.map(({ id, values, before }): CellsOf => ({ id, values, expected: expected(id, values, before) }))
    batches.add({ key, at: now(), table, group, sentAs: key, changes: cells, added, removed }, isLate)
    return { key, end }
  })
  const made = Promise.all(ends.map(({ end }) => end)).then((all) => all.flatMap((one) => (Array.isArray(one) ? (one as number[]) : [])))
  did(table, made, () => {
    const all = batches.entries().filter((one) => one.group === group)
    const may = all.length === parts.length && all.every(({ state, isTried }) => state.is === 'waiting' && !isTried)
    if (may) for (const { key } of all) batches.give(key)
    return may
  })
  const found = await Promise.all(ends.map(({ end }) => end))
  return found.find((one) => one instanceof Error)
}

/** What the service may hold of attributes without anybody else having changed them: what was seen, and what is on its way. */
function expecting(table: number): (record: string, values: Values, seen: Values | undefined) => Record<string, readonly unknown[]> {
  const sent = new Map<string, Pick<CellsOf, 'values' | 'expected'>[]>()
  for (const one of [...batches.entries(), ...queue.entries()].filter((one) => isPending(one) && one.table === table))
    for (const cells of 'changes' in one ? one.changes : [{ ...one, id: one.record }]) {
      const before = sent.get(cells.id)
      if (before) before.push(cells)
      else sent.set(cells.id, [cells])
    }
  return (record, values, seen) =>
    Object.fromEntries(
      Object.keys(values).map((name) => {
        const own = (sent.get(record) ?? []).filter((one) => name in one.values)
        return [name, [seen?.[name], ...own.flatMap((one) => [...(one.expected[name] ?? []), one.values[name]])]]
      }),
    )
}

/** What becomes of a cell that was not saved: once more, or back to what the service holds. False: it is none of these. */
export function decide(table: number, record: string, attribute: string, isKept: boolean): boolean {
  const isIts = (one: { readonly table: number }) => one.table === table
  const write = queue.entries().findLast((one) => isIts(one) && one.record === record && attribute in one.values && isStopped(one))
  const has = (one: BatchEntry) => one.changes.some(({ id, values }) => id === record && attribute in values)
  const batch = batches.entries().findLast((one) => isIts(one) && isStopped(one) && has(one))
  if (write) (isKept ? queue.insist : queue.give)(write.key)
  else if (batch && isKept) batches.retry(batch.key)
  else if (batch) batches.drop(batch.key, record, attribute)
  return write !== undefined || batch !== undefined
}

/** What was stopped of these cells is not asked about any more: something else is written there. */
function supersede(table: number, record: string, names: readonly string[]): void {
  if (!batches.entries().some(isStopped) && !queue.entries().some(isStopped)) return
  for (const name of names) while (decide(table, record, name, false));
}

export const { retry: retryBatch, give: giveBatch } = batches

let last = 0
/** Milliseconds; never the same twice. */
const now = (): number => (last = Math.max(Date.now(), last + 1))

export const { insist, give, tryNow, forget: forgetSaved } = queue

export const outboxNow = (): Outbox => current

export function whenOutboxChanges(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const useOutbox = (): Outbox => useSyncExternalStore(whenOutboxChanges, outboxNow)
