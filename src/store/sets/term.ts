import { takesStep, type Condition } from '../../filter/check.ts'
import type { Attribute } from '../../fields/field-type.ts'
import { predicate, type Comparable, type Predicate } from '../../filter/predicate.ts'
import { attributesOf } from '../../filter/terms.ts'
import type { IdSet } from '../../sets/id-set.ts'
import { OrderCounts } from '../../sets/order-counts.ts'
import type { OrderFollower } from '../../sets/order-parts.ts'
import { RangeCounts } from '../../sets/range-counts.ts'
import { EVERYTHING, type ChangeLog, type Touch } from './change-log.ts'
import type { PresentRecords } from './present-records.ts'
import type { CountedSet, Followed, OrderKey, RecordOrder } from './record-order.ts'
import { Refused } from './refused.ts'
import type { Kept, KeptKind, SetMemory } from './set-memory.ts'

/** Every record of the table. */
export const everything: Condition = { is: 'and', terms: [] }
export const isEverything = (condition: Condition): boolean => condition.is === 'and' && condition.terms.length === 0

/** Whether it is read from the database, and not combined of others. */
export const isLeaf = (condition: Condition): boolean =>
  (condition.is !== 'and' && condition.is !== 'or' && condition.is !== 'not') || isEverything(condition)

/** A filter with more leaves is read as a whole: to combine as many sets would take the thread that serves too long. */
export const LEAVES = 16
/** Terms that are read together, at most: they share the time of one read. */
const TOGETHER = 4

/** Whether a condition asks for what is in any of a few texts. Where text indexes have all of it, one read finds it. */
export const isOfTexts = (condition: Condition): boolean =>
  condition.is === 'or' &&
  condition.terms.length <= TOGETHER &&
  condition.terms.every((term) => term.is === 'search' || (term.is === 'apply' && term.fn.exact === true))

/** Whether a record meets a condition; undefined: that depends on other tables too. */
const testOf = (condition: Condition): Predicate | undefined =>
  isEverything(condition) ? () => true : takesStep(condition) ? undefined : predicate(condition)

/** Bytes of a term beside its set and its name. */
const OBJECT = 500
/** Bytes of the counts of ranges, about, and what part of the memory they may be. */
const TABLE = 4 * 2 ** 20
const PART = 64

/** The set of the records that meet a condition, as they were when it followed the changes of its table last. */
export class Term implements Kept, Followed, CountedSet {
  readonly key: string
  /** Undefined: it is no condition of a filter. */
  readonly condition: Condition | undefined
  readonly set: IdSet
  /** Undefined: it depends on other tables too, and follows no change. */
  readonly #test: Predicate | undefined
  readonly #counts: ByOrder<OrderCounts<OrderKey>> = new Map()
  readonly #ranges: ByOrder<RangeCounts<OrderKey>> = new Map()
  /** Orders for whose ranges there was no room. */
  readonly #roomless = new Refused()
  readonly #compared: readonly Attribute[] | undefined
  #touch: Touch | undefined
  seen: number
  used = Number.NEGATIVE_INFINITY
  #uses = 0
  #isDropped = false

  /** `compared`: the attributes that a predicate reads. */
  constructor(
    of: { readonly key: string; readonly condition: Condition } | Predicate,
    set: IdSet,
    seen: number,
    compared?: readonly Attribute[],
  ) {
    this.key = typeof of === 'function' ? '' : of.key
    this.condition = typeof of === 'function' ? undefined : of.condition
    this.set = set
    this.#test = typeof of === 'function' ? of : testOf(of.condition)
    this.#compared = compared ?? (this.condition && this.#test && attributesOf(this.condition))
    this.seen = seen
  }

  get bytes(): number {
    return OBJECT + 2 * this.key.length + this.set.bytes
  }

  follow(log: ChangeLog, records: PresentRecords): boolean {
    this.#touch ??= this.#compared ? log.touchOf(this.#compared.map(({ name }) => name)) : EVERYTHING
    const changed = log.since(this.seen, this.#touch)
    if (!changed || !this.test(changed, records)) return false
    this.seen = log.end
    return true
  }

  /** Whether a record alone decides whether it meets it. */
  get isAlone(): boolean {
    return this.#test !== undefined
  }

  /** Whether a record meets it, where that `isAlone`. */
  isMet(record: Comparable): boolean {
    return this.#test!(record)
  }

  /** Has of some records those that meet it now. Returns false where that cannot be told at once. @throws as `records.read` */
  test(ids: ReadonlySet<number>, records: PresentRecords): boolean {
    if (!records.read(ids)) return false
    const test = this.#test
    if (!test) return ids.size === 0
    for (const id of ids) {
      const record = records.of(id)
      const isMember = record !== undefined && test(record)
      if (!this.set.assign(id, isMember)) continue
      for (const { counts } of this.#counts.values()) counts.assigned(id, isMember)
      for (const { counts } of this.#ranges.values()) counts.assigned(id, isMember)
    }
    return true
  }

  /** `end`: the number of the next change. The first use is that for which it was read. */
  useNow(end: number): void {
    if (++this.#uses > 1) this.used = end
  }

  /** It and the order have followed all changes. Without `memory`: for this once. */
  countsIn(order: RecordOrder, memory: SetMemory | undefined): OrderCounts<OrderKey> {
    const kept = this.#known(this.#counts, order, memory)
    if (kept) return kept
    const counts = new OrderCounts(order.ids, this.set)
    return this.#keep('counts', this.#counts, order, memory, counts) ? counts : counts.ended()
  }

  /** What pages of ranges by id are found with; undefined: there is no room to keep it, or the ids are too far apart. It holds in this turn. */
  rangesIn(order: RecordOrder, memory: SetMemory): RangeCounts<OrderKey> | undefined {
    const kept = this.#known(this.#ranges, order, memory)
    if (kept && !kept.isOutgrown) return kept
    if (kept) this.#forget(this.#ranges, order, memory)
    if (this.#isDropped || this.#roomless.has(order.text)) return undefined
    const counts = RangeCounts.of(order.ids, this.set, Math.min(TABLE, memory.most / PART))
    // As its anchors, which it stands for.
    if (counts && this.#keep('term', this.#ranges, order, memory, counts) && !this.#ranges.has(order)) this.#roomless.add(order.text)
    return counts
  }

  #known<C extends FollowingCounts>(all: ByOrder<C>, order: RecordOrder, memory: SetMemory | undefined): C | undefined {
    const kept = all.get(order)
    if (kept) memory?.use(kept)
    return kept?.counts
  }

  #keep<C extends FollowingCounts>(kind: KeptKind, all: ByOrder<C>, order: RecordOrder, memory: SetMemory | undefined, counts: C): boolean {
    if (!memory || this.#isDropped) return false
    const made = new KeptCounts(counts)
    const forget = () => this.#forget(all, order, memory)
    all.set(order, made)
    order.counts.set(made, forget)
    memory.add(kind, made, forget)
    return true
  }

  #forget<C extends FollowingCounts>(all: ByOrder<C>, order: RecordOrder, memory: SetMemory): void {
    const kept = all.get(order)
    if (!kept) return
    all.delete(order)
    order.counts.delete(kept)
    memory.remove(kept)
    kept.drop()
  }

  drop(): void {
    this.#isDropped = true
    for (const all of [this.#counts, this.#ranges]) for (const [order, kept] of all) order.counts.get(kept)?.()
  }
}

/** Terms that were read for one question, and are perhaps not kept, by their keys. */
export class OwnTerms extends Map<string, Term> {
  static #last = 0
  readonly question = ++OwnTerms.#last
}

interface FollowingCounts extends OrderFollower {
  readonly bytes: number
  /** From now on they stay as they are. */
  ended(): unknown
}
type ByOrder<C extends FollowingCounts> = Map<RecordOrder, KeptCounts<C>>

/** Counts that follow their set and their order. */
export class KeptCounts<C extends FollowingCounts> implements Kept {
  readonly counts: C

  constructor(counts: C) {
    this.counts = counts
  }

  get bytes(): number {
    return OBJECT + this.counts.bytes
  }

  drop(): void {
    this.counts.ended()
  }
}
