import { ApiError, type Document, type Resource } from './client.ts'
import { isLater, isSame, type Entry, type Values, type Write } from './write-queue.ts'

/* Changes of many records at once on their way to the service (a paste, a fill, records into the trash): each is one request, all of it or nothing. */

export interface CellsOf {
  readonly id: string
  readonly values: Values
  /** By attribute, what the service may hold without anybody else having changed it. */
  readonly expected: Readonly<Record<string, readonly unknown[]>>
}

export interface Batch {
  readonly key: string
  /** Milliseconds; the batches and writes of a table are sent in this order. */
  readonly at: number
  readonly table: number
  /** Where one of a group is refused, those after it are not sent. */
  readonly group: string
  /** The Idempotency-Key: another one for another content. */
  readonly sentAs: string
  readonly changes: readonly CellsOf[]
  readonly added: readonly Values[]
  /** Records that go into the trash. Such a batch does nothing else. */
  readonly removed: readonly string[]
}

export type BatchState = { readonly is: 'waiting' | 'sending' } | { readonly is: 'refused'; readonly error: unknown }

export type BatchEntry = Batch & {
  readonly state: BatchState
  /** Whether it had to wait for the connection: others may have changed the same meanwhile, and what is refused stays until the person decides. */
  readonly isLate: boolean
  /** Whether the service may have got it. */
  readonly isTried: boolean
}

export interface BatchPorts {
  /** @throws ApiError */
  send(batch: Batch): Promise<Document<readonly Resource[]>>
  /** What the records hold that it changes, by their ids; those that are gone are left out. @throws ApiError */
  read(batch: Batch): Promise<ReadonlyMap<string, Values>>
  /** Keeps it for a reload; with undefined, no more. */
  keep(key: string, batch: Batch | undefined): void
  keepTried(key: string, isTried: true | undefined): void
  /** Whether all that was done before it is done. */
  isTurn(batch: Batch): boolean
  isHeld(): boolean
  /** Nothing is sent until the next try. */
  hold(): void
  onSignedOut(): void
  /** Without an answer where that was lost. */
  onSaved(batch: Batch, answer: Document<readonly Resource[]> | undefined): void
  onRefused(batch: Batch, error: unknown): void
  /** A cell that others have changed, to `theirs`, or whose record is gone (undefined): it is not part of the batch any more. */
  onClash(batch: Batch, cells: CellsOf, theirs: Values | undefined): void
  onChange(): void
}

export interface BatchQueue {
  entries(): readonly BatchEntry[]
  add(batch: Batch, isLate: boolean, isTried?: boolean): void
  /** Sends what may be sent. */
  pump(): void
  retry(key: string): void
  give(key: string): void
  /** Takes a cell out of one that was refused. */
  drop(key: string, record: string, attribute: string): void
  clear(): void
}

export function batchQueue(ports: BatchPorts): BatchQueue {
  let entries: readonly BatchEntry[] = []
  /** Answers to what was sent before `clear` mean nothing. */
  let era = 0

  const put = (next: readonly BatchEntry[]) => {
    entries = next
    ports.onChange()
  }
  const find = (key: string) => entries.find((one) => one.key === key)
  const set = (key: string, change: Partial<BatchEntry>) => put(entries.map((one) => (one.key === key ? { ...one, ...change } : one)))

  function give(key: string): void {
    ports.keep(key, undefined)
    ports.keepTried(key, undefined)
    put(entries.filter((one) => one.key !== key))
  }

  async function send(key: string): Promise<void> {
    const mine = era
    set(key, { state: { is: 'sending' } })
    try {
      if (find(key)!.isLate && !(await check(key, mine))) return
      const batch = find(key)
      if (!batch || mine !== era) return
      ports.keepTried(key, true)
      set(key, { isTried: true })
      const answer = await ports.send(batch)
      if (mine === era) saved(batch, answer)
    } catch (error) {
      const batch = find(key)
      if (mine !== era || !batch) return
      if (isLater(error)) {
        set(key, { state: { is: 'waiting' }, isLate: true })
        ports.hold()
        if (error instanceof ApiError && error.status === 401) ports.onSignedOut()
      } else refused(batch, error)
    }
  }

  function saved(batch: Batch, answer: Document<readonly Resource[]> | undefined): void {
    ports.onSaved(batch, answer)
    give(batch.key)
  }

  function refused(batch: BatchEntry, error: unknown): void {
    const all = entries.filter((one) => one.key === batch.key || (one.group === batch.group && one.at > batch.at))
    for (const one of all) ports.onRefused(one, error)
    if (batch.isLate) put(entries.map((one) => (all.includes(one) ? { ...one, isLate: true, state: { is: 'refused', error } } : one)))
    else for (const { key } of all) give(key)
  }

  /** Whether it is to be sent, after others had time to change the same. @throws ApiError */
  async function check(key: string, mine: number): Promise<boolean> {
    const batch = find(key)!
    if (batch.changes.length === 0) return true
    const held = await ports.read(batch)
    if (mine !== era || !find(key)) return false
    const isNew = ({ id, values, expected }: CellsOf) =>
      Object.entries(values).some(
        ([name, value]) => isSame(held.get(id)?.[name], value) && !(expected[name] ?? []).some((one) => isSame(one, value)),
      )
    // All of it or nothing: one new value says that the answer was lost on its way.
    if (batch.isTried && batch.changes.some(isNew)) {
      saved(batch, undefined)
      return false
    }
    const isFree =
      ({ id, values, expected }: CellsOf) =>
      (name: string) =>
        held.has(id) && [...(expected[name] ?? []), values[name]].some((one) => isSame(one, held.get(id)![name]))
    const rest: CellsOf[] = []
    let isLess = false
    for (const cells of batch.changes) {
      const names = Object.keys(cells.values)
      const free = names.filter(isFree(cells))
      if (free.length > 0) rest.push(free.length === names.length ? cells : only(cells, free))
      if (free.length === names.length) continue
      isLess = true
      for (const name of names.filter((one) => !free.includes(one))) {
        const theirs = held.get(cells.id)
        ports.onClash(batch, only(cells, [name]), theirs && { [name]: theirs[name] })
      }
    }
    if (!isLess) return true
    if (rest.length + batch.added.length === 0) {
      give(key)
      return false
    }
    change(batch, rest)
    return true
  }

  function change(batch: BatchEntry, changes: readonly CellsOf[], more: Partial<BatchEntry> = {}): void {
    const next = { ...batch, ...more, changes, sentAs: `${batch.sentAs}-`, isTried: false }
    ports.keepTried(batch.key, undefined)
    ports.keep(batch.key, plain(next))
    set(batch.key, next)
  }

  return {
    entries: () => entries,
    add(batch, isLate, isTried = false) {
      ports.keep(batch.key, batch)
      put([...entries, { ...batch, state: { is: 'waiting' }, isLate, isTried }])
    },
    pump() {
      if (ports.isHeld()) return
      for (const one of entries) if (find(one.key)?.state.is === 'waiting' && ports.isTurn(one)) void send(one.key)
    },
    retry(key) {
      const batch = find(key)
      // What was refused was not done: it is another request.
      if (batch?.state.is === 'refused') change(batch, batch.changes, { state: { is: 'waiting' } })
    },
    give,
    drop(key, record, attribute) {
      const batch = find(key)
      if (!batch || batch.state.is !== 'refused') return
      const rest = batch.changes.flatMap((cells) => {
        const names = Object.keys(cells.values).filter((name) => cells.id !== record || name !== attribute)
        return names.length === 0 ? [] : [only(cells, names)]
      })
      if (rest.length + batch.added.length === 0) give(key)
      else change(batch, rest)
    },
    clear() {
      era++
      put([])
    },
  }
}

const only = ({ id, values, expected }: CellsOf, names: readonly string[]): CellsOf => ({
  id,
  values: Object.fromEntries(names.map((name) => [name, values[name]])),
  expected: Object.fromEntries(names.map((name) => [name, expected[name] ?? []])),
})

const plain = ({ key, at, table, group, sentAs, changes, added, removed }: Batch): Batch => ({
  key,
  at,
  table,
  group,
  sentAs,
  changes,
  added,
  removed,
})

type Going = Pick<BatchEntry | Entry, 'state'>

export const isPending = ({ state }: Going): boolean => state.is === 'waiting' || state.is === 'sending'
/** Whether the person has to decide about it. */
export const isStopped = ({ state }: Going): boolean => state.is === 'refused' || state.is === 'clash'

export const doesTouch = (batch: Batch, { table, record }: Write): boolean =>
  batch.table === table && (batch.removed.includes(record) || batch.changes.some(({ id }) => id === record))
