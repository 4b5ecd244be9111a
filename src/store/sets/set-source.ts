import type { Attribute } from '../../fields/field-type.ts'
import type { PackedOrder } from '../../sets/order-parts.ts'
import type { Sql } from '../../sql/sql.ts'
import type { ReadSet, Row, SetQuery } from '../ground/db.ts'
import type { Answered } from '../ground/indexes.ts'
import type { Asker } from '../model/asker.ts'
import type { Table } from '../model/catalogue.ts'
import type { PackedValues } from './record-column.ts'
import type { Unread } from './record-reads.ts'
import type { ShownAs } from './shown-rows.ts'
import type { TableSets } from './table-sets.ts'

/*
 * Where sets are read from, and how they hear of changes: local-source.ts for SQLite, shared-source.ts for PostgreSQL. What is read comes with a
 * number of the log of the table: all that changed from there on is followed before it is used.
 */

export interface Fresh<T> {
  readonly answer: T
  /** The first change that may not be in the answer. */
  readonly seen: number
}

/** What is made of what was read; undefined where the sets were forgotten meanwhile. */
export async function learned<T, L>(
  sets: TableSets,
  read: () => Promise<Fresh<T> | undefined>,
  learn: (answer: T, seen: number) => L,
): Promise<L | undefined> {
  const fresh = await read()
  return fresh && !sets.isEnded ? learn(fresh.answer, fresh.seen) : undefined
}

/** Records from which on an order or a range takes too long to be read without an index: about half a second. */
export const LARGE = 250_000

/** An answer that is known but for the rows of some records. */
export interface Planned<T> {
  /** The records that the answer depends on. */
  readonly ids: readonly number[]
  /** Reads their rows; undefined: nothing has to be read, or `shown` reads them. */
  readonly query?: Sql
  /** As what its rows may be read together with those of other answers. */
  readonly shown?: ShownAs
  /** Whether they are worth being kept, until their records change. */
  readonly areKept?: boolean
  /** The same records and some near them, which may be those of the answer when they have been read. */
  readonly around?: readonly number[] | undefined
  /** `rows`: of these records, in any order, and perhaps of others. */
  give(rows: readonly Row[]): T
}

/** What gives something `Fresh`: undefined where the sets of the table were forgotten meanwhile. @throws as `readAside` */
export interface SetSource {
  /** How its lists are answered, by its number of records; or that SQL answers for the time being what sets answer as a rule. */
  answered(table: Table): Promise<Answered | 'by SQL for once'>
  /** Whether a table has more records than this, of which `answered` was asked. */
  isLonger(table: Table, records: number): boolean
  /** Gets ready for the first who asks. */
  startAhead(): Promise<void>
  /** To be waited for before anything else of new sets; false: SQL answers for the time being. */
  begun(sets: TableSets): Promise<boolean> | undefined
  /** `query`: seen from the moment of the call. */
  set(sets: TableSets, by: Asker, query: Promise<SetQuery>): Promise<Fresh<ReadSet> | undefined>
  order(sets: TableSets, by: Asker, ids: Sql): Promise<Fresh<PackedOrder | undefined> | undefined>
  /** What all records of the table of the sets have in an attribute; `most`: bytes of texts. */
  column(sets: TableSets, by: Asker, table: Table, attribute: Attribute, most: number): Promise<Fresh<PackedValues | undefined> | undefined>
  /** Reads what sets and orders compare. Undefined: all of that can be read at once. */
  fetch?(sets: TableSets, by: Asker, unread: Unread): Promise<void>
  /** Whether some of the rows that are kept are what the database has. */
  areShownRight(sets: TableSets): boolean | Promise<boolean>
  /** The rows of a plan, at once or after a while; then of `ids`, where `shown` reads them. */
  rows(sets: TableSets, plan: Planned<unknown>, ids: readonly number[]): readonly Row[] | Promise<Fresh<readonly Row[]> | undefined>
}
