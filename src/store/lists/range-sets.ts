import type { Attribute } from '../../fields/field-type.ts'
import type { Condition } from '../../filter/check.ts'
import { filterFunctions } from '../../filter/functions.ts'
import { mayBeLong } from '../../filter/patience.ts'
import { exactly, type Comparable } from '../../filter/predicate.ts'
import type { Mark } from '../../sets/order-parts.ts'
import { IdSet } from '../../sets/id-set.ts'
import type { Differing, Likeness } from '../../sets/order-counts.ts'
import type { ChangeLog } from './change-log.ts'
import type { PresentRecords } from './present-records.ts'
import type { Anchor, CountedSet, OrderKey, RecordOrder } from './record-order.ts'
import type { SetMemory } from './set-memory.ts'
import { Term } from './term.ts'

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

export interface Following {
  readonly log: ChangeLog
  readonly records: PresentRecords
}

/** Anchors of an order, about. */
const ANCHORS = 256
/** Bytes of the anchors of an order, about; and how many there may be at least. */
const BYTES = 32 * 2 ** 20
const FEWEST = 16
const mostOf = ({ term }: Anchor): number => Math.max(FEWEST, Math.min(ANCHORS, Math.floor(BYTES / term.bytes)))
/** Fewer records are gone through without an anchor. */
const NEAR = 2_000
/** An order has no more anchors than this allows: so many records may be between a range and its anchor, however few records there are. */
const WALKED = 512
/** Members of another set up to which each is looked up in the order, without an anchor. */
const FEW = 4_096

const { gt, gte, lt, lte, between } = filterFunctions

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

/** The records of a range, and what they are like if it has one end. */
export interface Ranged {
  readonly set: IdSet
  readonly like?: Like | undefined
}

/** A range has the records before an anchor, or with `isRest` all others. Those of `differing` are the exceptions: it has all of them (`areMembers`), or none. */
interface Like extends Differing {
  readonly anchor: CountedSet
  readonly isRest: boolean
}

/**
 * `order`: of the attribute, ascending; it has followed all changes. `within`: only what this set has; else all records. The set that is returned is
 * of the caller.
 */
export function rangeSet(order: RecordOrder, { from, to }: Range, following: Following, memory: SetMemory, within?: IdSet): Ranged {
  if (from && to) {
    if (order.compare(from, to) > 0) return { set: new IdSet() }
    if (order.ids.rank(to) - order.ids.rank(from) <= NEAR) return { set: listed(order, from, to, within) }
    const below = withOneEnd(order, to, false, following, memory, within)
    return { set: withOneEnd(order, from, true, following, memory, below.set).set }
  }
  return withOneEnd(order, (from ?? to)!, from !== undefined, following, memory, within)
}

function listed(order: RecordOrder, from: Mark<OrderKey>, to: Mark<OrderKey>, within: IdSet | undefined): IdSet {
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
  within: IdSet | undefined,
): Ranged {
  if (within && within.size <= FEW) return { set: order.ids.partOf(within, mark, isRest) }
  const anchor = anchorFor(order, mark, following, memory)
  if (!anchor) return { set: new IdSet() }
  const { set: before } = anchor.term
  const isBehind = order.compare(anchor.mark, mark) > 0
  const differing: number[] = []
  order.ids.between(isBehind ? mark : anchor.mark, isBehind ? anchor.mark : mark, (id) => differing.push(id))
  const areMembers = isBehind === isRest
  const set = isRest ? (within ?? all(order, following, memory)).without(before) : within ? within.and(before) : before.copy()
  set.assignAll(differing, areMembers, within)
  // Where there is no room, the anchor has gone.
  return { set, like: within || !order.anchors.includes(anchor) ? undefined : { anchor: anchor.term, isRest, differing, areMembers } }
}

/** Ids to each record of a set from which on its records are counted one by one in less time than the counts of another set are copied. */
const COUNTED = 32

/** By which the records of a range are counted in an order; undefined: one by one. */
export function likeness({ set, like }: Ranged, order: RecordOrder, memory: SetMemory): Likeness<OrderKey> | undefined {
  if (!like || set.size * COUNTED <= order.ids.blocks.blocksOfIds.length) return undefined
  return { ...like, counts: like.anchor.countsIn(order, memory) }
}

const LAST: Mark<OrderKey> = { key: [], id: Infinity }

/** Every record. */
function all(order: RecordOrder, following: Following, memory: SetMemory): IdSet {
  const known = order.anchors.find(({ mark }) => mark === LAST)
  known?.term.useNow(following.log.end)
  if (known?.term.follow(following.log, following.records)) {
    memory.use(known.term)
    return known.term.set
  }
  const set = new IdSet()
  order.ids.each((id) => set.assign(id, true))
  keep(order, { mark: LAST, rank: order.ids.size, term: new Term(() => true, set, following.log.end, []) }, memory)
  return set
}

/** Records between an anchor and a range that is made of it, at most. */
export const recordsToWalk = ({ ids }: RecordOrder): number => Math.max(WALKED, ids.size / ANCHORS)

/** An anchor near a mark, which is made if there is none; undefined: the order has no records. */
function anchorFor(order: RecordOrder, mark: Mark<OrderKey>, following: Following, memory: SetMemory): Anchor | undefined {
  const block = order.ids.blockAt(mark)
  if (!block) return undefined
  const nearest = nearestTo(order, block.rank, following, memory)
  if (nearest && Math.abs(nearest.rank - block.rank) <= recordsToWalk(order)) return nearest
  const { first } = block
  const compared = order.sort.map(({ attribute }) => attribute)
  const isBefore = (record: Comparable) => order.compare(order.markOf(record, Number(record.value(ID))), first) < 0
  const anchor = { mark: first, rank: block.rank, term: new Term(isBefore, movedFrom(order, nearest, first), following.log.end, compared) }
  keep(order, anchor, memory)
  return anchor
}

const ID = { name: 'id' } as Attribute

/** The nearest anchor that can follow the changes since its last use. Those that cannot are dropped. */
function nearestTo(order: RecordOrder, rank: number, { log, records }: Following, memory: SetMemory): Anchor | undefined {
  for (;;) {
    let nearest: Anchor | undefined
    for (const anchor of order.anchors) {
      if (anchor.mark === LAST) continue
      if (!nearest || Math.abs(anchor.rank - rank) < Math.abs(nearest.rank - rank)) nearest = anchor
    }
    if (!nearest) return undefined
    nearest.term.useNow(log.end)
    if (nearest.term.follow(log, records)) {
      memory.use(nearest.term)
      return nearest
    }
    order.anchors.splice(order.anchors.indexOf(nearest), 1)
    end(nearest, memory)
  }
}

/** A copy of the set of an anchor, with the records between it and a mark. */
function movedFrom(order: RecordOrder, base: Anchor | undefined, mark: Mark<OrderKey>): IdSet {
  const set = base ? base.term.set.copy() : new IdSet()
  const isBehind = base !== undefined && order.compare(base.mark, mark) > 0
  if (isBehind) order.ids.between(mark, base.mark, (id) => set.assign(id, false))
  else order.ids.between(base?.mark, mark, (id) => set.assign(id, true))
  return set
}

/** It is an anchor no more: its counts in other orders go with it. */
export function end({ term }: Anchor, memory: SetMemory): void {
  memory.remove(term)
  term.drop()
}

function keep(order: RecordOrder, anchor: Anchor, memory: SetMemory): void {
  const { anchors } = order
  const forget = () => {
    const at = anchors.indexOf(anchor)
    if (at >= 0) anchors.splice(at, 1)
  }
  const gone = anchors.findIndex(({ mark }) => mark === anchor.mark)
  if (gone >= 0) end(anchors.splice(gone, 1)[0]!, memory)
  else if (anchors.length >= mostOf(anchor)) {
    const oldest = anchors.reduce((least, one) => (one.term.used < least.term.used ? one : least))
    end(anchors.splice(anchors.indexOf(oldest), 1)[0]!, memory)
  }
  anchors.push(anchor)
  memory.add('term', anchor.term, forget)
}
