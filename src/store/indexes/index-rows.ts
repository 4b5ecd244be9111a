import { fold } from '../../fields/fold.ts'
import { sql, type Sql } from '../../sql/sql.ts'
import type { Row, Transaction } from '../ground/db.ts'
import type { IndexKind } from '../ground/indexes.ts'

/** auto: made and dropped by use. pinned: always there. forbidden: never made. */
export const wishes = ['auto', 'pinned', 'forbidden'] as const
export type Wish = (typeof wishes)[number]

/** An index of one table that somebody asked for: a list, or an administrator. */
export interface IndexInfo {
  readonly id: number
  readonly tableId: number
  /** The wire name. */
  readonly attribute: string
  readonly kind: string
  /** One of `wishes`; '' when the index is to be dropped. */
  readonly wish: string
  /** waiting: to be made; ready; failed: will be tried again; none: forbidden. */
  readonly state: string
  /** Why it could not be made; '' unless it has failed since it was last ready. */
  readonly failure: string
  /** When it was made; the empty time before. */
  readonly madeAt: string
  /** The day; '' for never. */
  readonly lastUsed: string
  /** Requests that it could serve. */
  readonly uses: number
  /** The size on disk when it was made. */
  readonly bytes: number
}

/** With columns that only the service uses. */
export interface IndexRow extends IndexInfo {
  /** The name of the index in the database, and what it was made of; '' if there is none. */
  readonly indexName: string
  readonly madeOf: string
  /** The id up to which a text index contains the records. */
  readonly covered: number
}

export const allIndexes = sql`SELECT id, table_id, attribute, kind, wish, state, made_at, last_used, uses, bytes, failure, index_name, made_of, covered
  FROM indexes ORDER BY id`

export function readIndexRow(row: Row): IndexRow {
  const [id, tableId, attribute, kind, wish, state, madeAt, lastUsed, uses, bytes, failure, indexName, madeOf, covered] = row.map(
    String,
  ) as string[]
  return {
    id: Number(id),
    tableId: Number(tableId),
    attribute: attribute!,
    kind: kind!,
    wish: wish!,
    state: state!,
    madeAt: madeAt!,
    lastUsed: lastUsed!,
    uses: Number(uses),
    bytes: Number(bytes),
    failure: failure!,
    indexName: indexName!,
    madeOf: madeOf!,
    covered: Number(covered),
  }
}

/** A row for an index that a list has requested. */
export const insertRequested = (tx: Transaction, tableId: number, attribute: string, kind: IndexKind, today: string): Promise<number> =>
  tx.run(sql`INSERT INTO indexes (table_id, attribute, kind, wish, state, made_at, last_used, uses)
    VALUES (${tableId}, ${attribute}, ${kind}, 'auto', 'waiting', '0000-00-00 00:00:00', ${today}, 1) ON CONFLICT DO NOTHING`)

/** Characters of a failure. */
const LONGEST_FAILURE = 200

/** It is tried again when `keep` of the indexes next runs. */
export function failedFor(error: unknown, id: number): Sql {
  const failure = [...(error instanceof Error ? error.message : String(error)).replaceAll(/[\p{Cc}\s]+/gu, ' ')]
    .slice(0, LONGEST_FAILURE)
    .join('')
  return sql`UPDATE indexes SET state = 'failed', failure = ${failure}, failurek = ${fold(failure)} WHERE id = ${id}`
}
