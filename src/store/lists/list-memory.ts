import type { Param } from '../../sql/sql.ts'
import { setLast } from '../../memory/lru.ts'

/** The most lists, the most page starts of each, and the most characters of a list as text or of a page start: about 10 MiB in all. */
const LISTS = 1_000
const PAGES = 64
const LONGEST_TEXT = 2_000

/** What is known of one list (filter, order, rights) in one state of its table. It is replaced, never changed. */
export interface KnownList {
  readonly total: number | undefined
  /** By offset, the last record before it: its sort keys, then its id. In the order in which they were learned. */
  readonly starts: ReadonlyMap<number, readonly Param[]>
}

export const nothingKnown: KnownList = { total: undefined, starts: new Map() }

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

  function of(at: ListState): KnownList {
    const found = entries.get(at.list)
    if (found?.at.version !== at.version || found.at.changes !== at.changes) return nothingKnown
    setLast(entries, at.list, found, LISTS)
    return found.known
  }

  return {
    of,
    learn(at, change) {
      if (at.list.length > LONGEST_TEXT) return
      const found = entries.get(at.list)
      if (!found || !isLater(found.at, at)) setLast(entries, at.list, { at, known: change(of(at)) }, LISTS)
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
