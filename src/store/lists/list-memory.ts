import type { Param } from '../../sql/sql.ts'
import { setLast } from '../../memory/lru.ts'

/** Lists remembered at once, pages of each, and characters of a list's text or of a page's beginning: some ten MiB at most. */
const LISTS = 1_000
const PAGES = 64
const LONGEST = 2_000
/** Ids of one whole list, and bytes of those of all lists. */
export const IDS = 50_000
const ALL_IDS = 4 * 2 ** 20

/** What was found out about one list (filter, order, rights) in one state of its table. */
export interface Remembered {
  total: number | undefined
  /** By offset, the last record before it: the values it is ordered by, then its id. */
  readonly starts: Map<number, readonly Param[]>
  /** Which of the terms that an index serves is the most selective (access-path.ts). */
  lead?: number | 'none'
  /** Records stepped over or shown so far on the way along the order. */
  stepped?: number
  /** All that match, in the order of the list, where they were gathered. */
  ids?: Ids | undefined
  /** While they are gathered. */
  gathering?: Promise<void> | undefined
}

export type Ids = Uint32Array | Float64Array

export const nothingKnown = (): Remembered => ({ total: undefined, starts: new Map() })

/** Remembers exact totals and where pages begin. What was learned of another state of the table is never given out. */
export interface ListMemory {
  of(list: string, state: string): Remembered
  /** Keeps the ids of a list, as long as there is room. */
  keep(remembered: Remembered, ids: Ids): void
}

export function listMemory(): ListMemory {
  const lists = new Map<string, Remembered & { readonly state: string }>()
  const gathered: Remembered[] = []
  let held = 0
  return {
    of(list, state) {
      let found = lists.get(list)
      if (!found || found.state !== state) found = { state, total: undefined, starts: new Map() }
      if (list.length <= LONGEST) setLast(lists, list, found, LISTS)
      return found
    },
    keep(remembered, ids) {
      if (!remembered.ids) gathered.push(remembered)
      held += ids.byteLength - (remembered.ids?.byteLength ?? 0)
      remembered.ids = ids
      while (held > ALL_IDS || gathered.length > LISTS) {
        const first = gathered.shift()!
        held -= first.ids!.byteLength
        // Before it is gathered again, it is walked as far again.
        Object.assign(first, { ids: undefined, stepped: 0 })
      }
    },
  }
}

/** Where a page begins: at `offset`, after the record with these values of the order and this id. */
export interface PageStart {
  readonly offset: number
  readonly last: readonly Param[]
}

/** Remembers what a page showed. */
export function remember(remembered: Remembered, total: number, start: PageStart | undefined): void {
  remembered.total = total
  if (!start) return
  const { starts } = remembered
  starts.delete(start.offset)
  if (start.last.join('').length > LONGEST) return
  setLast(starts, start.offset, start.last, PAGES)
}
