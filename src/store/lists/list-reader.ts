import type { Attribute } from '../../fields/field-type.ts'
import type { Condition } from '../../filter/check.ts'
import type { Grouping } from '../../filter/aggregate.ts'
import type { Position } from '../../filter/position.ts'
import type { SortKey } from '../../filter/sort.ts'
import type { Sql } from '../../sql/sql.ts'
import type { Stretching } from '../ground/around.ts'
import type { Row } from '../ground/db.ts'
import type { Answered } from '../ground/indexes.ts'
import type { ListFigures } from '../ground/pages.ts'
import type { Granted } from '../model/access.ts'

/*
 * The port of what reads lists: pages.ts calls it, keep-lists.ts chooses it. set-list-reader.ts answers from sets in memory, sql-list-reader.ts
 * by statements.
 */

/** Which records of a table, in which order. */
export interface ListWanted {
  /** The table, and the caller's rights on it: which records and attributes they see. */
  readonly granted: Granted<'read'>
  /** What the filter selects; undefined: every record. */
  readonly condition: Condition | undefined
  /** Then by id. */
  readonly sort: readonly SortKey[]
  /** What answers such lists as a rule; SQL by default. */
  readonly answered?: Answered
}

export interface ListQuestion extends ListWanted {
  readonly offset: number
  readonly limit: number
}

/** A row as `listUpTo` selects it, and its position. */
export interface Walked {
  readonly row: Row
  readonly position: Position
}

/** Rows of a page, as `shownList` selects them (the id first), and how many records match in all, from one snapshot. */
export interface PageRows {
  readonly rows: readonly Row[]
  readonly total: number
}

/** The parts of a list that decide which records are in it. */
export type Selection = Pick<ListQuestion, 'granted' | 'condition' | 'answered'>

export interface GroupQuestion extends Selection {
  readonly grouping: Grouping | undefined
  /** Whose figures are asked for. */
  readonly measured: readonly Attribute[]
  /** What is selected of each group: how many records it has, and what is measured. */
  readonly columns: readonly Sql[]
  /** The most groups that are read. */
  readonly most: number
}

export interface ListReader {
  page(question: ListQuestion): Promise<PageRows>
  /** A row for each group: its key as text, then the columns. One row with the key NULL where nothing is grouped. */
  groups(question: GroupQuestion): Promise<readonly Row[]>
  /** What follows or precedes a position, the nearest first. */
  walk(wanted: ListWanted, stretching: Stretching): Promise<readonly Walked[]>
  /** What it keeps in memory, and how that is compared with the database; absent where it keeps nothing of the kind. */
  figures?(): ListFigures
  verify?(): Promise<void>
  /** Gets ready for the first who asks, where that takes a moment. */
  startAhead?(): Promise<void>
  /** Resolves when no work for later pages is running. */
  idle(): Promise<unknown>
}
