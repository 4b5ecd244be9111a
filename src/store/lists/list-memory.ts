import type { Param } from '../../sql/sql.ts'
import { setLast } from '../../memory/lru.ts'

/** The most lists, the most page starts of each, and the most characters of a list as text or of a page start: about 10 MiB in all. */
const LISTS = 1_000
const PAGES = 64
const LONGEST_TEXT = 2_000
/** The most ids of one list that are kept; the most bytes of the ids of all lists. */
export const IDS = 50_000
const ALL_IDS = 4 * 2 ** 20

/** What is known of one list (filter, order, rights) in one state of its table. It is replaced, never changed. */
export interface KnownList {
  readonly total: number | undefined
  /** By offset, the last record before it: its sort keys, then its id. In the order in which they were learned. */
  readonly starts: ReadonlyMap<number, readonly Param[]>
  /** The number of the most selective term among those that indexes serve (access-path.ts). */
  readonly selective?: number | 'none'
  /** Records read along the order so far, for all pages of the list. */
  readonly readAlong: number
  /** The ids of all matches, in the order of the list. */
  readonly ids?: Ids | undefined
}

export type Ids = Uint32Array | Float64Array

export const nothingKnown: KnownList = { total: undefined, starts: new Map(), readAlong: 0 }

/** A list as text, and the state of its table: the version of its structure, then the number of changes of its records. */
export interface ListState {
  readonly list: string
  readonly version: number
  readonly changes: number
}

/** What is known of lists. What was learned in another state of the table is never returned. */
export interface ListMemory {
  of(at: ListState): KnownList
  /** Replaces what is known; `change` gets what is known now. Does nothing if a later state of the table is known. */
  learn(at: ListState, change: (known: KnownList) => KnownList): void
  /** Reads the ids of the list, once for all callers during the read. Resolves when they are known; rejects as `read` does. */
  learnIds(at: ListState, read: () => Promise<Ids>): Promise<void>
}

interface Entry {
  readonly at: ListState
  readonly known: KnownList
}

/** With several servers, a state that never returns has a number below 0, and so is before any other. */
const isLater = (one: ListState, other: ListState): boolean =>
  one.version === other.version ? one.changes > other.changes : one.version > other.version

export function listMemory(): ListMemory {
  const entries = new Map<string, Entry>()
  /** Lists of which the ids are known, the oldest first. */
  const withIds = new Set<string>()
  const reading = new Map<string, Promise<void>>()
  let bytes = 0

  function put(entry: Entry): void {
    const { list } = entry.at
    count(list, entries.get(list), entry)
    const dropped = setLast(entries, list, entry, LISTS)
    if (dropped) count(...dropped, undefined)
  }

  function count(list: string, before: Entry | undefined, now: Entry | undefined): void {
    const ids = now?.known.ids
    bytes += (ids?.byteLength ?? 0) - (before?.known.ids?.byteLength ?? 0)
    if (ids) withIds.add(list)
    else withIds.delete(list)
  }

  function of(at: ListState): KnownList {
    const found = entries.get(at.list)
    if (found?.at.version !== at.version || found.at.changes !== at.changes) return nothingKnown
    setLast(entries, at.list, found, LISTS)
    return found.known
  }

  function learn(at: ListState, change: (known: KnownList) => KnownList): void {
    if (at.list.length > LONGEST_TEXT) return
    const found = entries.get(at.list)
    if (found && isLater(found.at, at)) return
    put({ at, known: change(of(at)) })
    while (bytes > ALL_IDS) {
      const [oldest] = withIds
      forgetIds(oldest!)
    }
  }

  /** Before they are read again, as many records are read along the order again. */
  function forgetIds(list: string): void {
    const { at, known } = entries.get(list)!
    put({ at, known: { ...known, ids: undefined, readAlong: 0 } })
  }

  return {
    of,
    learn,
    learnIds(at, read) {
      const key = `${at.version}/${at.changes}\n${at.list}`
      let begun = reading.get(key)
      if (!begun) {
        begun = read()
          .then((ids) => learn(at, (known) => ({ ...known, ids })))
          .finally(() => reading.delete(key))
        reading.set(key, begun)
      }
      return begun
    },
  }
}

/** Where a page begins: at `offset`, after the record with these values of the order and this id. */
export interface PageStart {
  readonly offset: number
  readonly last: readonly Param[]
}

/** What is known after a page was read. */
export function withPage(known: KnownList, total: number, next: PageStart | undefined): KnownList {
  if (!next) return { ...known, total }
  const starts = new Map(known.starts)
  starts.delete(next.offset)
  if (next.last.join('').length <= LONGEST_TEXT) setLast(starts, next.offset, next.last, PAGES)
  return { ...known, total, starts }
}
