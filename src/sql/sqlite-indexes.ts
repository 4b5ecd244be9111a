import type { IndexStatements, TextIndex } from './dialect.ts'
import { constant, name, sql, type Sql } from './sql.ts'

/** More of a needle than this is not asked of the index: each trigram costs a look-up. In characters. */
const PIECE = 60

const events = ['insert', 'delete', 'update'] as const
const trigger = (index: string, event: (typeof events)[number]): Sql => name(`${index}_${event}`)

/**
 * Plain indexes end in the id by themselves. A text index is a table of trigrams over the column that the records
 * themselves hold; it knows the records up to an id, `covered`, and triggers keep those right. What came after is looked
 * through until the index is brought up to date, so creating records costs nothing.
 */
export const sqliteIndexes: IndexStatements = {
  ordered: (index, table, expression, descending) => [
    sql`CREATE INDEX ${name(index)} ON ${name(table)} (${expression}${descending ? sql` DESC` : sql``})`,
    sql`PRAGMA analysis_limit = 1000`,
    sql`ANALYZE ${name(index)}`,
  ],
  text: (one) => [
    sql`CREATE VIRTUAL TABLE ${name(one.index)} USING fts5(${name(one.column)}, content=${constant(one.table)}, content_rowid='id',
      tokenize='trigram case_sensitive 1', columnsize=0)`,
    ...triggers(one),
  ],
  drop: (index) => [sql`DROP INDEX IF EXISTS ${name(index)}`],
  dropText: (index) => [
    ...events.map((event) => sql`DROP TRIGGER IF EXISTS ${trigger(index, event)}`),
    sql`DROP TABLE IF EXISTS ${name(index)}`,
  ],
  cover: ({ index, table, column, covered }, to) =>
    sql`INSERT INTO ${name(index)} (rowid, ${name(column)}) SELECT id, ${name(column)} FROM ${name(table)} WHERE id > ${covered} AND id <= ${to}`,
  unindexed: (value) => sql`+${value}`,
  holding({ index, table, column, covered }, piece) {
    const some = [...piece].slice(0, PIECE).join('')
    return sql`SELECT rowid AS id FROM ${name(index)} WHERE (rowid & 1023 <> 0 OR in_time()) AND ${name(index)} MATCH ${phrase(some)}
      UNION ALL SELECT id FROM ${name(table)} WHERE id > ${covered} AND (id & 1023 <> 0 OR in_time()) AND instr(${name(column)}, ${some}) > 0`
  },
  holdsExactly: (piece) => [...piece].length <= PIECE,
  sound: ({ index }) => sql`INSERT INTO ${name(index)} (${name(index)}, rank) VALUES ('integrity-check', 1)`,
  bytes: (index) => sql`SELECT coalesce(sum(pgsize), 0) FROM dbstat WHERE aggregate = 1 AND
    name IN (${index}, ${`${index}_data`}, ${`${index}_idx`}, ${`${index}_config`})`,
}

const phrase = (text: string): string => `"${text.replaceAll('"', '""')}"`

function triggers({ index, table, column, covered }: TextIndex): Sql[] {
  const forget = sql`INSERT INTO ${name(index)} (${name(index)}, rowid, ${name(column)}) VALUES ('delete', OLD.id, OLD.${name(column)})`
  const add = sql`INSERT INTO ${name(index)} (rowid, ${name(column)}) VALUES (NEW.id, NEW.${name(column)})`
  const changed = sql`OLD.${name(column)} <> NEW.${name(column)}`
  return [
    sql`CREATE TRIGGER ${trigger(index, 'insert')} AFTER INSERT ON ${name(table)} WHEN NEW.id <= ${covered} BEGIN ${add}; END`,
    sql`CREATE TRIGGER ${trigger(index, 'delete')} AFTER DELETE ON ${name(table)} WHEN OLD.id <= ${covered} BEGIN ${forget}; END`,
    sql`CREATE TRIGGER ${trigger(index, 'update')} AFTER UPDATE OF ${name(column)} ON ${name(table)}
      WHEN ${changed} AND OLD.id <= ${covered} BEGIN ${forget}; ${add}; END`,
  ]
}
