import { setLast } from '../../memory/lru.ts'
import type { ListFigures } from '../ground/pages.ts'

/*
 * What sets and orders may take of memory. Terms that one question alone used have a small share of it, and those of them that a scan has found a larger one:
 * what is looked for once leaves room for what is asked again. What was not used for a long time goes first; of the others, the kinds go in the order of
 * `keptKinds`, and of each kind what was not used for the longest time.
 */

/** Rows that were shown, counts, whole filters, columns, what changed records hold, the terms that filters are made of, orders. */
export const keptKinds = ['rows', 'counts', 'filter', 'column', 'changed', 'term', 'order'] as const
export type KeptKind = (typeof keptKinds)[number]

export interface Kept {
  /** Of memory, about, at present. */
  readonly bytes: number
  /** Ends it, with what depends on it. */
  drop(): void
}

export interface SetMemory {
  /** Bytes that there are for all of it. */
  readonly most: number
  /** `forget`: called where it has to go, before it is dropped. Where there is no room for it, that is at once. `byScan`: to have it again takes a scan. */
  add(kind: KeptKind, kept: Kept, forget: () => void, byScan?: boolean): void
  /** It is used, with its present size; `question`: by which one, which may use it several times. Nothing where it has gone. */
  use(kept: Kept, question?: number): void
  /** It goes by itself. */
  remove(kept: Kept): void
  figures(): Omit<ListFigures, 'read' | 'answered' | 'wrong'>
  /** How many questions have asked for a filter lately, this one among them; a long one always 1. */
  timesAsked(filter: string, question?: number): number
}

/** Uses of others after which something counts as not used for a long time. */
const LONG = 20_000

/** The share of terms that one question used; and of such that were found by a scan, which takes long to find them again. */
const FOUND = 1 / 16
const SCANNED = 1 / 4

/** Filters whose questions are counted, and the characters of their texts. */
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
  /** Where it is until then, if it is a term. */
  readonly once: Once
}

const eachKind = <T>(of: (kind: KeptKind) => T) =>
  Object.fromEntries(keptKinds.map((kind) => [kind, of(kind)])) as Readonly<Record<KeptKind, T>>

/** Terms that one question used, which have a share of the memory. */
class Once extends Map<Kept, Entry> {
  readonly most: number
  bytes = 0

  constructor(most: number) {
    super()
    this.most = most
  }
}

/** A question that is not told apart from others: each use by it counts as one by another question. */
const ANY = 0

export const setMemory = (most: number): SetMemory => new BoundedMemory(most)

class BoundedMemory implements SetMemory {
  readonly most: number
  readonly #entries = new Map<Kept, Entry>()
  readonly #all = eachKind((): Segment => new Map())
  readonly #found: Once
  readonly #scanned: Once
  readonly #segments: readonly Segment[]
  readonly #asked = new Map<string, { readonly times: number; readonly question: number }>()
  #bytes = 0
  #dropped = 0
  #uses = 0

  constructor(most: number) {
    this.most = most
    this.#found = new Once(most * FOUND)
    this.#scanned = new Once(most * SCANNED)
    this.#segments = keptKinds.flatMap((kind) => (kind === 'term' ? [this.#all.term, this.#found, this.#scanned] : [this.#all[kind]]))
  }

  add(kind: KeptKind, kept: Kept, forget: () => void, byScan = false): void {
    const once = byScan ? this.#scanned : this.#found
    const entry = { kind, forget, segment: once, bytes: 0, used: 0, question: undefined, isUsedAgain: false, once }
    this.#entries.set(kept, entry)
    this.#put(kept, entry)
  }

  use(kept: Kept, question = ANY): void {
    const entry = this.#entries.get(kept)
    if (!entry) return
    entry.isUsedAgain ||= entry.question !== undefined && (entry.question !== question || question === ANY)
    entry.question = question
    this.#put(kept, entry)
  }

  #put(kept: Kept, entry: Entry): void {
    this.#leave(kept, entry)
    const once = entry.kind === 'term' && !entry.isUsedAgain ? entry.once : undefined
    entry.segment = once ?? this.#all[entry.kind]
    entry.segment.set(kept, entry)
    entry.bytes = kept.bytes
    entry.used = ++this.#uses
    this.#bytes += entry.bytes
    if (once) this.#keepShare(once, entry.bytes)
    if (this.#bytes > this.most) this.#makeRoom(this.#uses - LONG)
    if (this.#bytes > this.most) this.#makeRoom(this.#uses)
  }

  #keepShare(once: Once, bytes: number): void {
    once.bytes += bytes
    for (const [one, { forget }] of once) {
      if (once.bytes <= once.most || once.size === 1) break
      this.#drop(one, forget)
    }
  }

  /** Drops what was used up to then, until there is room. */
  #makeRoom(usedUpTo: number): void {
    for (const segment of this.#segments) {
      for (const [one, { used, forget }] of segment) {
        if (this.#bytes <= this.most) return
        if (used > usedUpTo) break
        this.#drop(one, forget)
      }
    }
  }

  #drop(one: Kept, forget: () => void): void {
    this.remove(one)
    this.#dropped++
    forget()
    one.drop()
  }

  #leave(kept: Kept, entry: Entry): void {
    if (!entry.segment.delete(kept)) return
    this.#bytes -= entry.bytes
    if (entry.segment === entry.once) entry.once.bytes -= entry.bytes
  }

  remove(kept: Kept): void {
    const entry = this.#entries.get(kept)
    if (!entry) return
    this.#leave(kept, entry)
    this.#entries.delete(kept)
  }

  timesAsked(filter: string, question = ANY): number {
    if (filter.length > LONGEST) return 1
    const { times, question: before = ANY } = this.#asked.get(filter) ?? { times: 0 }
    const now = times + Number(times === 0 || before !== question || question === ANY)
    setLast(this.#asked, filter, { times: now, question }, ASKED)
    return now
  }

  figures(): ReturnType<SetMemory['figures']> {
    return {
      most: this.most,
      bytes: this.#bytes,
      kept: eachKind((kind) => this.#all[kind].size + (kind === 'term' ? this.#found.size + this.#scanned.size : 0)),
      dropped: this.#dropped,
    }
  }
}
