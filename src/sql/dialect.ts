import type { Param, Sql } from './sql.ts'

export type Engine = 'sqlite' | 'postgres'

/** Conditions that hold until the time of the statement that asks them is over: then it fails. Left out where the engine sees to that. */
export interface Patience {
  /** Asked of each record first: looks at the clock at one record in `every`, a power of two, and where one of these texts is long. */
  record?(every: number, texts: readonly Sql[]): Sql
  /** A condition that looks through a text that may be long, with what is asked before. */
  text?(text: Sql, condition: Sql): Sql
}

/**
 * Where a table lies on an engine of several servers: whole on each of them; on the coordinator alone, also so that the others
 * know of it; in parts, by the value of a column.
 */
export type Placement = 'everywhere' | 'coordinator' | 'coordinator, known to all' | { readonly by: string }

/** Everything the engines disagree on. A difference that is not here is a bug. */
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
  /** Equal to one of any number of values, all texts or all whole numbers. They are one parameter, so lists of every length share a statement. */
  oneOf(column: Sql, values: readonly Param[]): Sql
  /** Rows of whole numbers to select from, as a parameter for each column or one in all, so that any number of rows is the same statement. */
  given(columns: readonly string[], rows: readonly (readonly number[])[]): Sql
  /** Text compared and ordered by code point. */
  byCodePoint(column: Sql): Sql
  /** Bytes of a text; takes no longer for a long one. */
  bytesOf(text: Sql): Sql
  /** A 64-bit integer read as its decimal text, so that JavaScript cannot round it. */
  integerText(column: Sql): Sql
  /** An integer of 10^-scale units as the text a response shows: 150 with scale 2 is '1.50'. */
  decimalText(column: Sql, scale: number): Sql
  /** Whether a table of keys keeps the values of a column apart (store/records/unique-keys.ts): no index spans all servers. */
  readonly keysApart: boolean
  /** What keeps the keys of a column apart, unless a table does, and finds one: of those that meet the condition. `long`: they may have thousands of characters. */
  uniqueIndex(index: string, table: string, column: string, condition: Sql, long: boolean): readonly Sql[]
  readonly patience: Patience
  /** What has to be run before a column goes. */
  beforeDrop(table: string, column: string): readonly Sql[]
  /** A query whose only row is 'ok' where the engine finds its own storage sound. */
  readonly integrity: Sql
  /** What stands at the end of a query whose rows the transaction is going to change. */
  readonly forUpdate: Sql
  /** Whether several processes may share a database; then what this one remembers has to be compared with it. */
  readonly shared: boolean
  /** Statements after a table was made, which say on which servers its rows lie. */
  placement(table: string, placement: Placement): readonly Sql[]
  /** Ids for so many new rows, where they must be known before the rows are written. */
  readonly newIds?: (table: string, count: number) => Sql
  /** What is told to a connection for records and pages that are found by id, where it keeps that. */
  readonly byId: string
  /** What a transaction that writes says first. */
  readonly beforeWrites: string
  /** Statements after rows were written under ids of our own, so that new ones come behind. */
  continueIds(table: string): readonly Sql[]
  /** Queries for the last id a table's identity gave out; none where the engine does not keep it so. */
  lastId(table: string): readonly Sql[]
  /** Statements after which the next id a table gives out is behind that one. */
  setLastId(table: string, id: number): readonly Sql[]
  /** Which of these tables are there, a row for each. */
  tablesAmong(names: readonly string[]): Sql
  /** Tables, columns, types and defaults: a row for each column, in the order in which they were made. */
  readonly columns: Sql
  /** Statements that let a transaction wait for something else as long as it takes. */
  readonly unhurried: readonly Sql[]
  readonly indexes: IndexStatements
}

/** An index that answers which texts hold a piece. */
export interface TextIndex {
  readonly index: string
  readonly table: string
  readonly column: string
  /** The last record it knows, as a query of one value. */
  readonly covered: Sql
}

/** Rows with the values of their columns. */
export type Answer = readonly (readonly Param[])[]

/** Statements for the indexes that store/indexes/indexes.ts decides on. */
export interface IndexStatements {
  /** Statements that make an index over an expression, then over the id. */
  make(index: string, table: string, expression: Sql, descending: boolean): readonly Sql[]
  /** Characters of the longest text that such an index can hold; Infinity where there is no bound. */
  readonly longest: number
  /** Whether or not it is there. */
  drop(index: string): readonly Sql[]
  /** A query for the bytes of an index. */
  bytes(index: string): Sql
  /** Whether lists choose their index by counting what each would find (store/lists/access-path.ts); else the planner of the engine does. */
  readonly countsFirst: boolean
  /** The same value, for which the engine uses no index where `countsFirst`. */
  unindexed(value: Sql): Sql
  readonly texts: TextIndexStatements
}

/** Statements for indexes over the pieces of texts. */
export interface TextIndexStatements {
  /** Whether the database can have them. */
  readonly areAvailable: boolean
  /** Names the form of the index; one of another form is made anew. */
  readonly form: string
  /** Makes it; where there is `upkeep`, it knows no record yet. */
  make(one: TextIndex): readonly Sql[]
  /** Whether or not it is there. */
  drop(index: string): readonly Sql[]
  /** Queries, one for each piece, for what `holding` has to know of it; none where that is nothing. */
  known(asked: readonly { readonly text: TextIndex; readonly piece: string }[]): readonly Sql[]
  /** Ids of all records whose text holds a piece of three or more characters; undefined where looking through all costs less. */
  holding(one: TextIndex, piece: string, known: Answer): Sql | undefined
  /** Undefined where each write brings the index up to date. */
  readonly upkeep: TextIndexUpkeep | undefined
}

/** Of an index that knows the records as they were when it was last brought up to date. */
export interface TextIndexUpkeep {
  /** Ids of records that have changed since then, and the bytes of both texts, the first so many by id. */
  changed(one: TextIndex, most: number): Sql
  /** The same of the records after those covered. */
  later(one: TextIndex, most: number): Sql
  /** Brings those up to date, up to an id. */
  renew(one: TextIndex, to: number): readonly Sql[]
  /** Takes in the records after those covered, up to an id. */
  cover(one: TextIndex, to: number): Sql
  /** How many parts the index is in: each step that takes records in leaves another one. */
  parts(index: string): Sql
  /** Merges parts, so many pages of 4 KiB about: the work that is left shows in `parts`. */
  merge(index: string, pages: number): Sql
  /** Counts in a sample of the records how frequent each gram is. */
  learn(one: TextIndex): readonly Sql[]
  /** Has a connection see what others wrote into the index, which its own check of the database would take for damage. */
  look(index: string): Sql
  /** Fails where the index does not fit the records, all of which are covered. */
  sound(one: TextIndex): Sql
}
