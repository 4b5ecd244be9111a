import type { Condition } from '../../filter/check.ts'
import type { FindPiece } from '../../filter/compile.ts'
import type { SortKey } from '../../filter/sort.ts'
import type { Sql } from '../../sql/sql.ts'
import type { Table } from '../model/catalogue.ts'

/*
 * Kinds of indexes of records (indexes/).
 *
 * order: by what a sort compares, then by id; answers filters too. value: the same of a list by its options, whose sort is
 * by their labels. order_desc: the other way round, with ids still going up. text: by the pieces of a text.
 */
export const indexKinds = ['order', 'order_desc', 'value', 'text'] as const
export type IndexKind = (typeof indexKinds)[number]

/** The indexes of an installation. Without any of them every answer is the same. */
export interface Indexes {
  /** Before anything else. */
  load(): Promise<unknown>
  /** Tells what a list filters and sorts by: counts as a use of the indexes that serve it, and requests those that are missing. */
  wanted(table: Table, condition: Condition | undefined, sort: readonly SortKey[]): void
  /** The terms of a filter, joined by AND, that an index serves. */
  serving(table: Table, condition: Condition): readonly Condition[]
  /** Whether indexes find what a filter selects, but not in the order of the ids. */
  findUnordered(table: Table, condition: Condition): boolean
  /** The text indexes that can be asked just now. */
  pieces(table: Table, condition: Condition | undefined): Promise<FindPiece | undefined>
  /** An index that is there. */
  has(tableId: number, attribute: string, kind: IndexKind): object | undefined
  /** After a change of the structure or of a row of `indexes`, and after the start: makes what is missing, drops what is not wanted. */
  recheck(): void
  /** Writes the uses to the database and drops the indexes that were not used. Called once in a while. */
  keep(): Promise<void>
  /** Resolves when nothing is left to be made. */
  idle(): Promise<void>
  /** Ends after the step that runs; the rest is done after the next start. */
  stop(): Promise<void>
  /** Queries that a connection runs before it checks the database. */
  looks(): Promise<readonly Sql[]>
  /** What is wrong with the text indexes, a sentence each. */
  check(): AsyncGenerator<string>
}
