import type { Expression } from '../../filter/ast.ts'
import type { Figures, Grouping } from '../../filter/aggregate.ts'
import type { Position } from '../../filter/position.ts'
import type { SortKey } from '../../filter/sort.ts'
import type { Around } from './around.ts'
import type { Granted } from '../model/access.ts'
import type { ShownRecord } from '../model/record.ts'

export interface Selection {
  readonly filter?: Expression | undefined
  readonly sort: readonly SortKey[]
}

export interface ListQuery extends Selection {
  readonly offset: number
  readonly limit: number
}

export interface Page {
  readonly records: ShownRecord[]
  /** How many match in all. */
  readonly total: number
}

export interface AggregateQuery extends Figures {
  readonly filter?: Expression | undefined
  readonly grouping: Grouping | undefined
}

/** Values by function, then by attribute; null: there is no value to compute it from. */
export interface Totals {
  readonly count?: number
  readonly sum?: Readonly<Record<string, string>>
  readonly avg?: Readonly<Record<string, string | null>>
  readonly min?: Readonly<Record<string, string | null>>
  readonly max?: Readonly<Record<string, string | null>>
}

export interface Aggregate {
  /** Over all records that match. */
  readonly all: Totals
  /** Undefined: not asked for. In the order of a list that is sorted by the attribute. */
  readonly groups: readonly ({ readonly value: string; readonly label: string } & Totals)[] | undefined
}

/** Records and their positions. */
export interface RecordsAround {
  readonly records: readonly ShownRecord[]
  readonly positions: readonly Position[]
  /** Whether there are more in the direction in which the page was read. */
  readonly more: boolean
}

/** What lists keep in memory. */
export interface ListFigures {
  /** The setting, in bytes; and what is used of it. */
  readonly most: number
  readonly bytes: number
  /**
   * How many: sets of terms and of whole filters, columns of numbers, orders, counts of a set in an order, choices of columns with rows that were shown, and
   * tables with what changed records hold.
   */
  readonly kept: Readonly<Record<'changed' | 'rows' | 'counts' | 'filter' | 'column' | 'term' | 'order', number>>
  /** How many had to go for want of room. */
  readonly dropped: number
  /** How many were not what the database had, which is a fault of this program; they were made anew. */
  readonly wrong: number
  /** How many were read from the database. */
  readonly read: Readonly<Record<'set' | 'order' | 'column', number>>
  /** How many lists were answered from sets, and how many by SQL. */
  readonly answered: Readonly<Record<'sets' | 'sql', number>>
}

/** What a list is asked for by: the text of a filter and of an order, '' for none. */
export interface AskedList {
  readonly tableId: number
  readonly filter: string
  readonly sort: string
}

/** Lists of records. The port of lists/: other rooms know only this; where a store is opened, its implementation is chosen. */
export interface Pages {
  /** A page of the records that match and that the caller may read, and how many there are in all, from one snapshot. @throws Failures `filter.…` */
  page(granted: Granted<'read'>, query: ListQuery): Promise<Page>
  /** Exact figures of the records that match and that the caller may read. @throws Failures `filter.…`, `aggregate.too_many_groups` */
  aggregate(granted: Granted<'read'>, query: AggregateQuery): Promise<Aggregate>
  /** A page that begins or ends at a position. */
  around(granted: Granted<'read'>, selection: Selection, around: Around): Promise<RecordsAround>
  /** Lists that were asked for again and again since the start, the most asked first. */
  asked(count: number): readonly AskedList[]
  /** Undefined where nothing is kept that is counted. */
  figures(): ListFigures | undefined
  /** Compares some of what is kept with the database; what is wrong is told and made anew. Called once in a while. */
  verify(): Promise<void>
  /** Gets ready for the first who asks. What fails meanwhile fails for them, too. */
  startAhead(): Promise<void>
  /** Resolves when no work for later pages is running. */
  idle(): Promise<unknown>
}
