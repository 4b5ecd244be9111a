import type { Param, Sql } from './sql.ts'

/*
 * What each engine says in its own way: the members of Dialect. Statements outside of src/sql and of the folders of the engines
 * (store/sqlite, store/postgres) are the same for all engines. They need an engine that has
 * - names in double quotes, ON CONFLICT, RETURNING, UPDATE … FROM, WITH … AS MATERIALIZED, window functions
 * - changes of tables, columns and indexes inside a transaction, undone with it; savepoints
 * - 64-bit integers
 * Only these statements are for one engine. PostgreSQL: lists/shared-pages.ts, positions/, sets/shared-source.ts, and what
 * records/unique-keys.ts does if `keysApart`. SQLite: group_concat in sqlite/database.ts.
 */

export type Engine = 'sqlite' | 'postgres'

/** Conditions that make a statement fail when its time is over. A member is left out where the engine checks the time itself. */
export interface Patience {
  /** The first condition on each record: checks the clock at one record in `every`, a power of two, and at records where one of `texts` is long. */
  record?(every: number, texts: readonly Sql[]): Sql
  /** A condition that searches a text which may be long, with the check of the clock that precedes it. */
  text?(text: Sql, condition: Sql): Sql
}

/**
 * Where the rows of a table are if the database is several servers. everywhere: all rows on each server. coordinator: on that server
 * only; `known to all`: the others may name the table in their statements. by: spread over the servers by the value of a column.
 */
export type Placement = 'everywhere' | 'coordinator' | 'coordinator, known to all' | { readonly by: string }

/** What differs between engines, besides the column types of field types (`FieldType.column`). */
export interface Dialect {
  readonly engine: Engine
  placeholder(n: number): string
  /** Column type of a generated, never reused primary key. */
  readonly identity: Sql
  /** Column type of a 64-bit integer, and of text. */
  readonly integer: Sql
  readonly text: Sql
  /** Substring tests are exact: no LIKE, so nothing to escape. Both sides are text. */
  contains(text: Sql, part: Sql): Sql
  endsWith(text: Sql, part: Sql): Sql
  /** Whether a word of the folded text (words.ts) begins with a word of at most 250 code units. */
  beginsWord(text: Sql, word: string): Sql
  /** Equal to one of the values: all texts, or all whole numbers. They are one parameter, so a list of any length has the same statement. */
  oneOf(column: Sql, values: readonly Param[]): Sql
  /** Whether an id is among those of a table. `from`: FROM and WHERE of a query whose conditions may be long. */
  isAmong(id: Sql, from: Sql): Sql
  /**
   * Rows to select from, each column of whole numbers only or of texts only. The number of parameters does not depend on the number of rows, so
   * the statement stays the same.
   */
  given(columns: readonly string[], rows: readonly (readonly (number | string)[])[]): Sql
  /** Text compared and ordered by code point. */
  byCodePoint(column: Sql): Sql
  /** The ISO 8601 week of a day as text: '2024-05-01' is '2024-W18'. The empty day '0000-00-00' is '0000-W00'. */
  weekOf(day: Sql): Sql
  /** A member of a JSON object in a text, as JSON; NULL where it has none of this name (letters, digits and _). */
  memberOf(json: Sql, member: string): Sql
  /** The length of a text in bytes, in a time that does not depend on the length. */
  bytesOf(text: Sql): Sql
  /** Of a JSON object as text, whose members are lists or objects, those that are named. */
  members(object: Sql, names: readonly string[]): Sql
  /** A 64-bit integer read as its decimal text, so that JavaScript cannot round it. */
  integerText(column: Sql): Sql
  /** The digits of a date or time as one whole number: 20240501093015. */
  digitsOf(time: Sql): Sql
  /** 32 hexadecimal digits that tell two texts apart: the same in every engine. */
  digest(text: Sql): Sql
  /** An integer of 10^-scale units as the text a response shows: 150 with scale 2 is '1.50'. */
  decimalText(column: Sql, scale: number): Sql
  /** Whether unique values are rows of the table unique_keys (store/records/unique-keys.ts), because no index spans all servers. */
  readonly keysApart: boolean
  /** Statements that make the index of a unique field: over the keys that meet the condition. `long`: keys may have thousands of characters. */
  uniqueIndex(index: string, table: string, column: string, condition: Sql, long: boolean): readonly Sql[]
  readonly patience: Patience
  /** Whether the whole table is written anew where a column is dropped. */
  readonly dropRewrites: boolean
  /** A query for the names of the columns of a table. */
  columnsOf(table: string): Sql
  /** Statements that end the engine's own upkeep of a table, for which a change of its structure would wait; others write meanwhile. */
  endUpkeep(table: string): readonly Sql[]
  /** A query that checks the engine's own storage. Its only row is 'ok' if there is no damage. */
  readonly integrity: Sql
  /** A query of one row: the engine with its version, the bytes of the database, those of them that wait for new data, and its file; NULL: not told. */
  readonly measure: Sql
  /** The end of a query whose rows the transaction is going to change: locks them. */
  readonly forUpdate: Sql
  /** Whether `forUpdate` can lock only records with one id, which one server holds. */
  readonly locksOneByOne: boolean
  /** Whether several processes may share a database. If so, what this process has in memory may be stale and must be checked. */
  readonly shared: boolean
  /** Of a shared one: the id of the oldest transaction that still runs and may write to the database, as a number. */
  readonly oldestRunning: Sql
  /** Statements to run after a table was made, which put its rows on the servers. */
  placement(table: string, placement: Placement): readonly Sql[]
  /** A query for the ids of `count` new rows. Present if ids must be known before the rows are written. */
  readonly newIds?: (table: string, count: number) => Sql
  /** Settings for connections that read records and pages by id: statements in one text, '' for none. */
  readonly byId: string
  /** What ends the text that begins a transaction that writes: more statements, '' for none. */
  readonly beforeWrites: string
  /** Statements to run after rows were inserted with given ids, so that generated ids are larger than those. */
  continueIds(table: string): readonly Sql[]
  /** Statements after which the next generated id of a table is larger than `id`, and than those generated before. */
  raiseLastId(table: string, id: number): readonly Sql[]
  /** Queries for the last id that was generated for a table. */
  lastId(table: string): readonly Sql[]
  /** Statements after which the next generated id of a table is larger than `id`. */
  setLastId(table: string, id: number): readonly Sql[]
  /** A query for those of the names that are tables, a row for each. */
  tablesAmong(names: readonly string[]): Sql
  /** A query for table, column, type and default: a row for each column, in the order in which they were made. */
  readonly columns: Sql
  /** Statements that remove the limit on how long a transaction may stay idle. */
  readonly unhurried: readonly Sql[]
  readonly indexes: IndexStatements
}

/** A column whose words are searched. */
export interface WordColumn {
  /** Begins each of its words in the index. */
  readonly tag: string
  readonly column: string
  /** The text that is divided into words. */
  text(value: Sql): Sql
}

/** A word, or the beginning of one, of the column with this tag. */
export interface TaggedWord {
  readonly tag: string
  readonly word: string
  readonly isWhole: boolean
}

/** Records that have one of each list of `every`, or else one of `instead`. */
export interface WordsAsked {
  readonly every: readonly (readonly TaggedWord[])[]
  readonly instead: readonly TaggedWord[]
}

/** A text index: finds the records whose text contains a piece, or those in which words begin so. */
export interface TextIndex {
  readonly index: string
  readonly table: string
  /** '' for an index of words. */
  readonly column: string
  /** The columns of an index of words. */
  readonly words?: readonly WordColumn[]
  /** A query for one value: the id up to which it contains the records. */
  readonly covered: Sql
}

/** Rows with the values of their columns. */
export type Answer = readonly (readonly Param[])[]

/** Statements for the indexes that store/indexes/indexes.ts decides on. */
export interface IndexStatements {
  /** Statements that make an index over an expression, then over the id. */
  make(index: string, table: string, expression: Sql, descending: boolean): readonly Sql[]
  /** The most characters of a text in such an index; Infinity for no bound. */
  readonly longest: number
  /** Statements that drop it if it exists. */
  drop(index: string): readonly Sql[]
  /** A query for the size of an index in bytes. */
  bytes(index: string): Sql
  /** The same value in a form for which SQLite uses no index; PostgreSQL decides by itself. */
  unindexed(value: Sql): Sql
  readonly texts: TextIndexStatements
}

/** Statements for text indexes. */
export interface TextIndexStatements {
  /** Whether the database can have them. */
  readonly areAvailable: boolean
  /** A name for the structure of an index. An index with another form is made again. */
  form(one: Pick<TextIndex, 'words'>): string
  /** Statements that make it. With `upkeep` it is empty at first. */
  make(one: TextIndex): readonly Sql[]
  /** Statements that drop it if it exists. */
  drop(index: string): readonly Sql[]
  /** Queries, one for each piece, whose answers `holding` needs; none if it needs nothing. */
  known(asked: readonly { readonly text: TextIndex; readonly piece: string }[]): readonly Sql[]
  /** A query for the ids of all records whose text contains a piece of three or more characters; undefined if a full scan costs less. */
  holding(one: TextIndex, piece: string, known: Answer): Sql | undefined
  /** The same of the records that the index has as they are, and a query for the ids of those that it has not. Undefined if writes update the index. */
  readonly holdingApart?: (one: TextIndex, piece: string, known: Answer) => Apart | undefined
  /** As `holdingApart`, at less cost: the index may also give ids of records without the piece. Absent where writes update the index. */
  readonly perhapsHolding?: (one: TextIndex, piece: string, known: Answer) => Apart | undefined
  /** Whether the database can have indexes of words. */
  readonly haveWords: boolean
  /** A query for the ids of all records that have these words. `exact`: the same as a condition. */
  withWords(one: TextIndex, asked: WordsAsked, exact: Sql): Sql
  /** The condition that a record is among those of all these queries, each by a text index; undefined: `IN` for each of them. */
  readonly amongAll?: (ids: readonly Sql[]) => Sql
  /** A query for the number of records that the index does not have as they are; undefined where the engine itself sees to that, or `upkeep` tells. */
  readonly misfits?: (one: TextIndex) => Sql | undefined
  /** Undefined if the engine updates the index with each write. */
  readonly upkeep: TextIndexUpkeep | undefined
}

/** What finds records by an index that writes do not update. */
export interface Apart {
  readonly ids: Sql
  /** Ids of records that may or may not be among them. */
  readonly untested: Sql
}

/** Statements that update an index which writes do not update. It contains the records as they were at its last update. */
export interface TextIndexUpkeep {
  /** A query for records that have changed since the last update: id, and the bytes of the old and new text together. The first `most` by id. */
  changed(one: TextIndex, most: number): Sql
  /** The same for the records with ids after `covered`. */
  later(one: TextIndex, most: number): Sql
  /** Updates the changed records up to the id `to`. */
  renew(one: TextIndex, to: number): readonly Sql[]
  /** Adds the records after `covered` up to the id `to`. */
  cover(one: TextIndex, to: number): Sql
  /** A query for the number of segments of the index. Each step that adds records adds one. */
  parts(index: string): Sql
  /** Merges segments, about `pages` pages of 4 KiB. What is left to merge shows in `parts`. */
  merge(index: string, pages: number): Sql
  /** The last id of the table: now, and when the grams were last counted (null: never). */
  lastLearned(one: TextIndex): Sql
  /** Counts the grams of a sample of the records: lists of statements, each one transaction that writes temporary tables only. */
  sample(one: TextIndex): readonly (readonly Sql[])[]
  /** Copies the counts of the sample into the index. */
  learn(one: TextIndex): readonly Sql[]
  /** Reads the index, so that a connection sees what others wrote into it. Without this, its check of the database reports damage. */
  look(index: string): Sql
  /** Fails if the index does not match the records. All records must be covered. */
  sound(one: TextIndex): Sql
}
