import type { Dialect } from '../sql/dialect.ts'
import type { Param, Sql } from '../sql/sql.ts'

/** Values in the order of the select list. */
export type Row = readonly Param[]

/** One write in progress; what it does happens wholly or not at all. */
export interface Transaction {
  all(query: Sql): Promise<Row[]>
  /** Number of rows changed. */
  run(query: Sql): Promise<number>
}

export interface WriteOptions {
  /** Shares its transaction with no other write: for changes that others must not meet half-way. */
  readonly alone?: boolean
  /** Called right after the commit, before anybody hears of it. */
  readonly onCommit?: () => void
}

/** A database as the store sees it: SQLite in this process, PostgreSQL behind a pool. */
export interface Db {
  readonly dialect: Dialect
  /** Answers of all queries from one snapshot of what is committed. */
  read(...queries: Sql[]): Promise<Row[][]>
  /**
   * Runs the work alone, in a transaction of its own or a savepoint of a shared one; durable on disk when the promise
   * resolves (group commit). What the work throws undoes it and rejects the promise.
   */
  write<T>(work: (tx: Transaction) => Promise<T>, options?: WriteOptions): Promise<T>
  close(): Promise<void>
}
