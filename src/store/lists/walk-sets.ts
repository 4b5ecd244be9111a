import { exactly } from '../../filter/predicate.ts'
import { isPartial, keyList, paramsOf, readPosition, type Position } from '../../filter/position.ts'
import type { SortKey } from '../../filter/sort.ts'
import type { Mark } from '../../sets/order-parts.ts'
import type { IdSet } from '../../sets/id-set.ts'
import { join } from '../../sql/sql.ts'
import type { Stretching } from '../ground/around.ts'
import type { Db } from '../ground/db.ts'
import { inlineBytes } from '../records/left.ts'
import { listUpTo } from '../records/read-records.ts'
import type { ListWanted, Walked } from './list-reader.ts'
import type { OrderKey, RecordOrder } from '../sets/record-order.ts'
import { plannedRows } from '../sets/rows-of.ts'
import type { Planned } from '../sets/set-source.ts'
import type { Found } from '../sets/found.ts'
import type { TableSets } from '../sets/table-sets.ts'

/* Records that follow or precede a position, from sets. */

/** Whether positions can be found in an order: those that hold a part of a long text cannot. */
export const canWalk = ({ from, until }: Stretching): boolean => !(from && isPartial(from)) && !(until && isPartial(until))

/** The records of a set behind or before a position in the order of their ids. */
export function idsById(set: IdSet, { from, until, backwards, limit }: Stretching, descending: boolean): readonly number[] {
  const downwards = backwards !== descending
  const [begin, end] = downwards ? [until, from] : [from, until]
  const first = begin ? set.rank(begin.id + 1) : 0
  const last = end ? set.rank(end.id) : set.size
  const count = Math.max(0, Math.min(limit, last - first))
  const ids = set.page(downwards ? last - count : first, count)
  return downwards ? ids.reverse() : ids
}

/** The same in another order. `found`: of all records of the table, those that match; undefined: all. */
export function idsAlong(
  sets: TableSets,
  sort: readonly SortKey[],
  order: RecordOrder,
  found: Found | undefined,
  { from, until, backwards, limit }: Stretching,
  lookedThrough: number,
): readonly number[] {
  const { ids } = order
  const set = found?.set
  const isFar = set && limit * ids.size > set.size * lookedThrough
  const begin = from && markOf(sort, from)
  // What follows may be what the filter leaves out.
  const near = set && isFar ? undefined : ids.walkWithin(set ? 2 * lookedThrough : Infinity, begin, backwards, limit, set)
  const walked = near ?? ids.walk(begin, backwards, limit, set, found && sets.countsOf(found, order))
  const end = until && markOf(sort, until)
  if (end) order.known(walked)
  const past = end ? walked.findIndex((id) => !ids.isBefore(id, end)) : -1
  return past < 0 ? walked : walked.slice(0, past)
}

/** `sort`: perhaps fewer keys than the position has, since the id decides. */
function markOf(sort: readonly SortKey[], position: Position): Mark<OrderKey> {
  const params = paramsOf(sort, { ...position, keys: position.keys.slice(0, sort.length) })
  const key = sort.map(({ attribute: { type } }, i) =>
    type.kind === 'number' || type.kind === 'choice' ? exactly(params[i]!) : String(params[i]),
  )
  return { key, id: position.id }
}

export function walkedRows(
  { dialect }: Pick<Db, 'dialect'>,
  { granted, sort }: ListWanted,
  ids: readonly number[],
  limit: number,
): Planned<readonly Walked[]> {
  const { attributes } = granted
  const select = join([listUpTo(attributes, dialect, inlineBytes(attributes, limit)), ...keyList(sort, dialect)], ', ')
  return plannedRows(dialect, granted.table, ids, select, (rows) =>
    rows.map((row) => {
      const keys = sort.length > 0 ? row.slice(-sort.length) : []
      return { row, position: readPosition(sort, keys, Number(row[0])) }
    }),
  )
}
