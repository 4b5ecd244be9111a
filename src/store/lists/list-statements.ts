import type { Condition } from '../../filter/check.ts'
import { groupKey, type Grouping } from '../../filter/aggregate.ts'
import { orderBy, ordered, type FindPiece } from '../../filter/compile.ts'
import { hasLongTexts } from '../../filter/patience.ts'
import { stretches } from '../../filter/position.ts'
import type { SortKey } from '../../filter/sort.ts'
import type { Dialect } from '../../sql/dialect.ts'
import { join, render, sql, type Param, type Sql } from '../../sql/sql.ts'
import type { Granted } from '../model/access.ts'
import { inTimeOfIds, source, whereOf, type Filtered } from '../records/in-time.ts'
import { canBeLeft, unlessLong } from '../records/left.ts'
import { shownList } from '../records/read-records.ts'

/* The statements of filtered and sorted lists (sql-list-reader.ts). */

/** A list, without offset and limit. */
export interface List extends Filtered {
  readonly granted: Granted<'read'>
  /** The condition of the filter, if any, and the text indexes that can serve it. */
  readonly condition: Condition | undefined
  readonly find: FindPiece | undefined
  /** Conditions of the caller's rights; they are part of `where` too. */
  readonly rights: readonly Sql[]
  readonly sort: readonly SortKey[]
  /** Whether there is an index in the order of the first sort key. */
  readonly isOrdered: boolean
  /** A query for the ids of all that match, where indexes give them: asked once, for the total and for the page. */
  readonly matchingIds?: Sql | undefined
}

/** How many match. */
export const countOf = (list: List): Sql =>
  list.matchingIds
    ? sql`SELECT count(*) FROM (${list.matchingIds}) AS matching${inTimeOfIds(list)}`
    : sql`SELECT count(*) FROM ${source(list)}${whereOf(list)}`

/** A row for each group of the records that match: its key as text, then the columns. */
export function groupStatement(list: Filtered, grouping: Grouping | undefined, columns: readonly Sql[], most: number): Sql {
  const { dialect, where } = list
  const from = sql`FROM ${source(list)}${whereOf(list)}`
  if (!grouping) return sql`SELECT NULL, ${join(columns, ', ')} ${from}`
  const key = groupKey(grouping, dialect)
  // An index in the order of the groups helps only if nothing else of the records is read.
  const grouped = where.length > 0 || columns.length > 1 ? dialect.indexes.unindexed(key) : key
  const text = grouping.period === undefined ? dialect.integerText(grouped) : grouped
  return sql`SELECT ${text}, ${join(columns, ', ')} ${from} GROUP BY ${grouped} LIMIT ${most}`
}

/** The select list of a page: the record, then the values it is sorted by. */
const selected = ({ granted, sort, dialect }: List): Sql =>
  join([shownList(granted.attributes, dialect), ...sort.map(({ attribute }) => keyText(attribute, dialect))], ', ')

/** A value that a page is sorted by. Of a long text it is NULL: such page starts are not remembered. */
const keyText = (attribute: SortKey['attribute'], dialect: Dialect): Sql => {
  const key = ordered(attribute, dialect)
  if (attribute.type.kind === 'number') return sql`${dialect.integerText(key)} AS digits`
  return attribute.type.kind !== 'choice' && canBeLeft(attribute, LONG_KEY) ? unlessLong(key, LONG_KEY, dialect) : key
}

/** Bytes up to which a text is read as a sort key. */
const LONG_KEY = 4_096

/** The order of a list, or its reverse, in which no two records are equal. */
function orderOf(sort: readonly SortKey[], backwards: boolean, dialect: Dialect): Sql {
  const keys = backwards ? sort.map(({ attribute, descending }) => ({ attribute, descending: !descending })) : sort
  return join([...(keys.length > 0 ? [orderBy(keys, dialect)] : []), backwards ? sql`id DESC` : sql`id`], ', ')
}

/** The page at an offset from the beginning, or in the reverse order from the end. */
export function from(list: List, backwards: boolean, limit: number, offset: number): Sql {
  const order = orderOf(list.sort, backwards, list.dialect)
  const page = sql` LIMIT ${limit} OFFSET ${offset}`
  const chosen = list.matchingIds
    ? sql`SELECT id FROM (${list.matchingIds}) AS matching${inTimeOfIds(list)} ORDER BY ${order}${page}`
    : sortsLongTexts(list) && sql`SELECT id FROM ${source(list)}${whereOf(list)} ORDER BY ${order}${page}`
  return chosen
    ? those(list, sql`id IN (${chosen})`, order)
    : sql`SELECT ${selected(list)} FROM ${source(list)}${whereOf(list)} ORDER BY ${order}${page}`
}

/** Whether a sort would move long texts. Then the ids are sorted first, and the records of the page are read afterwards. */
export const sortsLongTexts = ({ granted, sort, dialect, isOrdered }: List): boolean =>
  dialect.patience.record !== undefined && sort.length > 0 && !isOrdered && hasLongTexts(granted.table.attributes)

/** The records that `which` selects, in the order of the list. */
const those = (list: List, which: Sql, order: Sql): Sql =>
  sql`SELECT ${selected(list)} FROM ${source(list)} WHERE ${which} ORDER BY ${order}`

/**
 * The page after a record. One statement for each number of leading sort keys that are equal to those of the record, the largest number first,
 * so that an index serves each statement. Their results, one after the other, are in order.
 */
export function after(list: List, last: readonly Param[], limit: number): Sql[] {
  const position = { params: last.slice(0, -1), id: Number(last.at(-1)) }
  return stretches(list.sort, position, false, list.dialect).map(
    ({ conditions, order }) =>
      sql`SELECT ${selected(list)} FROM ${source(list)}${whereOf(list, conditions)} ORDER BY ${order} LIMIT ${limit}`,
  )
}

/**
 * A page and the total from one query for the ids of all matches. The total is the first column of each row; if the page is empty, it is
 * the only value that is not NULL.
 */
export const countedPage = (list: List, matchingIds: Sql, limit: number, offset: number): Sql =>
  sql`WITH matching AS MATERIALIZED (SELECT id FROM (${matchingIds}) AS every${inTimeOfIds(list)})
    SELECT counted.total, ${selected(list)} FROM (SELECT count(*) AS total FROM matching) AS counted
    LEFT JOIN (SELECT id AS matching_id FROM matching ORDER BY id LIMIT ${limit} OFFSET ${offset}) AS page ON 1 = 1
    LEFT JOIN ${source(list)} ON id = matching_id ORDER BY matching_id`

/** The list as text: the same for the same records in the same order. */
export function keyOf(list: List): string {
  const { text, params } = render(from(list, false, 0, 0), () => '?')
  return `${text}\n${JSON.stringify(params.map((param) => `${typeof param} ${param}`))}`
}
