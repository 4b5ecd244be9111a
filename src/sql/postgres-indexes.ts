import type { IndexStatements } from './dialect.ts'
import { bytesOfGrams, dropGrams, GRAMS, idsWithGrams, makeGrams, misfitsOf } from './postgres-grams.ts'
import { makeWords, withWords } from './postgres-words.ts'
import { join, name, sql, type Sql } from './sql.ts'

/**
 * Indexes are made while reads and writes go on, each statement in a transaction of its own. The planner chooses the index of a list.
 */
export const postgresIndexes: IndexStatements = {
  make: (index, table, expression, descending) => [
    sql`CREATE INDEX CONCURRENTLY ${name(index)} ON ${name(table)} ((${expression})${descending ? sql` DESC` : sql``}, id)`,
    sql`ANALYZE ${name(table)}`,
  ],
  // An entry of a B-tree has at most about 2,700 bytes. With a longer text in the index, the write would fail.
  longest: 500,
  drop: (index) => [sql`DROP INDEX IF EXISTS ${name(index)}`],
  bytes: (index) => sql`SELECT coalesce(${bytesOfGrams(index)}, pg_relation_size(to_regclass(${`"${index}"`})), 0)`,
  unindexed: (value) => value,
  texts: {
    areAvailable: true,
    form: ({ words }) => (words ? '' : GRAMS),
    make: (one) => (one.words ? makeWords(one) : makeGrams(one)),
    drop: (index) => [...dropGrams(index), sql`DROP INDEX IF EXISTS ${name(index)}`],
    known: () => [],
    holding(one, piece) {
      const ids = idsWithGrams(one, piece)
      // OFFSET 0 keeps the planner from scanning in the order of ids, which it does if it expects many matches.
      return ids && sql`SELECT id FROM (${ids}) AS found OFFSET 0`
    },
    haveWords: true,
    withWords,
    amongAll,
    misfits: (one) => (one.words ? undefined : misfitsOf(one)),
    upkeep: undefined,
  },
}

/**
 * With IN, a planner that expects few records of the other conditions searches a text index once for each record that meets these. The ids of an array
 * are found once, and the records are then read by id. There is one array for all: PostgreSQL before 17 would go through all pairs of two.
 */
function amongAll(ids: readonly Sql[]): Sql {
  const each = ids.length > 1 ? ids.map((one) => sql`(${one})`) : ids
  return sql`id = ANY (ARRAY(${join(each, ' INTERSECT ')}))`
}
