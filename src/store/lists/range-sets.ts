import type { Attribute } from '../../fields/field-type.ts'
import type { Condition } from '../../filter/check.ts'
import { filterFunctions } from '../../filter/functions.ts'
import { mayBeLong } from '../../filter/patience.ts'
import { exactly, type Comparable } from '../../filter/predicate.ts'
import type { Mark } from '../../sets/order-parts.ts'
import { IdSet } from '../../sets/id-set.ts'
import type { Likeness } from '../../sets/order-counts.ts'
import type { ChangeLog } from './change-log.ts'
import type { PresentRecords } from './present-records.ts'
import type { Anchor, CountedSet, OrderKey, RecordOrder } from './record-order.ts'
import type { SetMemory } from './set-memory.ts'
import { Term } from './term.ts'

/*
 * The records of a range of values, from the order of the field. An anchor is the set of all records before one of the order; any range is
 * a copy of the nearest anchor, with the records in between.
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

/** The records of a range. `like`: a set that is kept and has about the same records; with `all`, about those of `all` that are not in the range. */
export interface Ranged {
  readonly set: IdSet
  readonly like?: CountedSet | undefined
  readonly all?: IdSet
}

/** `order`: of the attribute, ascending; it has followed all changes. */
export function rangeSet(order: RecordOrder, { from, to }: Range, following: Following, memory: SetMemory): Ranged {
  const end: Mark<OrderKey> | undefined = to
  if (from && end && order.compare(from, end) > 0) return { set: new IdSet() }
  if (!from && end) return before(order, end, following, memory)
  const start = from!
  if (end) {
    const [low, high] = [order.ids.rank(start), order.ids.rank(end)]
    if (high - low > NEAR) return { set: before(order, end, following, memory).set.without(before(order, start, following, memory).set) }
    const set = new IdSet()
    order.ids.between(start, end, (id) => set.assign(id, true))
    return { set }
  }
  const every = all(order, following, memory)
  const { set, like } = before(order, start, following, memory)
  return { set: every.without(set), like, all: every }
}

/** Ids to each record of a set from which on its records are counted one by one in less time than it is compared with another set. */
const COUNTED = 32

/** By which the records of a range are counted in an order; undefined: one by one. */
export function likeness({ set, like, all: every }: Ranged, order: RecordOrder, memory: SetMemory): Likeness<OrderKey> | undefined {
  if (!like || set.size * COUNTED <= order.ids.blocks.blocksOfIds.length) return undefined
  return { counts: like.countsIn(order, memory), set: like.set, all: every }
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
  keep(order, { mark: LAST, rank: order.ids.size, term: new Term(() => true, set, following.log.end) }, memory)
  return set
}

/** Records between an anchor and a range that is made of it, at most. */
export const recordsToWalk = ({ ids }: RecordOrder): number => Math.max(NEAR, ids.size / ANCHORS)

/** The records before a mark; the set is of the caller. */
function before(order: RecordOrder, mark: Mark<OrderKey>, following: Following, memory: SetMemory): Ranged {
  const block = order.ids.blockAt(mark)
  if (!block) return { set: new IdSet() }
  const nearest = nearestTo(order, block.rank, following, memory)
  if (nearest && Math.abs(nearest.rank - block.rank) <= recordsToWalk(order))
    return { set: movedFrom(order, nearest, mark), like: nearest.term }
  const set = movedFrom(order, nearest, block.first)
  const { first } = block
  const isBefore = (record: Comparable) => order.compare(order.markOf(record, Number(record.value(ID))), first) < 0
  const term = new Term(isBefore, set, following.log.end)
  const anchor = { mark: first, rank: block.rank, term }
  keep(order, anchor, memory)
  // Where there is no room, it has gone.
  return { set: movedFrom(order, anchor, mark), like: order.anchors.includes(anchor) ? term : undefined }
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
