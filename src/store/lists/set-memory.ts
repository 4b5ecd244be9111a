import { setLast } from '../../memory/lru.ts'
import type { ListFigures } from '../ground/pages.ts'

/*
 * What sets and orders may take of memory. What was not used for a long time goes first; of the others, the counts before whole filters,
 * these before columns, then the terms they are made of, and orders last; of each kind, what was not used for the longest time.
 */

export const keptKinds = ['counts', 'filter', 'column', 'term', 'order'] as const
export type KeptKind = (typeof keptKinds)[number]

export interface Kept {
  /** Of memory, about, at present. */
  readonly bytes: number
  /** Ends it, with what depends on it. */
  drop(): void
}

export interface SetMemory {
  /** `forget`: called where it has to go, before it is dropped. Where there is no room for it, that is at once. */
  add(kind: KeptKind, kept: Kept, forget: () => void): void
  /** It is used, with its present size. Nothing where it has gone. */
  use(kind: KeptKind, kept: Kept): void
  /** It goes by itself. */
  remove(kept: Kept): void
  figures(): Omit<ListFigures, 'read' | 'answered'>
  /** Whether a filter was asked before; a long one never was. */
  isAskedAgain(filter: string): boolean
}

/** Uses of others after which something counts as not used for a long time. */
const LONG = 20_000

/** Filters that were asked once, and the characters of their texts. */
const ASKED = 5_000
const LONGEST = 1_000

interface Entry {
  bytes: number
  /** The number of its last use. */
  used: number
  readonly forget: () => void
}

const eachKind = <T>(of: (kind: KeptKind) => T) =>
  Object.fromEntries(keptKinds.map((kind) => [kind, of(kind)])) as Readonly<Record<KeptKind, T>>

export function setMemory(most: number): SetMemory {
  /** By kind, the least recently used first. */
  const all = eachKind(() => new Map<Kept, Entry>())
  const asked = new Map<string, true>()
  let bytes = 0
  let dropped = 0
  let uses = 0

  function put(kind: KeptKind, kept: Kept, entry: Entry): void {
    bytes += kept.bytes - entry.bytes
    entry.bytes = kept.bytes
    all[kind].delete(kept)
    all[kind].set(kept, entry)
    entry.used = ++uses
    if (bytes > most) makeRoom(uses - LONG)
    if (bytes > most) makeRoom(uses)
  }

  /** Drops what was used up to then, until there is room. */
  function makeRoom(usedUpTo: number): void {
    for (const kind of keptKinds) {
      for (const [one, { used, forget }] of all[kind]) {
        if (bytes <= most) return
        if (used > usedUpTo) break
        remove(one)
        dropped++
        forget()
        one.drop()
      }
    }
  }

  function remove(kept: Kept): void {
    for (const kind of keptKinds) {
      const entry = all[kind].get(kept)
      if (!entry) continue
      bytes -= entry.bytes
      all[kind].delete(kept)
    }
  }

  return {
    add: (kind, kept, forget) => put(kind, kept, { bytes: 0, used: 0, forget }),
    use(kind, kept) {
      const entry = all[kind].get(kept)
      if (entry) put(kind, kept, entry)
    },
    remove,
    isAskedAgain(filter) {
      if (filter.length > LONGEST) return false
      if (asked.has(filter)) return true
      setLast(asked, filter, true, ASKED)
      return false
    },
    figures: () => ({
      most,
      bytes,
      kept: eachKind((kind) => all[kind].size),
      dropped,
    }),
  }
}
