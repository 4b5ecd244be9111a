import type { SortKey } from '../../filter/sort.ts'
import type { Param, Sql } from '../../sql/sql.ts'
import type { Reader, Row } from '../ground/db.ts'
import type { PageRows } from './list-reader.ts'
import type { KnownList, PageStart } from './list-memory.ts'
import { after, countedPage, countOf, from, type List } from './list-statements.ts'

/* How one page of a list is read, as a value, and the one place that reads it. */

/** `total` is undefined if it must be counted with the page. */
export type PagePlan =
  /** No record is read: the offset is behind the last one. */
  | { readonly by: 'nothing'; readonly total: number }
  /** The records after the last one of the page before (keyset paging). */
  | { readonly by: 'keyset'; readonly last: readonly Param[]; readonly take: number; readonly total: number | undefined }
  /** From the beginning, or from the end in the reverse order, after skipping `skip` records. */
  | {
      readonly by: 'offset'
      readonly backwards: boolean
      readonly skip: number
      readonly take: number
      readonly total: number | undefined
    }
  /** The ids of all matches are found once, for the total and for the page. */
  | { readonly by: 'matches'; readonly matchingIds: Sql; readonly skip: number; readonly take: number; readonly total: undefined }

const numberIn = (rows: readonly Row[]): number => Number(rows[0]?.[0] ?? 0)

/** The cheapest plan by what is known of the list. */
export function planPage(list: List, { total, starts }: KnownList, offset: number, limit: number): PagePlan {
  if (total === undefined && list.matchingIds) return { by: 'matches', matchingIds: list.matchingIds, skip: offset, take: limit, total }
  const take = total === undefined ? limit : Math.max(0, Math.min(limit, total - offset))
  if (total !== undefined && take === 0) return { by: 'nothing', total }
  const last = list.matchingIds ? undefined : starts.get(offset)
  if (last) return { by: 'keyset', last, take, total }
  const fromEnd = total === undefined ? Infinity : total - offset - take
  const backwards = fromEnd < offset
  return { by: 'offset', backwards, skip: backwards ? fromEnd : offset, take, total }
}

/** Queries about the table that are sent with a page: the number of its records and, if other processes write, its state. */
export interface TableQueries {
  readonly total: Sql
  readonly state: Sql | undefined
}

/** A page that was read, and what can be remembered of it. */
export interface ReadPage extends PageRows {
  /** The answer to `TableQueries.state`. */
  readonly state: unknown
  /** Where the next page begins; undefined where that cannot be remembered. */
  readonly next: PageStart | undefined
}

export async function readPage(read: Reader['read'], list: List, table: TableQueries, plan: PagePlan, offset: number): Promise<ReadPage> {
  const count = plan.total === undefined && plan.by !== 'matches' ? [list.where.length > 0 ? countOf(list) : table.total] : []
  const answers = await read(...(table.state ? [table.state] : []), ...count, ...statementsOf(list, plan))
  const state = table.state && answers.shift()![0]?.[0]
  const counted = count.length > 0 ? numberIn(answers.shift()!) : plan.total
  const { rows, total } = rowsOf(plan, counted, answers)
  return { rows, total, state, next: startAfter(list.sort, offset, rows) }
}

function statementsOf(list: List, plan: PagePlan): Sql[] {
  switch (plan.by) {
    case 'nothing':
      return []
    case 'keyset':
      return after(list, plan.last, plan.take)
    case 'offset':
      return [from(list, plan.backwards, plan.take, plan.skip)]
    case 'matches':
      return [countedPage(list, plan.matchingIds, plan.take, plan.skip)]
  }
}

function rowsOf(plan: PagePlan, total: number | undefined, answers: readonly Row[][]): PageRows {
  if (plan.by === 'matches') {
    const [rows] = answers as [Row[]]
    return { rows: rows.filter((row) => row[1] !== null).map((row) => row.slice(1)), total: numberIn(rows) }
  }
  const rows = answers.flat()
  const isBackwards = plan.by === 'offset' && plan.backwards
  return { rows: isBackwards ? rows.reverse() : plan.by === 'keyset' ? rows.slice(0, plan.take) : rows, total: total! }
}

/** The sort keys of the last record of a page, then its id. */
function startAfter(sort: readonly SortKey[], offset: number, rows: readonly Row[]): PageStart | undefined {
  const end = rows.at(-1)
  if (!end) return undefined
  const last = sort.length > 0 ? end.slice(-sort.length) : []
  if (last.includes(null)) return undefined
  const keys = last.map((value, i) => (sort[i]!.attribute.type.kind === 'number' ? BigInt(String(value)) : value))
  return { offset: offset + rows.length, last: [...keys, end[0]!] }
}
