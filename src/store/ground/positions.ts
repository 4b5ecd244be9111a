import type { Sql } from '../../sql/sql.ts'
import type { Ledger, LocalLedger } from './db.ts'

/* Totals of tables and places of records in them; lists/positions.ts and lists/shared-positions.ts keep them. */

/** Ids that are counted together. */
export const BLOCK = 256

/** Where to begin reading: at the first record whose id is not below `id`, `skip` records later (fewer than 256). */
export interface Position {
  /** What the statement that reads there begins with. */
  readonly prelude: Sql
  readonly id: number | Sql
  readonly skip: number | Sql
}

/** Totals and places of records: `beforeCommit` brings them up to date on disk, `afterCommit` in memory. */
export interface Positions extends Ledger {
  /** Loads the counts of a table; at once where they are in memory. */
  ready(tableId: number): Promise<unknown> | undefined
  /**
   * Of a table that is ready; undefined where the offset lies behind the last record. Right for a read that is begun in
   * the same turn: awaiting anything in between may let a commit pass.
   */
  locate(tableId: number, offset: number): Position | undefined
  /** The exact number of records, as a query with one row; none where the table is not known. */
  total(tableId: number): Sql
  /** The same, added up from what is kept for each block. */
  inBlocks(tableId: number): Sql
  /** Which state of its records the table is in; it never returns to one, and while a commit may be seen or not, it is another each time. */
  state(tableId: number): State
}

/** Where this process alone writes. */
export interface LocalPositions extends Positions, LocalLedger {}

/** The state as this process knows it and, where others write too, a query for the one that a snapshot shows. */
export interface State {
  readonly known: number
  readonly query: Sql | undefined
  /** Takes the answer to the query; the state it tells of. */
  learn(answer: unknown): number
}
