import { placesOf } from '../../filter/compile.ts'
import type { Attribute } from '../../fields/field-type.ts'
import type { SortKey } from '../../filter/sort.ts'
import { idsByNumber } from '../../sets/ids-by-number.ts'
import type { NumberColumn } from '../../sets/number-column.ts'
import { packedOrder, type PackedOrder } from '../../sets/order-parts.ts'
import { inTurns } from '../scheduling/others-turn.ts'
import type { RecordOrder } from './record-order.ts'
import { diverged } from './record-reads.ts'
import type { Fresh } from './set-source.ts'
import type { TableSets } from './table-sets.ts'

/*
 * An order by a number, a date or time, or a choice and then by further keys, made of the order by those and the column of the first: the database would have to
 * sort all records.
 */

/** Records of a table whose orders are made so, at most: to copy what is sorted of so many takes one turn some 30 ms, and 24 bytes of each for a moment. */
export const MOST_JOINED = 1_500_000
/** Blocks of the order by the further keys that are brought into order for it, at most: for those, keys have to be read. */
const BLOCKS = 20

const kinds: ReadonlySet<string> = new Set(['number', 'time', 'choice'])

/** What it is made of. */
export interface OrderParts {
  /** By the keys after the first. */
  readonly rest: RecordOrder
  /** Of the first key. */
  readonly column: NumberColumn
}

/** Whether it can be made so, by the kind of its first key. */
export const isJoinable = ([first, second]: readonly SortKey[]): boolean =>
  first !== undefined && second !== undefined && second.attribute.column !== 'id' && kinds.has(first.attribute.type.kind)

/** Whether all records of an order are in their places, or can be brought there by few keys. @throws Unread */
export const isSorted = ({ ids }: RecordOrder): boolean => ids.unsorted <= BLOCKS && ids.sort(BLOCKS)

/** The parts as they are now, which is copied before the call returns. No answer: the ids are too far apart. */
export async function joinedOrder(
  sets: TableSets,
  sort: readonly SortKey[],
  { rest, column }: OrderParts,
): Promise<Fresh<PackedOrder | undefined>> {
  const seen = sets.log.end
  const [{ attribute, descending }] = sort as readonly [SortKey]
  const placeOf = placesIn(attribute)
  const ids = new Uint32Array(rest.ids.size)
  const numbers = new Float64Array(rest.ids.size)
  let count = 0
  rest.ids.each((id) => {
    const place = placeOf(column.of(id) ?? diverged(sets.tableId, id))
    ids[count] = id
    numbers[count++] = descending ? -place : place
  })
  return { seen, answer: packedOrder(await inTurns(idsByNumber({ ids, numbers }))) }
}

/** What tells the place of a value of the column: for a choice, as `partOf` of record-order.ts does. */
function placesIn(attribute: Attribute): (value: number) => number {
  const places = attribute.type.kind === 'choice' ? placesOf(attribute) : undefined
  return places && places.size > 0 ? (option) => places.get(option) ?? 0 : (value) => value
}
