import type { Condition } from '../../filter/check.ts'
import type { SortKey } from '../../filter/sort.ts'
import type { Row } from '../ground/db.ts'
import type { Granted } from '../model/access.ts'

/*
 * The seam where what answers lists can be exchanged: pages.ts asks it, nothing else does. Today sql-list-engine.ts is the only one.
 */

export interface ListQuestion {
  /** The table, and what the caller's rights leave of it. */
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

export interface ListEngine {
  page(question: ListQuestion): Promise<PageRows>
  /** Resolves when nothing is being found out for later pages. */
  idle(): Promise<unknown>
}
