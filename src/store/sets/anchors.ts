import type { Attribute } from '../../fields/field-type.ts'
import type { Comparable } from '../../filter/predicate.ts'
import { attributesOf } from '../../filter/terms.ts'
import { IdSet } from '../../sets/id-set.ts'
import type { Mark } from '../../sets/order-parts.ts'
import type { ChangeLog } from './change-log.ts'
import type { PresentRecords } from './present-records.ts'
import { PredicateSet } from './predicate-set.ts'
import type { Anchor, CountedSet, OrderKey, RecordOrder } from './record-order.ts'
import type { SetMemory } from './set-memory.ts'
import type { Term } from './term.ts'

/* Sets of all records before some of an order, of which ranges are made (range-sets.ts). */

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
/** An order has no more anchors than this allows: so many records may be between a range and its anchor, however few records there are. */
const WALKED = 512

const LAST: Mark<OrderKey> = { key: [], id: Infinity }

/** Every record. */
export function everyRecord(order: RecordOrder, following: Following, memory: SetMemory): CountedSet {
  const known = order.anchors.find(({ mark }) => mark === LAST)
  known?.term.useNow(following.log.end)
  if (known?.term.follow(following.log, following.records)) {
    memory.use(known.term)
    return known.term
  }
  const set = new IdSet()
  order.ids.each((id) => set.assign(id, true))
  const term = new PredicateSet(set, following.log.end, [], () => () => true)
  keep(order, { mark: LAST, rank: order.ids.size, term, parts: new Map() }, memory)
  return term
}

/** Records between an anchor and a range that is made of it, at most: few while there is room for more anchors. */
export const recordsToWalk = ({ ids, anchors }: RecordOrder): number => {
  const most = anchors[0] ? mostOf(anchors[0]) : ANCHORS
  return Math.max(WALKED, (ids.size / ANCHORS) * Math.min(1, anchors.length / most))
}

/** An anchor near a mark, which is made if there is none; undefined: the order has no records. */
export function anchorFor(order: RecordOrder, mark: Mark<OrderKey>, following: Following, memory: SetMemory): Anchor | undefined {
  const block = order.ids.blockAt(mark)
  if (!block) return undefined
  const nearest = nearestTo(order, block.rank, following, memory)
  if (nearest && Math.abs(nearest.rank - block.rank) <= recordsToWalk(order)) return nearest
  const { first } = block
  const compared = order.sort.map(({ attribute }) => attribute)
  const isBefore = (record: Comparable) => order.compare(order.markOf(record, Number(record.value(ID))), first) < 0
  const term = new PredicateSet(movedFrom(order, nearest, first), following.log.end, compared, () => isBefore)
  const anchor = { mark: first, rank: block.rank, term, parts: new Map() }
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
    endAnchor(nearest, memory)
  }
}

/** A copy of the set of an anchor, with the records between it and a mark. */
function movedFrom({ ids, compare }: RecordOrder, base: Anchor | undefined, mark: Mark<OrderKey>): IdSet {
  const set = base ? base.term.set.copy() : new IdSet()
  const place = ids.seek(mark)
  const from = base && ids.seek(base.mark)
  const isBehind = base !== undefined && compare(base.mark, mark) > 0
  ids.between(isBehind ? place : from, isBehind ? from! : place, (id) => set.assign(id, !isBehind))
  return set
}

/**
 * What a term has before an anchor, or with `isRest` the others that it has, as they are now: it is kept, so that it has counts. Undefined: the term depends on
 * other tables too, or the anchor has gone.
 */
export function keptPart(
  order: RecordOrder,
  anchor: Anchor,
  within: Term,
  isRest: boolean,
  following: Following,
  memory: SetMemory,
): CountedSet | undefined {
  const { log, records } = following
  if (!within.isAlone || !order.anchors.includes(anchor)) return undefined
  const name = `${isRest ? 'not ' : ''}${within.key}`
  const known = anchor.parts.get(name)
  if (known?.follow(log, records)) {
    memory.use(known)
    return known
  }
  if (known) drop(known, memory)
  const { set } = anchor.term
  const compared = [...attributesOf(within.condition), ...order.sort.map(({ attribute }) => attribute)]
  const isMember = (record: Comparable) => within.isMet(record) && anchor.term.isMet(record) !== isRest
  const part = new PredicateSet(isRest ? within.set.without(set) : within.set.and(set), log.end, compared, () => isMember)
  anchor.parts.set(name, part)
  memory.add('term', part, () => anchor.parts.delete(name))
  return part
}

/** It is an anchor no more: its counts in other orders go with it. */
export function endAnchor({ term, parts }: Anchor, memory: SetMemory): void {
  for (const one of [term, ...parts.values()]) drop(one, memory)
}

function drop(term: Anchor['term'], memory: SetMemory): void {
  memory.remove(term)
  term.drop()
}

function keep(order: RecordOrder, anchor: Anchor, memory: SetMemory): void {
  const { anchors } = order
  const forget = () => {
    const at = anchors.indexOf(anchor)
    if (at >= 0) anchors.splice(at, 1)
    for (const part of anchor.parts.values()) drop(part, memory)
  }
  const gone = anchors.findIndex(({ mark }) => mark === anchor.mark)
  if (gone >= 0) endAnchor(anchors.splice(gone, 1)[0]!, memory)
  else if (anchors.length >= mostOf(anchor)) {
    const oldest = anchors.reduce((least, one) => (one.term.used < least.term.used ? one : least))
    endAnchor(anchors.splice(anchors.indexOf(oldest), 1)[0]!, memory)
  }
  anchors.push(anchor)
  memory.add('term', anchor.term, forget)
}
