import type { Condition } from '../../filter/check.ts'
import type { FindPiece } from '../../filter/compile.ts'
import type { SortKey } from '../../filter/sort.ts'
import type { Sql } from '../../sql/sql.ts'
import type { Table } from '../model/catalogue.ts'

/*
 * Kinds of indexes of records (indexes/).
 *
 * order: by the sort key, then by id; serves filters too. value: for a list, by the ids of its options, while `order` is by their
 * labels. order_desc: by the sort key descending, then by id ascending. text: by grams of a text. words: by the words of all attributes.
 */
export const indexKinds = ['order', 'order_desc', 'value', 'text', 'words'] as const
export type IndexKind = (typeof indexKinds)[number]

/** waiting: to be made; ready; failed: is tried again; none: forbidden. */
export const indexStates = ['waiting', 'ready', 'failed', 'none'] as const
export type IndexState = (typeof indexStates)[number]

/**
 * What answers a list. Sets are read once; of a table that is not large, orders and ranges are read without an index. SQL needs an index in the
 * order of each list.
 */
export type Answered = 'by SQL' | 'by sets' | 'by sets of a table that is not large'

/** The indexes of an installation. Without any of them every answer is the same. */
export interface Indexes {
  /** Reads what indexes there are; called first. */
  load(): Promise<unknown>
  /** Tells what a list filters and sorts by: counts as a use of the indexes that serve it, and requests those that are missing. */
  wanted(table: Table, condition: Condition | undefined, sort: readonly SortKey[], answered?: Answered): void
  /** The terms of a filter, joined by AND, that an index serves. */
  serving(table: Table, condition: Condition): readonly Condition[]
  /** The text indexes that are ready for this condition. */
  pieces(table: Table, condition: Condition | undefined): Promise<FindPiece | undefined>
  /** The index, if it is ready. */
  has(tableId: number, attribute: string, kind: IndexKind): object | undefined
  /** Makes missing indexes and drops unwanted ones. Called after the start, and after a change of structure or of a row of `indexes`. */
  recheck(): void
  /** Writes the uses to the database and drops the indexes that were not used. Called once in a while. */
  keep(): Promise<void>
  /** Resolves when no index is left to be made or dropped. */
  idle(): Promise<void>
  /** Ends after the step that runs; the rest is done after the next start. */
  stop(): Promise<void>
  /** How many there are in each state, as they were last read. */
  counts(): Readonly<Record<IndexState, number>>
  /** Queries that a connection has to run before it checks the database. */
  looks(): Promise<readonly Sql[]>
  /** What is wrong with the text indexes, a sentence each. */
  check(): AsyncGenerator<string>
}

/** Whether an index in this order is there. */
export const hasIndex = (indexes: Pick<Indexes, 'has'>, tableId: number, { attribute, descending }: SortKey): boolean =>
  indexes.has(tableId, attribute.name, descending ? 'order_desc' : 'order') !== undefined
