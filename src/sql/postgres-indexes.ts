import type { IndexStatements, TextIndex } from './dialect.ts'
import { contains } from './postgres-contains.ts'
import { makeWords, withWords } from './postgres-words.ts'
import { join, name, raw, sql, type Sql } from './sql.ts'

/**
 * Indexes are made while reads and writes go on, each statement in a transaction of its own. The planner chooses the index of a list.
 * Texts are found by pg_trgm if the database has it, and otherwise by a scan of the records.
 */
export const postgresIndexes = (hasTrigrams: boolean): IndexStatements => ({
  make: (index, table, expression, descending) => [
    sql`CREATE INDEX CONCURRENTLY ${name(index)} ON ${name(table)} ((${expression})${descending ? sql` DESC` : sql``}, id)`,
    sql`ANALYZE ${name(table)}`,
  ],
  // An entry of a B-tree has at most about 2,700 bytes. With a longer text in the index, the write would fail.
  longest: 500,
  drop: (index) => [sql`DROP INDEX IF EXISTS ${name(index)}`],
  bytes: (index) => sql`SELECT coalesce(pg_relation_size(to_regclass(${`"${index}"`})), 0)`,
  unindexed: (value) => value,
  texts: {
    areAvailable: hasTrigrams,
    form: '',
    make: (one) => (one.words ? makeWords(one) : makeTrigramIndex(one)),
    drop: (index) => [sql`DROP INDEX IF EXISTS ${name(index)}`],
    known: () => [],
    // OFFSET 0 keeps the planner from scanning in the order of ids, which it does if it expects many matches.
    holding: (one, piece) => sql`${idsLike(one, piece)} OFFSET 0`,
    haveWords: true,
    withWords,
    amongAll,
    upkeep: undefined,
  },
})

/**
 * With IN, a planner that expects few records of the other conditions searches a text index once for each record that meets these. The ids of an array
 * are found once, and the records are then read by id. There is one array for all: PostgreSQL before 17 would go through all pairs of two.
 */
const amongAll = (ids: readonly Sql[]): Sql =>
  sql`id = ANY (ARRAY(${join(
    ids.map((one) => (ids.length > 1 ? sql`(${one})` : one)),
    ' INTERSECT ',
  )}))`

const makeTrigramIndex = ({ index, table, column }: TextIndex): readonly Sql[] => [
  sql`CREATE INDEX CONCURRENTLY ${name(index)} ON ${name(table)} USING gin (${name(column)} gin_trgm_ops)`,
  sql`ANALYZE ${name(table)}`,
]

/** Characters of a piece that LIKE compares: enough for the index. LIKE with more is even slower than strpos (postgres-contains.ts). */
const LIKE = 32

/** A query for the ids of the records whose text contains the piece. */
export function idsLike({ table, column }: TextIndex, piece: string): Sql {
  const beginning = [...piece].slice(0, LIKE).join('')
  const like = sql`${name(column)} LIKE ${`%${beginning.replace(/[\\%_]/g, '\\$&')}%`}`
  const whole = beginning === piece ? sql`` : sql` AND ${contains(name(column), sql`${piece}`)}`
  return sql`SELECT id FROM ${name(table)} WHERE ${like}${whole}`
}

/** Fails if the server does not have the extension or the user may not create it. */
export const makeTrigrams = raw('CREATE EXTENSION IF NOT EXISTS pg_trgm')
