import { setLast } from '../../memory/lru.ts'
import type { ListFigures } from '../ground/pages.ts'

/*
 * What sets and orders may take of memory. Terms that one question alone used have a small share of it: what is looked for once leaves room for
 * what is asked again. What was not used for a long time goes first; of the others, the counts before whole filters, these before columns, then
 * the terms they are made of, and orders last; of each kind, what was not used for the longest time.
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
  /** It is used, with its present size; `question`: by which one, which may use it several times. Nothing where it has gone. */
  use(kept: Kept, question?: number): void
  /** It goes by itself. */
  remove(kept: Kept): void
  figures(): Omit<ListFigures, 'read' | 'answered'>
  /** Whether another question asked for a filter before; a long one never was. */
  isAskedAgain(filter: string, question?: number): boolean
}

/** Uses of others after which something counts as not used for a long time. */
const LONG = 20_000

/** The share of terms that one question used. */
const ONCE = 1 / 8

/** Filters that were asked once, and the characters of their texts. */
const ASKED = 5_000
const LONGEST = 1_000

/** What is kept, by when it was used: the least recently used first. */
type Segment = Map<Kept, Entry>

interface Entry {
  readonly kind: KeptKind
  readonly forget: () => void
  segment: Segment
  bytes: number
  /** The number of its last use. */
  used: number
  /** The question that used it last; undefined: none did. */
  question: number | undefined
  /** By another question than the first one, for which it was made. */
  isUsedAgain: boolean
}

const eachKind = <T>(of: (kind: KeptKind) => T) =>
  Object.fromEntries(keptKinds.map((kind) => [kind, of(kind)])) as Readonly<Record<KeptKind, T>>

/** A question that is not told apart from others. */
const ANY = 0

export function setMemory(most: number): SetMemory {
  const entries = new Map<Kept, Entry>()
  const all = eachKind((): Segment => new Map())
  /** Terms that one question used. */
  const once: Segment = new Map()
  const segments = keptKinds.flatMap((kind) => (kind === 'term' ? [all.term, once] : [all[kind]]))
  const asked = new Map<string, number>()
  let bytes = 0
  let bytesOnce = 0
  let dropped = 0
  let uses = 0

  function put(kept: Kept, entry: Entry): void {
    leave(kept, entry)
    entry.segment = entry.kind === 'term' && !entry.isUsedAgain ? once : all[entry.kind]
    entry.segment.set(kept, entry)
    entry.bytes = kept.bytes
    entry.used = ++uses
    bytes += entry.bytes
    if (entry.segment === once) bytesOnce += entry.bytes
    for (const [one, { forget }] of once) {
      if (bytesOnce <= most * ONCE || once.size === 1) break
      drop(one, forget)
    }
    if (bytes > most) makeRoom(uses - LONG)
    if (bytes > most) makeRoom(uses)
  }

  /** Drops what was used up to then, until there is room. */
  function makeRoom(usedUpTo: number): void {
    for (const segment of segments) {
      for (const [one, { used, forget }] of segment) {
        if (bytes <= most) return
        if (used > usedUpTo) break
        drop(one, forget)
      }
    }
  }

  function drop(one: Kept, forget: () => void): void {
    remove(one)
    dropped++
    forget()
    one.drop()
  }

  function leave(kept: Kept, entry: Entry): void {
    if (!entry.segment.delete(kept)) return
    bytes -= entry.bytes
    if (entry.segment === once) bytesOnce -= entry.bytes
  }

  function remove(kept: Kept): void {
    const entry = entries.get(kept)
    if (!entry) return
    leave(kept, entry)
    entries.delete(kept)
  }

  return {
    add(kind, kept, forget) {
      const entry = { kind, forget, segment: once, bytes: 0, used: 0, question: undefined, isUsedAgain: false }
      entries.set(kept, entry)
      put(kept, entry)
    },
    use(kept, question = ANY) {
      const entry = entries.get(kept)
      if (!entry) return
      entry.isUsedAgain ||= entry.question !== undefined && (entry.question !== question || question === ANY)
      entry.question = question
      put(kept, entry)
    },
    remove,
    isAskedAgain(filter, question = ANY) {
      if (filter.length > LONGEST) return false
      const before = asked.get(filter)
      if (before !== undefined && (before !== question || question === ANY)) return true
      setLast(asked, filter, question, ASKED)
      return false
    },
    figures: () => ({
      most,
      bytes,
      kept: eachKind((kind) => all[kind].size + (kind === 'term' ? once.size : 0)),
      dropped,
    }),
  }
}
