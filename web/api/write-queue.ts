import { ApiError, type Document, type Resource } from './client.ts'

/* Changes of records on their way to the service, without what they are sent and kept with: outbox.ts has that. */

export type Values = Readonly<Record<string, unknown>>

/** A change of some attributes of one record. */
export interface Write {
  readonly key: string
  /** Milliseconds; writes of one record are sent in this order. */
  readonly at: number
  readonly table: number
  readonly record: string
  readonly values: Values
  /** By attribute, what the service may hold without anybody else having changed it: what the person saw, and what was sent before without an answer. */
  readonly expected: Readonly<Record<string, readonly unknown[]>>
  /** Undefined: the version that the person saw is not known, so the record is read before. */
  readonly etag: string | undefined
  /** Whether it needs no version: of two values, what is not the one that the person saw is the one that they write. Only for the first try. */
  readonly isSure?: boolean | undefined
  /** Whether the service may have got it although it has no version. */
  readonly isTried?: boolean | undefined
  /** Relationships whose records come along with the answer. */
  readonly include?: string | undefined
  /** Whether it is an act that undo takes back. */
  readonly isAct?: boolean | undefined
}

export type WriteState =
  /** The connection is away, or another write of the record is sent first. */
  | { readonly is: 'waiting' | 'sending' | 'saved' }
  | { readonly is: 'refused'; readonly error: unknown }
  /** Somebody else has changed one of the attributes: `theirs` has their values. */
  | { readonly is: 'clash'; readonly theirs: Values; readonly etag: string | undefined }

export type Entry = Write & { readonly state: WriteState }

export interface Ports {
  /** Changes the record if it is as `etag` says. @throws ApiError */
  save(write: Write): Promise<Document<Resource>>
  read(write: Write): Promise<Document<Resource>>
  /** Keeps the write for a reload; with undefined, no more. */
  keep(key: string, write: Write | undefined): void
  /** The record as the service has it now. */
  onRecord(write: Write, answer: Document<Resource>, isSaved: boolean): void
  /** Nobody is signed in any more: what waits is sent for the person when they are back. */
  onSignedOut(): void
  onChange(): void
  /** Calls later, after so many milliseconds, and returns what prevents it. */
  later(go: () => void, milliseconds: number): () => void
  /** Whether all that was done before it is done. */
  isTurn?(write: Write): boolean
  /** Whether a later write may take the place of an earlier one of the same attributes that waits. */
  mayReplace?(earlier: Write, later: Write): boolean
}

export interface WriteQueue {
  /** Each in its state; those that were saved stay until `forget`. Another array after every change. */
  entries(): readonly Entry[]
  /** Whether nothing is sent until the next try, since the service did not answer. */
  isHeld(): boolean
  add(write: Write): void
  /** One that is not to be sent until the person has decided. */
  stop(write: Write, state: WriteState): void
  /** Once more, over what somebody else has written. */
  insist(key: string): void
  /** Not at all: the record stays as the service has it. */
  give(key: string): void
  tryNow(): void
  /** Sends nothing until the next try. */
  hold(): void
  /** Sends what may be sent. */
  pump(): void
  /** No longer tells what was saved of a record. */
  forget(table: number, record: string): void
  /** Forgets all, though not what is kept. */
  clear(): void
}

/** Milliseconds until the next try, twice as long each time. */
const [FIRST, LONGEST] = [1000, 15_000]
/** Tries of one write to which others were faster. */
const TRIES = 5

export function writeQueue(ports: Ports): WriteQueue {
  let entries: readonly Entry[] = []
  let isHeld = false
  let failures = 0
  let stopTimer: (() => void) | undefined
  /** Answers to what was sent before `clear` mean nothing. */
  let era = 0

  const put = (next: readonly Entry[]) => {
    entries = next
    ports.onChange()
  }
  const set = (key: string, change: Partial<Entry>) => put(entries.map((one) => (one.key === key ? { ...one, ...change } : one)))
  const find = (key: string) => entries.find((one) => one.key === key)
  const isOf = (write: Write) => (one: Write) => one.table === write.table && one.record === write.record

  function hold(): void {
    isHeld = true
    stopTimer?.()
    stopTimer = ports.later(go, Math.min(LONGEST, FIRST * 2 ** failures++))
    ports.onChange()
  }

  function go(): void {
    stopTimer?.()
    isHeld = false
    ports.onChange()
    pump()
  }

  /** One write of each record at a time. */
  function pump(): void {
    if (isHeld) return
    const lanes = new Set<string>()
    for (const one of entries) {
      const lane = `${one.table} ${one.record}`
      if (lanes.has(lane) || (one.state.is !== 'waiting' && one.state.is !== 'sending')) continue
      lanes.add(lane)
      if (one.state.is === 'waiting' && (ports.isTurn?.(one) ?? true)) void send(one.key)
    }
  }

  async function send(key: string): Promise<void> {
    const mine = era
    set(key, { state: { is: 'sending' } })
    try {
      await attempt(key, mine)
    } catch (error) {
      if (mine !== era || !find(key)) return
      if (isLater(error)) {
        set(key, { state: { is: 'waiting' }, ...(find(key)?.isSure && { isSure: undefined, isTried: true }) })
        hold()
        if (error instanceof ApiError && error.status === 401) ports.onSignedOut()
      } else set(key, { state: { is: 'refused', error } })
    }
    if (mine === era) pump()
  }

  async function attempt(key: string, mine: number): Promise<void> {
    for (let tries = 0; ; tries++) {
      const write = find(key)
      if (!write) return
      try {
        if (write.etag !== undefined || write.isSure) {
          const answer = await ports.save(write)
          if (mine === era) saved(write, answer)
          return
        }
      } catch (error) {
        if (!(error instanceof ApiError && error.status === 412) || tries === TRIES) throw error
      }
      const now = await ports.read(write)
      if (mine !== era) return
      ports.onRecord(write, now, false)
      const held = now.data.attributes
      const names = Object.keys(write.values)
      // Saved before, though the answer was lost; or somebody else has written the same.
      if (names.every((name) => isSame(held[name], write.values[name]))) return saved(write, now)
      const isFree = (name: string) => [...(write.expected[name] ?? []), write.values[name]].some((one) => isSame(one, held[name]))
      if (!names.every(isFree)) {
        const theirs = Object.fromEntries(names.map((name) => [name, held[name]]))
        return set(key, { state: { is: 'clash', theirs, etag: now.etag } })
      }
      set(key, { etag: now.etag })
      ports.keep(key, { ...write, etag: now.etag })
    }
  }

  function saved(write: Write, answer: Document<Resource>): void {
    failures = 0
    ports.keep(write.key, undefined)
    const held = answer.data.attributes
    put(
      entries.map((one) => {
        if (one.key === write.key) return { ...one, state: { is: 'saved' } }
        // The next ones follow this version, unless somebody else has changed what they change.
        const follows =
          isOf(write)(one) &&
          one.state.is === 'waiting' &&
          Object.keys(one.values).every((name) => (one.expected[name] ?? []).some((value) => isSame(value, held[name])))
        return follows ? { ...one, etag: answer.etag } : one
      }),
    )
    ports.onRecord(write, answer, true)
  }

  return {
    entries: () => entries,
    isHeld: () => isHeld,
    add(write) {
      const names = Object.keys(write.values).sort().join()
      const same = entries.filter((one) => isOf(write)(one) && Object.keys(one.values).sort().join() === names)
      const may = (one: Entry) => ports.mayReplace?.(one, write) ?? true
      const before = same.findLast((one) => (one.state.is === 'waiting' || one.state.is === 'sending') && may(one))
      // What the service may have got of earlier edits of the same attributes is no change by somebody else.
      const expected = before
        ? Object.fromEntries(
            Object.keys(write.values).map((name) => [
              name,
              [...(before.expected[name] ?? []), before.values[name], ...(write.expected[name] ?? [])],
            ]),
          )
        : write.expected
      const added = { ...write, expected, etag: before ? before.etag : write.etag, isTried: before?.isTried }
      const replaced = new Set(same.filter((one) => one.state.is !== 'sending' && may(one)).map(({ key }) => key))
      for (const key of replaced) ports.keep(key, undefined)
      ports.keep(write.key, { ...added, isSure: undefined })
      put([...entries.filter(({ key }) => !replaced.has(key)), { ...added, state: { is: 'waiting' } }])
      pump()
    },
    stop(write, state) {
      ports.keep(write.key, write)
      put([...entries, { ...write, state }])
    },
    hold,
    pump,
    insist(key) {
      const entry = find(key)
      if (!entry) return
      const { state } = entry
      set(key, {
        state: { is: 'waiting' },
        ...(state.is === 'clash' && {
          etag: state.etag,
          expected: Object.fromEntries(
            Object.keys(entry.values).map((name) => [name, [...(entry.expected[name] ?? []), state.theirs[name]]]),
          ),
        }),
      })
      go()
    },
    give(key) {
      ports.keep(key, undefined)
      put(entries.filter((one) => one.key !== key))
    },
    tryNow() {
      failures = 0
      go()
    },
    forget: (table, record) => put(entries.filter((one) => one.table !== table || one.record !== record || one.state.is !== 'saved')),
    clear() {
      era++
      failures = 0
      isHeld = false
      stopTimer?.()
      put([])
    },
  }
}

/** The service is away, or too busy: the same request may be answered later. */
const LATER: ReadonlySet<number> = new Set([0, 401, 408, 429, 502, 503, 504])

/** Whether the same request is to be sent again: nobody was there, or nobody is signed in. */
export const isLater = (error: unknown): boolean =>
  error instanceof ApiError && (LATER.has(error.status) || error.code === 'idempotency.running')

/** Whether two values are one to a person: the service may write line ends and numbers in another way. */
export function isSame(one: unknown, other: unknown): boolean {
  const [a, b] = [plain(one), plain(other)]
  return a === b || (NUMBER.test(a) && NUMBER.test(b) && shortened(a) === shortened(b))
}
const plain = (value: unknown): string => (typeof value === 'string' ? value.replaceAll('\r\n', '\n') : JSON.stringify(value ?? ''))
const NUMBER = /^-?\d+(?:\.\d+)?$/
const shortened = (number: string): string => (number.includes('.') ? number.replace(/\.?0+$/, '') : number)
