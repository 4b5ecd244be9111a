import type { Expression } from '../../filter/ast.ts'
import type { SortKey } from '../../filter/sort.ts'
import type { Granted } from '../model/access.ts'
import type { ShownRecord } from '../model/record.ts'

export interface ListQuery {
  readonly filter?: Expression | undefined
  readonly sort: readonly SortKey[]
  readonly offset: number
  readonly limit: number
}

export interface Page {
  readonly records: ShownRecord[]
  /** How many match in all. */
  readonly total: number
}

/** Lists of records: the port of lists/, which is known here and where a store is opened, nowhere else. */
export interface Pages {
  /** A page of what matches and exists for the caller, and how many match in all, from one snapshot. @throws Failures `filter.…` */
  page(granted: Granted<'read'>, query: ListQuery): Promise<Page>
  /** Resolves when nothing is being found out for later pages. */
  idle(): Promise<unknown>
}
