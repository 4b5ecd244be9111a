import { compareCodePoints } from '../../filter/code-points.ts'
import type { Dialect } from '../../sql/dialect.ts'
import { name, sql, type Sql } from '../../sql/sql.ts'
import { recordsOf } from '../model/catalogue.ts'
import { othersTurn } from '../scheduling/others-turn.ts'
import type { Key, LocalDb, Move } from '../ground/db.ts'
import type { Order } from './order.ts'
import { setLast } from '../../memory/lru.ts'

/*
 * Finds any page of a list sorted by one field as fast as the first. In memory there is a boundary for every few hundred records along
 * the index, with the number of records up to the next one. With each commit, the engine reports where every changed record was and is
 * in the order (Move); so the numbers are exact.
 */

/** Records between two boundaries at first. Beyond `MOST`, a boundary is added between them. */
const BETWEEN_BOUNDARIES = 256
const MOST = 1_024
/** Boundaries that are read in one turn of the event loop. */
const SLICE = 10
/** Orders kept; the least recently used is forgotten. */
const ORDERS = 64

/** A place in an order: `skip` records after a boundary or the beginning. */
export interface PlaceInOrder {
  readonly boundary: Boundary | undefined
  readonly skip: number
}

interface Boundary {
  readonly key: Key
  readonly id: number
}

interface Ranked {
  readonly order: Order
  /** The first one is the beginning of the order. */
  readonly boundaries: (Boundary | undefined)[]
  /** Records from each boundary to the next. While boundaries are being read, the last one has no count yet. */
  readonly counts: number[]
  readonly built: Promise<void>
}

export interface Ranks {
  /**
   * Calls `use` with the place of an offset; undefined behind the last record. Reads the boundaries where they are not known, a few in
   * each turn of the event loop. `use` must read at once: if it awaits anything first, a commit may move the place.
   */
  at<T>(order: Order, offset: number, use: (place: PlaceInOrder | undefined) => T): Promise<T>
  /** Applies the moves of a commit; called before anything is read after it. */
  moved(moves: readonly Move[]): void
}

export type Ranking = Pick<LocalDb, 'dialect' | 'readNow' | 'followMoves'>

export function ranksOf({ dialect, readNow, followMoves }: Ranking): Ranks {
  const known = new Map<string, Ranked>()

  function begin(order: Order, key: string): Ranked {
    const boundaries: Ranked['boundaries'] = [undefined]
    const counts: number[] = []
    const built = followMoves(order.tableId, order.column).then(() => build(order, boundaries, counts, readNow, dialect))
    built.catch(() => known.delete(key))
    return { order, boundaries, counts, built }
  }

  return {
    async at(order, offset, use) {
      const key = `${order.tableId} ${order.keyText} ${order.descending}`
      const ranked = known.get(key) ?? begin(order, key)
      setLast(known, key, ranked, ORDERS)
      await ranked.built
      for (let turns = 1; ; turns++) {
        const { stretch, rest } = find(ranked, offset)
        const count = ranked.counts[stretch]
        if (count === undefined) return use(undefined)
        if (count <= MOST) return use({ boundary: ranked.boundaries[stretch], skip: rest })
        split(ranked, stretch, readNow, dialect)
        if (turns % SLICE === 0) await othersTurn()
      }
    },
    moved(moves) {
      if (moves.length === 0) return
      for (const ranked of known.values()) for (const move of moves) follow(ranked, move)
    },
  }
}

/** The page at a place: two queries, whose answers together are the page. */
export function pageFrom(order: Order, { boundary, skip }: PlaceInOrder, select: Sql, limit: number): Sql[] {
  const records = name(recordsOf(order.tableId))
  const { key } = order
  const sorted = order.descending ? sql`${key} DESC, id` : sql`${key}, id`
  if (!boundary) return [sql`SELECT ${select} FROM ${records} ORDER BY ${sorted} LIMIT ${limit} OFFSET ${skip}`]
  const same = sql`${key} = ${boundary.key} AND id >= ${boundary.id}`
  const beyond = order.descending ? sql`${key} < ${boundary.key}` : sql`${key} > ${boundary.key}`
  const passed = sql`(SELECT count(*) FROM (SELECT 1 FROM ${records} WHERE ${same} LIMIT ${skip}))`
  const taken = sql`(SELECT count(*) FROM (SELECT 1 FROM ${records} WHERE ${same} LIMIT ${limit} OFFSET ${skip}))`
  return [
    sql`SELECT ${select} FROM ${records} WHERE ${same} ORDER BY id LIMIT ${limit} OFFSET ${skip}`,
    sql`SELECT ${select} FROM ${records} WHERE ${beyond} ORDER BY ${sorted} LIMIT ${limit} - ${taken} OFFSET ${skip} - ${passed}`,
  ]
}

async function build(
  order: Order,
  boundaries: Ranked['boundaries'],
  counts: number[],
  readNow: Ranking['readNow'],
  dialect: Dialect,
): Promise<void> {
  for (let turns = 1; ; turns++) {
    const last = boundaries.at(-1)
    const next = boundaryAt(order, { boundary: last, skip: BETWEEN_BOUNDARIES }, readNow, dialect)
    counts.push(next ? BETWEEN_BOUNDARIES : remaining(order, last, readNow))
    if (!next) return
    boundaries.push(next)
    if (turns % SLICE === 0) await othersTurn()
  }
}

function boundaryAt(order: Order, place: PlaceInOrder, readNow: Ranking['readNow'], dialect: Dialect): Boundary | undefined {
  const key = order.isNumber ? dialect.integerText(order.key) : order.key
  const [row] = readNow(...pageFrom(order, place, sql`${key}, id`, 1)).flat()
  return row && { key: order.isNumber ? BigInt(String(row[0])) : String(row[0]), id: Number(row[1]) }
}

function remaining(order: Order, boundary: Boundary | undefined, readNow: Ranking['readNow']): number {
  return readNow(...pageFrom(order, { boundary, skip: 0 }, sql`1`, BETWEEN_BOUNDARIES)).flat().length
}

function split({ order, boundaries, counts }: Ranked, stretch: number, readNow: Ranking['readNow'], dialect: Dialect): void {
  const next = boundaryAt(order, { boundary: boundaries[stretch], skip: BETWEEN_BOUNDARIES }, readNow, dialect)
  if (!next) throw new Error(`The ranks of table ${order.tableId} by ${order.column} are not those of its records.`)
  boundaries.splice(stretch + 1, 0, next)
  counts.splice(stretch, 1, BETWEEN_BOUNDARIES, counts[stretch]! - BETWEEN_BOUNDARIES)
}

/** The boundary before an offset, and how many records lie between; behind the last record, the number of boundaries. */
function find({ counts }: Ranked, offset: number): { stretch: number; rest: number } {
  let rest = offset
  let stretch = 0
  while (stretch < counts.length && rest >= counts[stretch]!) rest -= counts[stretch++]!
  return { stretch, rest }
}

function follow({ order, boundaries, counts }: Ranked, { tableId, column, id, before, after }: Move): void {
  if (tableId !== order.tableId || column !== order.column) return
  for (const [stored, change] of [
    [before, -1],
    [after, 1],
  ] as const) {
    if (stored === undefined) continue
    const stretch = stretchOf(order, boundaries, { key: order.keyOf ? order.keyOf(stored) : stored, id })
    if (stretch < counts.length) counts[stretch]! += change
  }
}

/** The last boundary that is not behind the record. */
function stretchOf(order: Order, boundaries: Ranked['boundaries'], record: Boundary): number {
  let low = 0
  let high = boundaries.length
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (compare(order, boundaries[middle]!, record) <= 0) low = middle
    else high = middle
  }
  return low
}

function compare({ descending }: Order, left: Boundary, right: Boundary): number {
  const keys =
    typeof left.key === 'string'
      ? compareCodePoints(left.key, String(right.key))
      : left.key < (right.key as bigint)
        ? -1
        : left.key > (right.key as bigint)
          ? 1
          : 0
  if (keys !== 0) return descending ? -keys : keys
  return left.id - right.id
}
