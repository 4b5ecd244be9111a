import type { Condition } from '../../filter/check.ts'
import type { SortKey } from '../../filter/sort.ts'
import type { Row } from '../ground/db.ts'
import type { Granted } from '../model/access.ts'

/*
 * The port of what reads lists, behind which it can be exchanged: pages.ts calls it, keep-lists.ts chooses it. sql-list-reader.ts is the
 * only implementation.
 */

export interface ListQuestion {
  /** The table, and the caller's rights on it: which records and attributes they see. */
  readonly granted: Granted<'read'>
  /** What the filter selects; undefined: every record. */
  readonly condition: Condition | undefined
  /** Then by id. */
  readonly sort: readonly SortKey[]
  readonly offset: number
  readonly limit: number
}

/** Rows of a page, as `shownList` selects them (the id first), and how many records match in all, from one snapshot. */
export interface PageRows {
  readonly rows: readonly Row[]
  readonly total: number
}

export interface ListReader {
  page(question: ListQuestion): Promise<PageRows>
  /** Resolves when no work for later pages is running. */
  idle(): Promise<unknown>
}
