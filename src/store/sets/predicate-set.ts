import type { Attribute } from '../../fields/field-type.ts'
import type { Comparable, Predicate } from '../../filter/predicate.ts'
import type { IdSet } from '../../sets/id-set.ts'
import { OrderCounts } from '../../sets/order-counts.ts'
import { RangeCounts } from '../../sets/range-counts.ts'
import { EVERYTHING, type ChangeLog, type Touch } from './change-log.ts'
import { CountsByOrder } from './counts-by-order.ts'
import type { PresentRecords } from './present-records.ts'
import type { CountedSet, Followed, OrderKey, RecordOrder } from './record-order.ts'
import { Refused } from './refused.ts'
import type { Kept, SetMemory } from './set-memory.ts'

/** Bytes beside the ids. */
const OBJECT = 500
/** Bytes of the counts of ranges, about, and what part of the memory they may be. */
const TABLE = 4 * 2 ** 20
const PART = 64

/** The records of a table for which a predicate is true, as they were when it followed the changes of the table last. */
export class PredicateSet implements Kept, Followed, CountedSet {
  readonly set: IdSet
  readonly #compared: readonly Attribute[] | undefined
  readonly #makeTest: (() => Predicate) | undefined
  // Most sets never need these: a search that was made once has one for each of its texts.
  #test: Predicate | undefined
  #counts: CountsByOrder<OrderCounts<OrderKey>> | undefined
  #ranges: CountsByOrder<RangeCounts<OrderKey>> | undefined
  /** Orders for whose ranges there was no room. */
  #roomless: Refused | undefined
  #touch: Touch | undefined
  seen: number
  used = Number.NEGATIVE_INFINITY
  #uses = 0
  #isDropped = false

  /**
   * `compared`: the attributes that the predicate reads; undefined: each change may concern it. `makeTest`: undefined where other tables decide too: then it
   * follows no change.
   */
  constructor(set: IdSet, seen: number, compared: readonly Attribute[] | undefined, makeTest: (() => Predicate) | undefined) {
    this.set = set
    this.seen = seen
    this.#compared = compared
    this.#makeTest = makeTest
  }

  get bytes(): number {
    return OBJECT + this.set.bytes
  }

  follow(log: ChangeLog, records: PresentRecords): boolean {
    this.#touch ??= this.#compared ? log.touchOf(this.#compared.map(({ name }) => name)) : EVERYTHING
    const changed = log.since(this.seen, this.#touch)
    if (!changed || !this.test(changed, records)) return false
    this.seen = log.end
    return true
  }

  /** Whether a record alone decides whether it is in the set. */
  get isAlone(): boolean {
    return this.#makeTest !== undefined
  }

  /** Whether a record is in it, where that `isAlone`. */
  isMet(record: Comparable): boolean {
    return this.#predicate(record)
  }

  get #predicate(): Predicate {
    return (this.#test ??= this.#makeTest!())
  }

  /** Has of some records those that are in it now. Returns false where that cannot be told at once. @throws as `records.read` */
  test(ids: ReadonlySet<number>, records: PresentRecords): boolean {
    if (!records.read(ids)) return false
    if (!this.isAlone) return ids.size === 0
    if (ids.size === 0) return true
    const test = this.#predicate
    for (const id of ids) {
      const record = records.of(id)
      const isMember = record !== undefined && test(record)
      if (!this.set.assign(id, isMember)) continue
      this.#counts?.assigned(id, isMember)
      this.#ranges?.assigned(id, isMember)
    }
    return true
  }

  /** `end`: the number of the next change. The first use is that for which it was read. */
  useNow(end: number): void {
    if (++this.#uses > 1) this.used = end
  }

  /** It and the order have followed all changes. Without `memory`: for this once. */
  countsIn(order: RecordOrder, memory: SetMemory | undefined): OrderCounts<OrderKey> {
    const kept = this.#counts?.of(order, memory)
    if (kept) return kept
    const counts = new OrderCounts(order.ids, this.set)
    if (!memory || this.#isDropped) return counts.ended()
    this.#counts ??= new CountsByOrder('counts')
    this.#counts.keep(order, memory, counts)
    return counts
  }

  /** What pages of ranges by id are found with; undefined: there is no room to keep it, or the ids are too far apart. It holds in this turn. */
  rangesIn(order: RecordOrder, memory: SetMemory): RangeCounts<OrderKey> | undefined {
    const kept = this.#ranges?.of(order, memory)
    if (kept && !kept.isOutgrown) return kept
    if (kept) this.#ranges!.forget(order, memory)
    if (this.#isDropped || this.#roomless?.has(order.text)) return undefined
    const counts = RangeCounts.of(order.ids, this.set, Math.min(TABLE, memory.most / PART))
    if (!counts) return undefined
    // As its anchors, which it stands for.
    this.#ranges ??= new CountsByOrder('term')
    if (!this.#ranges.keep(order, memory, counts)) (this.#roomless ??= new Refused()).add(order.text)
    return counts
  }

  drop(): void {
    this.#isDropped = true
    this.#counts?.end()
    this.#ranges?.end()
  }
}
