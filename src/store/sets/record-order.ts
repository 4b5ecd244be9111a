import type { Attribute } from '../../fields/field-type.ts'
import { compareCodePoints } from '../../filter/code-points.ts'
import { placesOf } from '../../filter/compile.ts'
import { exactly, type Comparable } from '../../filter/predicate.ts'
import type { SortKey } from '../../filter/sort.ts'
import { setLast } from '../../memory/lru.ts'
import { IdOrder } from '../../sets/id-order.ts'
import type { IdSet } from '../../sets/id-set.ts'
import type { OrderCounts } from '../../sets/order-counts.ts'
import type { RangeCounts } from '../../sets/range-counts.ts'
import { areSparse, type Mark, type PackedOrder } from '../../sets/order-parts.ts'
import type { ChangeLog, Touch } from './change-log.ts'
import type { KeyColumns } from './column-keys.ts'
import type { Bound, KeyReader } from './key-records.ts'
import { type PresentRecords } from './present-records.ts'
import { Unread } from './record-reads.ts'
import type { Kept, SetMemory } from './set-memory.ts'

/** What a record is sorted by: the part of each sort key. */
export type OrderKey = readonly (string | number | bigint)[]

/** Keys of an order that are kept, where they can be read at once; and bytes of each, about. */
const KEYS = 24_000
const KEY = 150

/** What follows the changes of a table. */
export interface Followed {
  /** The number of the first change that it has not followed. */
  readonly seen: number
  /** The number of the next change when a list used it last. */
  used: number
  /** Returns false where too much has changed: then it has to be made anew. @throws Unread */
  follow(log: ChangeLog, records: PresentRecords): boolean
}

/** A set, and how many of its records each block of an order has. */
export interface CountedSet {
  readonly set: IdSet
  rangesIn(order: RecordOrder, memory: SetMemory): RangeCounts<OrderKey> | undefined
  countsIn(order: RecordOrder, memory: SetMemory | undefined): OrderCounts<OrderKey>
}

/** A set that follows the changes, and tells whether a record is in it. */
type FollowingSet = Kept & Followed & CountedSet & { useNow(end: number): void; isMet(record: Comparable): boolean }

/** The set of the records before one of the order. */
export interface Anchor {
  readonly mark: Mark<OrderKey>
  readonly term: FollowingSet
  /** Records before it when it was made. */
  readonly rank: number
  /** What terms have before it, or behind it, by their names. */
  readonly parts: Map<string, FollowingSet>
}

/** The records of a table in an order, as they were when it followed the changes of the table last. */
export class RecordOrder implements Kept, Followed {
  readonly text: string
  readonly ids: IdOrder<OrderKey>
  /** Counts in this order, which go with it, and how to have them go. */
  readonly counts = new Map<Kept, () => void>()
  readonly sort: readonly SortKey[]
  /** Sets of those before some records, which go with the order (anchors.ts). */
  readonly anchors: Anchor[] = []
  seen: number
  used: number
  readonly #keys: KeyReader
  /** Places are looked for by the same records again and again. */
  readonly #keptKeys = new Map<number, OrderKey>()
  #touch: Touch | undefined
  /** A key that was needed could not be read while records moved. */
  #isBroken = false

  /** `columns`: of the table, which may have the keys; `isIndexed`: whether an index has this order. */
  constructor(
    sort: readonly SortKey[],
    packed: PackedOrder,
    seen: number,
    records: PresentRecords,
    columns?: KeyColumns,
    isIndexed = () => false,
  ) {
    this.text = orderText(sort)
    this.sort = sort
    this.seen = seen
    this.used = seen
    const read = records.only(
      sort.map(({ attribute }) => attribute),
      columns,
    )
    this.ids = new IdOrder(packed, {
      of: (id) => this.#keptKeys.get(id) ?? this.#readKey(id),
      compare: (one, other) => compareKeys(sort, one, other),
      isKnown: (id) => read.columns.areThere || this.#keptKeys.has(id),
      countBetween: (from, to) =>
        read.countBetween && isAscending(sort) && isIndexed()
          ? read.countBetween(sort[0]!.attribute, boundOf(from), boundOf(to))
          : undefined,
      ...(read.later && { later: read.later }),
    })
    this.#keys = read
  }

  #readKey(id: number): OrderKey {
    const key = keyOf(this.sort, this.#keys.of(id))
    if (!this.#keys.later && !this.#keys.columns.areThere) setLast(this.#keptKeys, id, key, KEYS)
    return key
  }

  get bytes(): number {
    return this.ids.bytes + this.#keptKeys.size * KEY + (this.#keys.later?.bytes() ?? 0)
  }

  follow(log: ChangeLog, records: PresentRecords): boolean {
    this.#followColumns()
    this.#touch ??= log.touchOf(this.sort.map(({ attribute }) => attribute.name))
    const changed = log.since(this.seen, this.#touch)
    if (!changed || this.#isBroken || changed.size > mostMoves(this.ids.size) || !records.read(changed)) return false
    const exists = (id: number) => records.of(id) !== undefined
    const { later } = this.#keys
    if (later) later.pending = () => log.since(this.seen, this.#touch)
    const moved = later ? later.moved(changed) : changed
    if (!this.ids.prepare(moved)) return false
    // One id that is far away would take a place for each id before it.
    for (const id of changed) if (areSparse(this.ids.size, id)) return false
    later?.renew(changed)
    for (const id of changed) this.#keptKeys.delete(id)
    // To tell each count of each move would take longer than to count again what is asked for.
    if (moved.size * this.counts.size > TOLD) this.drop()
    try {
      this.ids.update(moved, exists)
    } catch (error) {
      this.#isBroken = true
      if (error instanceof Unread) return false
      throw error
    }
    this.seen = log.end
    return true
  }

  /** @throws Unread */
  #followColumns(): void {
    const { columns, later } = this.#keys
    columns.follow(this.ids.size)
    if (!columns.areThere) return
    this.#keptKeys.clear()
    later?.forget()
  }

  /** Where keys cannot be read at once: that those of these ids can be compared. @throws Unread */
  known(ids: readonly number[]): void {
    const { later } = this.#keys
    if (later?.has(ids) === false) later.demand()
  }

  readonly compare = (one: Mark<OrderKey>, other: Mark<OrderKey>): number =>
    compareKeys(this.sort, one.key, other.key) || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0)

  markOf(record: Comparable, id: number): Mark<OrderKey> {
    return { key: keyOf(this.sort, record), id }
  }

  drop(): void {
    for (const forget of this.counts.values()) forget()
  }
}

/**
 * Records that move in one turn of the event loop; each costs some reads of keys. More are read anew, in their order, by another thread: of a table that is not
 * large, that takes less time than to move so many.
 */
const MOVES = 4_000
const FEWEST = 500
/** Moves of which counts are told in one turn, each count of each. */
const TOLD = 20_000
/** Records that are read in the time in which one moves. */
const READ = 60

const mostMoves = (records: number): number => Math.min(MOVES, Math.max(FEWEST, records / READ))

/** The text of an order: the same for the same order in one state of the structure. */
export const orderText = (sort: readonly SortKey[]): string =>
  sort.map(({ attribute, descending }) => `${descending ? '-' : ''}${attribute.name}`).join(',')

/** Whether it is the ascending order of one column: a choice is sorted by the places of its labels. */
const isAscending = (sort: readonly SortKey[]): boolean =>
  sort.length === 1 && !sort[0]!.descending && sort[0]!.attribute.type.kind !== 'choice'

const boundOf = ({ key, id }: Mark<OrderKey>): Bound => ({ value: key[0]!, id })

const keyOf = (sort: readonly SortKey[], record: Comparable): OrderKey => sort.map(({ attribute }) => partOf(attribute, record))

/** As `ordered` of filter/compile.ts is in SQL. */
function partOf(attribute: Attribute, record: Comparable): string | number | bigint {
  const value = record.value(attribute)
  if (attribute.type.kind === 'number') return exactly(value)
  if (attribute.type.kind !== 'choice') return value
  const places = placesOf(attribute)
  return places.size === 0 ? exactly(value) : (places.get(Number(value)) ?? 0)
}

function compareKeys(sort: readonly SortKey[], one: OrderKey, other: OrderKey): number {
  for (let i = 0; i < sort.length; i++) {
    const [left, right] = [one[i]!, other[i]!]
    const order = typeof left === 'string' ? compareCodePoints(left, right as string) : compareNumbers(left, right as number | bigint)
    if (order !== 0) return sort[i]!.descending ? -order : order
  }
  return 0
}

const compareNumbers = (one: number | bigint, other: number | bigint): number => (one < other ? -1 : one > other ? 1 : 0)
