import type { Attribute } from '../../fields/field-type.ts'
import type { Condition } from '../../filter/check.ts'
import { filterFunctions } from '../../filter/functions.ts'
import { mayBeLong } from '../../filter/patience.ts'
import { exactly } from '../../filter/predicate.ts'
import type { SortKey } from '../../filter/sort.ts'
import type { BlockCounts, Mark, Place } from '../../sets/order-parts.ts'
import { IdSet } from '../../sets/id-set.ts'
import { alike, type Differing } from '../../sets/like-set.ts'
import type { IsMember, Members } from '../../sets/members.ts'
import { LikeCounts, OrderCounts } from '../../sets/order-counts.ts'
import { anchorFor, everyRecord, keptPart, type Following } from './anchors.ts'
import type { Anchor, CountedSet, OrderKey, RecordOrder } from './record-order.ts'
import { Diverged } from './record-reads.ts'
import type { SetMemory } from './set-memory.ts'
import type { Term } from './term.ts'

/*
 * The records of a range of values, from the order of the field. An anchor is the set of all records before one of the order; any range is
 * like the nearest anchor, or like what is not in it, but for the records in between.
 */

/** Values from one on to before another; undefined: to the end. */
export interface Range {
  readonly attribute: Attribute
  readonly from: Mark<OrderKey> | undefined
  readonly to: Mark<OrderKey> | undefined
}

/** Fewer records are gone through without an anchor. */
const NEAR = 2_000
/** Members that are tested in the time in which a record is gone through. */
const TESTS = 10
/** Members of another set up to which each is looked up in the order, without an anchor. */
const FEW = 1_000
/** Members of another set up to which those that a range has of it are made as a set where they are shown in another order. */
const SMALL = 8_000

const { gt, gte, lt, lte, between } = filterFunctions

/** The order of which it is a part. */
export const inOrderOf = ({ attribute }: Range): readonly SortKey[] => [{ attribute, descending: false }]

/** The range that a condition asks for; undefined: it asks for none. */
export function rangeOf(condition: Condition): Range | undefined {
  if (condition.is !== 'apply' || condition.attribute.type.kind === 'set' || mayBeLong(condition.attribute)) return undefined
  const { fn, attribute, values } = condition
  const before = (i: number): Mark<OrderKey> => ({ key: keyOf(attribute, values[i]!), id: -1 })
  const behind = (i: number): Mark<OrderKey> => ({ key: keyOf(attribute, values[i]!), id: Infinity })
  switch (fn) {
    case gt:
      return { attribute, from: behind(0), to: undefined }
    case gte:
      return { attribute, from: before(0), to: undefined }
    case lt:
      return { attribute, from: undefined, to: before(0) }
    case lte:
      return { attribute, from: undefined, to: behind(0) }
    case between:
      return { attribute, from: before(0), to: behind(1) }
    default:
      return undefined
  }
}

const keyOf = ({ type }: Attribute, value: string | number | bigint): OrderKey => [type.kind === 'number' ? exactly(value) : value]

/**
 * `order`: of the attribute, ascending; it has followed all changes. `within`: only what this set has; else all records. What is returned holds in this turn of the event loop, and is of the caller.
 */
export function inRange(
  order: RecordOrder,
  { from, to }: Range,
  following: Following,
  memory: SetMemory,
  within?: Within,
): IdSet | RangeMembers {
  if (from && to) {
    if (order.compare(from, to) > 0) return new IdSet()
    const [begin, end] = [order.ids.seek(from, true), order.ids.seek(to, true)]
    if (order.ids.rank(end) - order.ids.rank(begin) <= NEAR) return listed(order, begin, end, within?.set)
    const below = withOneEnd(order, to, false, following, memory, within)
    return withOneEnd(order, from, true, following, memory, { set: below.toSet() })
  }
  return withOneEnd(order, (from ?? to)!, from !== undefined, following, memory, within)
}

/** A set, and where it is kept. */
interface Within {
  readonly set: IdSet
  readonly term?: Term
}

function listed(order: RecordOrder, from: Place | undefined, to: Place | undefined, within: IdSet | undefined): IdSet {
  const set = new IdSet()
  order.ids.between(from, to, (id) => set.assign(id, within === undefined || within.has(id)))
  return set
}

/** What is before a mark; with `isRest`, what is not. */
function withOneEnd(
  order: RecordOrder,
  mark: Mark<OrderKey>,
  isRest: boolean,
  following: Following,
  memory: SetMemory,
  within: Within | undefined,
): IdSet | RangeMembers {
  if (within && within.set.size <= FEW) return order.ids.membersBefore(within.set, order.ids.seek(mark, true), isRest)
  return order.ids.size === 0 ? new IdSet() : new RangeMembers(order, mark, isRest, following, memory, within)
}

/**
 * The records before a mark; with `isRest`, those that are not. Its members are told by their places in the order, its pages are found by counts; the whole set
 * is made of an anchor.
 */
export class RangeMembers implements Members {
  readonly #order: RecordOrder
  readonly #mark: Mark<OrderKey>
  readonly #place: Place
  readonly #isRest: boolean
  readonly #following: Following
  readonly #memory: SetMemory
  readonly #within: Within | undefined
  #isBefore: ReturnType<RecordOrder['ids']['sideOf']> | undefined
  #like: { readonly anchor: Anchor; readonly by: Differing } | undefined
  #all: CountedSet | undefined
  #set: IdSet | undefined
  #size: number | undefined

  constructor(order: RecordOrder, mark: Mark<OrderKey>, isRest: boolean, following: Following, memory: SetMemory, within?: Within) {
    this.#order = order
    this.#mark = mark
    this.#place = order.ids.seek(mark, true)
    this.#isRest = isRest
    this.#following = following
    this.#memory = memory
    this.#within = within
  }

  get size(): number {
    return (this.#size ??= this.#sizeOf())
  }

  #sizeOf(): number {
    const { ids } = this.#order
    const { set, term } = this.#within ?? {}
    if (set && !term) return this.toSet().size
    const before = ids.rank(this.#place, set, term?.countsIn(this.#order, this.#memory))
    return this.#isRest ? (set ?? ids).size - before : before
  }

  readonly has = (id: number): boolean => this.#within?.set.has(id) !== false && this.#isInRange(id)

  #isInRange(id: number): boolean {
    this.#isBefore ??= this.#order.ids.sideOf(this.#place)
    return this.#isBefore(id) === !this.#isRest
  }

  /** Whether to make it as a set takes no longer than to do without. */
  get #isSoonMade(): boolean {
    return this.#within !== undefined && (!this.#within.term || this.#within.set.size <= SMALL)
  }

  tester(tests: number): IsMember {
    if (this.#isSoonMade) return this.toSet().tester(tests)
    const isWithin = this.#within?.set.tester(tests)
    return isWithin ? (id) => isWithin(id) && this.#isInRange(id) : this.has
  }

  page(offset: number, limit: number): number[] {
    if (this.#within && !this.#within.term) return this.toSet().page(offset, limit)
    if (this.#isNarrow(limit)) return this.#listed().page(offset, limit)
    const counts = (this.#within?.term ?? this.#everyRecord).rangesIn(this.#order, this.#memory)
    if (!counts) return this.toSet().page(offset, limit)
    return counts.page(this.#place, this.#isRest, offset, limit, this.size) ?? differs(this.#order)
  }

  /** Whether its few members are so far apart that to go through all of them takes less time than to test which ones a page has. */
  #isNarrow(limit: number): boolean {
    const { ids } = this.#order
    const before = ids.rank(this.#place)
    const among = this.#within?.set.size ?? ids.size
    return (this.#isRest ? ids.size - before : before) * TESTS < (limit * among) / Math.max(1, this.size)
  }

  #listed(): IdSet {
    const [from, to] = this.#isRest ? [this.#place, undefined] : [undefined, this.#place]
    return listed(this.#order, from, to, this.#within?.set)
  }

  toSet(): IdSet {
    return (this.#set ??= this.#asSet())
  }

  /** As that of IdSet. */
  release(): void {
    this.#set?.release()
  }

  #asSet(): IdSet {
    const { anchor, by } = this.#likeAnchor()
    return alike(this.#within?.set ?? this.#everyRecord.set, anchor.term.set, this.#isRest, by)
  }

  get #everyRecord(): CountedSet {
    return (this.#all ??= everyRecord(this.#order, this.#following, this.#memory))
  }

  /** The nearest anchor, and the records that are on one side of it and on the other side of the mark. */
  #likeAnchor() {
    if (this.#like) return this.#like
    const { ids } = this.#order
    const anchor = anchorFor(this.#order, this.#mark, this.#following, this.#memory)!
    const isBehind = this.#order.compare(anchor.mark, this.#mark) > 0
    const place = ids.seek(anchor.mark)
    const differing: number[] = []
    ids.between(isBehind ? this.#place : place, isBehind ? place : this.#place, (id) => differing.push(id))
    return (this.#like = { anchor, by: { differing, areMembers: isBehind === this.#isRest } })
  }

  /** How many of them each block of an order has, which is kept. */
  countsIn(order: RecordOrder): BlockCounts {
    if (this.#isSoonMade) return new OrderCounts(order.ids, this.toSet()).ended()
    const { anchor, by } = this.#likeAnchor()
    const { set, term } = this.#within ?? {}
    const part = term && keptPart(this.#order, anchor, term, this.#isRest, this.#following, this.#memory)
    if (part) {
      const differing = by.differing.filter((id) => set!.has(id))
      return new LikeCounts(order.ids, part.countsIn(order, this.#memory), false, { ...by, differing })
    }
    // Else it takes less time to count them one by one than to have the counts of an anchor.
    const areMany = !set && this.size * COUNTED > order.ids.blocks.blocksOfIds.length
    // Where there is no room, the anchor has gone.
    if (!areMany || !this.#order.anchors.includes(anchor)) return new OrderCounts(order.ids, this.toSet()).ended()
    return new LikeCounts(order.ids, anchor.term.countsIn(order, this.#memory), this.#isRest, by)
  }
}

/** Ids to each record of a set from which on its records are counted one by one in less time than those of another set are made theirs. */
const COUNTED = 32

function differs({ text }: RecordOrder): never {
  throw new Diverged(`The counts of ranges by ${text} are not those of their records.`)
}
