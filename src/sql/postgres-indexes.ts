import type { IndexStatements, TextIndex } from './dialect.ts'
import { contains } from './postgres-contains.ts'
import { name, raw, sql, type Sql } from './sql.ts'

/**
 * Indexes are made beside reads and writes, each statement a transaction of its own. Which of them a list is read by is the
 * planner's business. Texts are found by pg_trgm where the database has it, and else by looking through the records.
 */
export const postgresIndexes = (hasTrigrams: boolean): IndexStatements => ({
  make: (index, table, expression, descending) => [
    sql`CREATE INDEX CONCURRENTLY ${name(index)} ON ${name(table)} ((${expression})${descending ? sql` DESC` : sql``}, id)`,
    sql`ANALYZE ${name(table)}`,
  ],
  // A page holds no entry of more than some 2,700 bytes: whoever wrote a longer text would fail.
  longest: 500,
  drop: (index) => [sql`DROP INDEX IF EXISTS ${name(index)}`],
  bytes: (index) => sql`SELECT coalesce(pg_relation_size(to_regclass(${`"${index}"`})), 0)`,
  countsFirst: false,
  unindexed: (value) => value,
  texts: {
    areAvailable: hasTrigrams,
    form: '',
    make: ({ index, table, column }) => [
      sql`CREATE INDEX CONCURRENTLY ${name(index)} ON ${name(table)} USING gin (${name(column)} gin_trgm_ops)`,
      sql`ANALYZE ${name(table)}`,
    ],
    drop: (index) => [sql`DROP INDEX IF EXISTS ${name(index)}`],
    known: () => [],
    // OFFSET 0: the planner is not to look for them along the ids, which it would where it takes them for many.
    holding: (one, piece) => sql`${idsLike(one, piece)} OFFSET 0`,
    upkeep: undefined,
  },
})

/** Characters that LIKE compares, which takes even longer than strpos (postgres-contains.ts): the index needs no more. */
const LIKE = 32

/** Of the records whose text has the piece in it. */
export function idsLike({ table, column }: TextIndex, piece: string): Sql {
  const beginning = [...piece].slice(0, LIKE).join('')
  const like = sql`${name(column)} LIKE ${`%${beginning.replace(/[\\%_]/g, '\\$&')}%`}`
  const whole = beginning === piece ? sql`` : sql` AND ${contains(name(column), sql`${piece}`)}`
  return sql`SELECT id FROM ${name(table)} WHERE ${like}${whole}`
}

/** Fails where the database does not have it, or this user may not. */
export const makeTrigrams = raw('CREATE EXTENSION IF NOT EXISTS pg_trgm')
