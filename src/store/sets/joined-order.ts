import { placesOf } from '../../filter/compile.ts'
import type { Attribute } from '../../fields/field-type.ts'
import type { SortKey } from '../../filter/sort.ts'
import { idsByNumber } from '../../sets/ids-by-number.ts'
import type { NumberColumn } from '../../sets/number-column.ts'
import { packedOrder } from '../../sets/order-parts.ts'
import type { RecordOrder } from './record-order.ts'
import type { TableSets } from './table-sets.ts'

/*
 * An order by a number, a date or time, or a choice and then by further keys, made of the order by those and the column of the first: the database would have to
 * sort all records.
 */

/** Blocks of the order by the further keys that are brought into order for it, at most: for those, keys have to be read. */
const BLOCKS = 20

const kinds: ReadonlySet<string> = new Set(['number', 'time', 'choice'])

/** Whether it can be made so, by the kind of its first key. */
export const isJoinable = ([first, second]: readonly SortKey[]): boolean =>
  first !== undefined && second !== undefined && second.attribute.column !== 'id' && kinds.has(first.attribute.type.kind)

/** `rest`, `column`: as the records are now. Undefined: it has to be read after all. @throws Unread */
export function joinedOrder(sets: TableSets, sort: readonly SortKey[], rest: RecordOrder, column: NumberColumn): RecordOrder | undefined {
  const [{ attribute, descending }] = sort as readonly [SortKey]
  if (!rest.ids.sort(BLOCKS)) return undefined
  const ids = new Uint32Array(rest.ids.size)
  let count = 0
  rest.ids.each((id) => (ids[count++] = id))
  const numberOf = numbersOf(attribute, column)
  const sorted = idsByNumber(ids, descending ? negated(numberOf) : numberOf)
  const packed = sorted && packedOrder(sorted)
  // Where there is no room to keep it, it is made again and again.
  sets.ordersRead++
  return packed && sets.learnOrder(sort, packed, sets.log.end)
}

type NumberOf = (id: number) => number | undefined

/** As `partOf` of record-order.ts. */
function numbersOf(attribute: Attribute, column: NumberColumn): NumberOf {
  const places = attribute.type.kind === 'choice' ? placesOf(attribute) : undefined
  if (!places || places.size === 0) return (id) => column.of(id)
  return (id) => {
    const option = column.of(id)
    return option === undefined ? undefined : (places.get(option) ?? 0)
  }
}

const negated =
  (numberOf: NumberOf): NumberOf =>
  (id) => {
    const number = numberOf(id)
    return number === undefined ? undefined : -number
  }
