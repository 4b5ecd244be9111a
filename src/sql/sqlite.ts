import type { Dialect } from './dialect.ts'
import { constant, join, name, raw, sql, type Sql } from './sql.ts'
import { bytesOf, inTimeFor, LONG, sqliteIndexes } from './sqlite-indexes.ts'

export const sqlite: Dialect = {
  engine: 'sqlite',
  patience: { record: inTime, text: (text, condition) => sql`(${inTimeFor(text)} AND ${condition})` },
  dropRewrites: true,
  columnsOf: (table) => sql`SELECT name FROM pragma_table_info(${table})`,
  endUpkeep: () => [],
  oldestRunning: sql`0`,
  indexes: sqliteIndexes,
  integrity: sql`PRAGMA integrity_check`,
  measure: sql`SELECT 'SQLite ' || sqlite_version(), (SELECT page_count FROM pragma_page_count) * (SELECT page_size FROM pragma_page_size),
    (SELECT freelist_count FROM pragma_freelist_count) * (SELECT page_size FROM pragma_page_size),
    (SELECT file FROM pragma_database_list WHERE name = 'main')`,
  lastId: (table) => [sql`SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = ${table}`],
  setLastId: (table, id) => [
    sql`DELETE FROM sqlite_sequence WHERE name = ${table}`,
    sql`INSERT INTO sqlite_sequence (name, seq) VALUES (${table}, ${id})`,
  ],
  tablesAmong: (names) => sql`SELECT name FROM sqlite_schema WHERE type = 'table' AND ${sqlite.oneOf(sql`name`, names)}`,
  columns: sql`SELECT m.name, p.name, p.type, p.dflt_value FROM sqlite_schema AS m JOIN pragma_table_info(m.name) AS p
    WHERE m.type = 'table' ORDER BY m.name, p.cid`,
  unhurried: [],
  forUpdate: sql``,
  locksOneByOne: false,
  shared: false,
  keysApart: false,
  placement: () => [],
  byId: '',
  beforeWrites: '',
  // AUTOINCREMENT sees to it.
  continueIds: () => [],
  raiseLastId: () => [],
  uniqueIndex: (index, table, column, condition) => [
    sql`CREATE UNIQUE INDEX ${name(index)} ON ${name(table)} (${name(column)}) WHERE ${condition}`,
  ],
  placeholder: () => '?',
  identity: raw('INTEGER PRIMARY KEY AUTOINCREMENT'),
  integer: raw('INTEGER'),
  text: raw('TEXT'),
  contains: (text, part) => sql`instr(${text}, ${part}) > 0`,
  endsWith: (text, part) => sql`(length(${part}) = 0 OR substr(${text}, -length(${part})) = ${part})`,
  // An SQL function of every connection (store/sqlite/functions.ts).
  beginsWord: (text, word) => sql`(instr(${text}, ${word}) > 0 AND begins_word(${text}, ${word}))`,
  isAmong: (id, from) => sql`${id} IN (SELECT id ${from})`,
  oneOf: (column, values) => sql`${column} IN (SELECT value FROM json_each(${`[${values.map(json).join(',')}]`}))`,
  given(columns, rows) {
    const values = columns.map((column, i) => sql`value ->> ${constant(i)} AS ${name(column)}`)
    return sql`(SELECT ${join(values, ', ')} FROM json_each(${JSON.stringify(rows)}))`
  },
  byCodePoint: (column) => column,
  weekOf: (day) => sql`CASE WHEN ${day} < '0001' THEN '0000-W00' ELSE strftime('%G-W%V', ${day}) END`,
  memberOf: (json, member) => sql`(${json} -> ${constant(member)})`,
  bytesOf: (text) => sql`octet_length(${text})`,
  // The values are lists or objects, which json_each gives as JSON.
  members: (object, names) =>
    sql`(SELECT json_group_object(key, json(value)) FROM json_each(${object}) WHERE ${sqlite.oneOf(sql`key`, names)})`,
  integerText,
  digitsOf: (time) => sql`CAST(replace(replace(replace(${time}, '-', ''), ':', ''), ' ', '') AS INTEGER)`,
  digest: (text) => sql`digest(${text})`,
  decimalText(column, scale) {
    if (scale === 0) return integerText(column)
    // A bigint, since the driver binds a number as a float, and the division would not be one of integers.
    const one = 10n ** BigInt(scale)
    const fraction = sql`substr('00000000' || (abs(${column}) % ${one}), ${-scale})`
    return sql`(CASE WHEN ${column} < 0 THEN '-' ELSE '' END || (abs(${column}) / ${one}) || '.' || ${fraction})`
  },
}

function inTime(every: number, texts: readonly Sql[]): Sql {
  const isTurn = sql`id & ${constant(every - 1)}`
  if (texts.length === 0) return sql`(${isTurn} <> 0 OR in_time(0))`
  const bytes = join(texts.map(bytesOf), ' + ')
  return sql`(${isTurn} <> 0 AND ${bytes} < ${LONG} OR in_time(${bytes}))`
}

function integerText(column: Sql): Sql {
  return sql`CAST(${column} AS TEXT)`
}

/** A value as JSON; numbers keep all digits. */
const json = (value: unknown): string => (typeof value === 'string' ? JSON.stringify(value) : String(value))
