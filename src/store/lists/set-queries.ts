import type { Attribute } from '../../fields/field-type.ts'
import type { Condition } from '../../filter/check.ts'
import { compile, idsApart, idsOf, idsPerhaps, isFound, orderBy, pieceIn, type FindPiece } from '../../filter/compile.ts'
import type { SortKey } from '../../filter/sort.ts'
import type { Dialect } from '../../sql/dialect.ts'
import { join, name, sql, type Sql } from '../../sql/sql.ts'
import type { Db, SetQuery } from '../ground/db.ts'
import type { Uses } from '../ground/store.ts'
import { recordsOf, type Table } from '../model/catalogue.ts'
import { inTimeOfIds, whereOf } from './list-statements.ts'
import type { Missing } from './missing.ts'
import { isEverything } from './term.ts'

/* What sets and orders are read by. */

/** What has a statement about all records end in time. */
const inTime = (table: Table, dialect: Dialect): Sql => whereOf({ granted: { table }, where: [], dialect, isLarge: true })

/**
 * The ids of all records in an order. An index has one key, and the id: to look up further keys record by record costs more than to sort what one pass
 * reads.
 */
export function idsInOrder(table: Table, sort: readonly SortKey[], dialect: Dialect): Sql {
  const hasMore = sort.slice(1).some(({ attribute }) => attribute.column !== 'id')
  return sql`SELECT id FROM ${name(recordsOf(table.id))}${inTime(table, dialect)} ORDER BY ${orderBy(sort, dialect, hasMore)}, id`
}

/** The ids of the first records in an order that an index has. */
export const firstInOrder = (table: Table, sort: readonly SortKey[], most: number, dialect: Dialect): Sql =>
  sql`SELECT id FROM ${name(recordsOf(table.id))}${inTime(table, dialect)} ORDER BY ${orderBy(sort, dialect)}, id LIMIT ${most}`

/** The values of an attribute of all records, as whole numbers: a date or time by its digits (record-column.ts). */
export function valuesOf(table: Table, { column, type }: Attribute, dialect: Dialect): Sql {
  const value = type.kind === 'time' ? dialect.digitsOf(name(column)) : name(column)
  return sql`SELECT id, ${value} AS value FROM ${name(recordsOf(table.id))}${inTime(table, dialect)}`
}

/** Ids that are read to be tested, at most. */
export const MOST_UNTESTED = 2_000

const termsOfOr = (condition: Condition): readonly Condition[] => (condition.is === 'or' ? condition.terms : [condition])

/** The ids that meet a condition or may meet it, by text indexes; undefined if these do not give all of them, or have them as they are. */
function partlyTested(condition: Condition, find: FindPiece | undefined): SetQuery | undefined {
  const parts = termsOfOr(condition).map((term) => idsApart(term, find))
  if (!parts.every((part) => part !== undefined)) return undefined
  const all = (queries: readonly Sql[]) =>
    join(
      queries.map((query) => sql`SELECT id FROM (${query}) AS part`),
      ' UNION ALL ',
    )
  const untested = all(parts.map((part) => part.untested))
  return { ids: all(parts.map(({ ids }) => ids)), untested: sql`SELECT id FROM (${untested}) AS part LIMIT ${MOST_UNTESTED + 1}` }
}

/** A query for ids among which are all that meet a condition, by text indexes alone; undefined if these cannot tell. Its LIMIT has SQLite make it before what it is compared with. */
function perhapsIn(condition: Condition, find: FindPiece | undefined): Sql | undefined {
  const parts = termsOfOr(condition).map((term) => idsPerhaps(term, find))
  return parts.every((part) => part !== undefined) ? sql`SELECT id FROM (${join(parts, ' UNION ALL ')}) AS part LIMIT -1` : undefined
}

/** A query for exactly the ids that meet a condition, some perhaps several times; undefined if text indexes do not give all of them. */
function anyIdsOf(condition: Condition, find: FindPiece | undefined): Sql | undefined {
  if (condition.is !== 'or') return idsOf(condition, find)
  const parts = condition.terms.map((term) => idsOf(term, find))
  return parts.every((part) => part !== undefined)
    ? join(
        parts.map((part) => sql`SELECT id FROM (${part}) AS part`),
        ' UNION ALL ',
      )
    : undefined
}

/** What gives the ids of the records that meet a condition. `plainly`: by the records themselves, without any index; `tested`: all of them are tested. */
export async function idsThat(
  table: Table,
  { condition, among, served }: Missing,
  { db, indexes }: { readonly db: Pick<Db, 'dialect'> } & Uses<'indexes'>,
  how?: 'plainly' | 'tested',
): Promise<SetQuery> {
  const plainly = how === 'plainly'
  const records = name(recordsOf(table.id))
  const { dialect } = db
  if (isEverything(condition)) return { ids: sql`SELECT id FROM ${records}${inTime(table, dialect)}` }
  const where = (conditions: Sql[]) => whereOf({ granted: { table }, where: conditions, dialect, isLarge: true })
  if (!among) {
    const find = plainly ? undefined : await indexes.pieces(table, condition)
    // To look up each of them in the table would cost more than to find them.
    const partly = how ? undefined : partlyTested(condition, find)
    const matching = partly?.ids ?? anyIdsOf(condition, find)
    if (matching) return { ...partly, ids: sql`SELECT id FROM (${matching}) AS matching${inTimeOfIds({ dialect })}` }
    const ids = sql`SELECT id FROM ${records}${where([compile(condition, dialect, find, plainly)])}`
    const isScan = !plainly && !(find && isFound(condition, find))
    const piece = isScan ? pieceIn(condition, dialect) : undefined
    return { ids, ...(piece && { scan: { table: recordsOf(table.id), ...piece } }) }
  }
  const isAmong = dialect.oneOf(sql`id`, among.page(0, among.size))
  const perhaps = served && perhapsIn(served, await indexes.pieces(table, served))
  const ids = perhaps ? sql`id IN (SELECT id FROM (${perhaps}) AS perhaps WHERE ${isAmong})` : isAmong
  return { ids: sql`SELECT id FROM ${records}${where([ids, compile(condition, dialect, undefined, true)])}` }
}
