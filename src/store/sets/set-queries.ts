import type { Attribute } from '../../fields/field-type.ts'
import type { Condition } from '../../filter/check.ts'
import { compile, idsApart, idsOf, idsPerhaps, isFound, orderBy, pieceIn, type FindPiece } from '../../filter/compile.ts'
import type { SortKey } from '../../filter/sort.ts'
import type { Dialect } from '../../sql/dialect.ts'
import { join, name, sql, type Sql } from '../../sql/sql.ts'
import type { Db, SetQuery } from '../ground/db.ts'
import type { Uses } from '../ground/store.ts'
import { recordsOf, type Table } from '../model/catalogue.ts'
import { inTimeOfIds, whereOf } from '../records/in-time.ts'
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

/** The texts of an attribute of up to so many records behind an id, as orders compare them. */
export const textsOf = (table: Table, { column, keyColumn }: Attribute, dialect: Dialect, after: number, most: number): Sql =>
  sql`SELECT id, ${name(keyColumn ?? column)} AS value FROM ${name(recordsOf(table.id))}${whereOf({ granted: { table }, where: [sql`id > ${after}`], dialect, isLarge: true })} ORDER BY id LIMIT ${most}`

/** Ids that are read to be tested, at most. */
export const MOST_UNTESTED = 2_000

const termsOfOr = (condition: Condition): readonly Condition[] => (condition.is === 'or' ? condition.terms : [condition])

const all = (queries: readonly Sql[]): Sql =>
  join(
    queries.map((query) => sql`SELECT id FROM (${query}) AS part`),
    ' UNION ALL ',
  )

/** The ids that meet a condition or may meet it, by text indexes; undefined if these do not give all of them, or have them as they are. */
function partlyTested(condition: Condition, find: FindPiece | undefined): SetQuery | undefined {
  const parts = termsOfOr(condition).map((term) => idsApart(term, find))
  if (!parts.every((part) => part !== undefined)) return undefined
  const untested = all(parts.map((part) => part.untested))
  return { ids: all(parts.map(({ ids }) => ids)), untested: sql`SELECT id FROM (${untested}) AS part LIMIT ${MOST_UNTESTED + 1}` }
}

/** Among so few records, a text index is not asked for candidates: to compare all of them costs less. */
const VERY_FEW = 300

/**
 * Whether an id is one of those that a text index finds for a condition, perhaps with others, and `isAmong` few records; undefined if the index does not
 * give all of them. With LIMIT, SQLite searches the index once, and not once for each of the few, and reads what tells these once.
 */
function isPerhaps(condition: Condition, find: FindPiece | undefined, isAmong: Sql): Sql | undefined {
  const parts = termsOfOr(condition).map((term) => idsPerhaps(term, find))
  if (!parts.every((part) => part !== undefined)) return undefined
  const found = all(parts.flatMap(({ ids, untested }) => [ids, untested]))
  return sql`id IN (SELECT id FROM (SELECT id FROM (${found}) AS found LIMIT -1) AS perhaps WHERE ${isAmong})`
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
  const isCandidate = served && among.size > VERY_FEW ? isPerhaps(served, await indexes.pieces(table, served), isAmong) : undefined
  return { ids: sql`SELECT id FROM ${records}${where([isCandidate ?? isAmong, compile(condition, dialect, undefined, true)])}` }
}
