import type { Sql } from '../../sql/sql.ts'
import type { Ledger, LocalLedger } from './db.ts'

/* Totals of tables, and positions of records by offset. positions/ implements them. */

/** Consecutive ids whose records are counted together. */
export const BLOCK = 256

/** Where to begin reading: at the first record whose id is not below `id`, `skip` records later (fewer than 256). */
export interface Position {
  /** The beginning (WITH) of the statement that reads there. */
  readonly prelude: Sql
  readonly id: number | Sql
  readonly skip: number | Sql
}

/** Totals and places of records: `beforeCommit` brings them up to date on disk, `afterCommit` in memory. */
export interface Positions extends Ledger {
  /** Loads the counts of a table; at once where they are in memory. */
  ready(tableId: number): Promise<unknown> | undefined
  /**
   * The position of an offset in a table that is ready; undefined behind the last record. The read has to be begun in the same turn of
   * the event loop: after an `await`, a commit may have moved the position.
   */
  locate(tableId: number, offset: number): Position | undefined
  /** The exact number of records, as a query with one row; none where the table is not known. */
  total(tableId: number): Sql
  /** The same, as the sum of the counts of blocks. */
  inBlocks(tableId: number): Sql
  /** The ids of the tables with so many records, and how many each has, the largest first. */
  larger(least: number): Sql
  /** The state of a table's records. It changes with every commit and never returns. While a commit is in progress, every call gives another one. */
  state(tableId: number): State
}

/** For a database to which only this process writes. */
export interface LocalPositions extends Positions, LocalLedger {}

/** The state as this process knows it; where other processes write too, also a query for the state in a snapshot. */
export interface State {
  readonly number: number
  readonly query: Sql | undefined
  /** Takes the answer to the query; returns the state. */
  learn(answer: unknown): number
}
