import type { Sql } from '../../sql/sql.ts'
import type { Ledger, Reader } from './db.ts'

/* Totals of tables and places of records in them; lists/positions.ts and lists/shared-positions.ts keep them. */

/** Ids that are counted together. */
export const BLOCK = 256

/** Where to begin reading: at the first record whose id is not below `id`, `skip` records later (fewer than 256). */
export interface Position {
  /** What the statement that reads there begins with. */
  readonly prelude: Sql
  readonly id: number | Sql
  readonly skip: number | Sql
  /** Where the statement cannot find out by itself: a query for both numbers, whose answer has no row behind the last record. */
  readonly ask?: Sql
}

/** Totals and places of records: `settle` brings them up to date on disk, `settled` before anybody reads after the commit. */
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
  /** Where several processes write: what this one knows of places. */
  readonly shared?: SharedCounts
  /** Where an erased table leaves rows of its own, by `table_id`. */
  readonly kept: readonly string[]
}

/** The state as this process knows it and, where others write too, a query for the one that a snapshot shows. */
export interface State {
  readonly known: number
  readonly query: Sql | undefined
  /** Takes the answer to the query; the state it tells of. */
  learn(answer: unknown): number
}

/** What one snapshot shows. */
export interface Counted {
  readonly total: number
  /** How many changes it has seen; it tells one state of the table from every other. */
  readonly state: number
  /** Where the record with so many before it is; undefined: behind the last, 'unknown': counts have to be loaded. */
  at(offset: number): { readonly id: number; readonly skip: number } | 'unknown' | undefined
}

export interface SharedCounts {
  /** A query of one text, for `learn`. */
  marks(tableId: number): Sql
  /** What the last snapshot showed. */
  known(tableId: number): Counted | undefined
  learn(tableId: number, marks: string): Counted
  /** Learns all there is to know of places. */
  load(tableId: number, read: Reader['read']): Promise<Counted>
}
