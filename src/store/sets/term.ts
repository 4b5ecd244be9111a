import { takesStep, type Condition } from '../../filter/check.ts'
import type { Attribute } from '../../fields/field-type.ts'
import { predicate, type Comparable, type Predicate } from '../../filter/predicate.ts'
import { attributesOf } from '../../filter/terms.ts'
import type { IdSet } from '../../sets/id-set.ts'
import { OrderCounts } from '../../sets/order-counts.ts'
import { RangeCounts } from '../../sets/range-counts.ts'
import { EVERYTHING, type ChangeLog, type Touch } from './change-log.ts'
import { CountsByOrder } from './counts-by-order.ts'
import type { PresentRecords } from './present-records.ts'
import type { CountedSet, Followed, OrderKey, RecordOrder } from './record-order.ts'
import { Refused } from './refused.ts'
import type { Kept, SetMemory } from './set-memory.ts'

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

const testOf = (condition: Condition): Predicate => (isEverything(condition) ? () => true : predicate(condition))

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
  /** Whether a record alone decides whether it meets it. Else it depends on other tables too, and follows no change. */
  readonly isAlone: boolean
  // Most terms never need these: a search that was made once has a term for each of its texts.
  #predicate: Predicate | undefined
  #counts: CountsByOrder<OrderCounts<OrderKey>> | undefined
  #ranges: CountsByOrder<RangeCounts<OrderKey>> | undefined
  /** Orders for whose ranges there was no room. */
  #roomless: Refused | undefined
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
    this.set = set
    this.seen = seen
    if (typeof of === 'function') {
      this.key = ''
      this.condition = undefined
      this.isAlone = true
      this.#predicate = of
    } else {
      this.key = of.key
      this.condition = of.condition
      this.isAlone = !takesStep(of.condition)
    }
    this.#compared = compared ?? (this.condition && this.isAlone ? attributesOf(this.condition) : undefined)
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

  /** Whether a record meets it, where that `isAlone`. */
  isMet(record: Comparable): boolean {
    return this.#test(record)
  }

  get #test(): Predicate {
    return (this.#predicate ??= testOf(this.condition!))
  }

  /** Has of some records those that meet it now. Returns false where that cannot be told at once. @throws as `records.read` */
  test(ids: ReadonlySet<number>, records: PresentRecords): boolean {
    if (!records.read(ids)) return false
    if (!this.isAlone) return ids.size === 0
    if (ids.size === 0) return true
    const test = this.#test
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

/** Terms that were read for one question, and are perhaps not kept, by their keys. */
export class OwnTerms extends Map<string, Term> {
  static #last = 0
  readonly question = ++OwnTerms.#last
}
