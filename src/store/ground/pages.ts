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

/** Lists of records. The port of lists/: other rooms know only this; where a store is opened, its implementation is chosen. */
export interface Pages {
  /** A page of the records that match and that the caller may read, and how many there are in all, from one snapshot. @throws Failures `filter.…` */
  page(granted: Granted<'read'>, query: ListQuery): Promise<Page>
  /** Resolves when no work for later pages is running. */
  idle(): Promise<unknown>
}
