import { constant, join, name, sql, type Sql } from '../../sql/sql.ts'
import type { Row } from '../ground/db.ts'
import { recordsOf } from '../model/catalogue.ts'
import type { PresentRecords } from './present-records.ts'
import { NO_TOKEN, tokenAndHorizon } from '../positions/record-changes.ts'
import type { Snapshot } from './snapshot.ts'

/* What an answer over a shared database tells besides (shared-source.ts): its snapshot, and what has changed since another one. */

/** Changes that are told with an answer, at most; of so many, the sets are made anew. */
const MOST = 4_000
/** The records are told with their changes where these are so few; not a record whose long texts have more bytes. */
const WITH_RECORDS = 100
const TEXT = 4_096
/** Nor records of which more attributes are compared: a function of PostgreSQL takes 100 values. */
const MOST_COLUMNS = 90

/**
 * Transaction, record, whether it is there, what `PresentRecords` reads of it (null: more than is told), and the names of the attributes that were changed
 * (null: perhaps all of them).
 */
type Change = readonly [xid: string, id: number, isThere: boolean, values: Row | null, attributes: string | null]

export const isOfTable = ([, id]: Change): boolean => id === 0

interface Told {
  /** Of the catalogue. */
  readonly version: number
  readonly token: string
  /** Before this transaction, changes may be missing. */
  readonly horizon: number
  readonly snapshot: string
  readonly changes: readonly Change[]
  readonly areTooMany: boolean
}

export function toldBy(text: string): Told {
  const end = text.indexOf('\n')
  const [version, token = '', horizon, snapshot = ''] = (end < 0 ? text : text.slice(0, end)).split(' ')
  const changes = end < 0 ? [] : (JSON.parse(text.slice(end + 1)) as Change[])
  return { version: Number(version), token, horizon: Number(horizon), snapshot, changes, areTooMany: changes.length > MOST }
}

/** A query for one text: version of the catalogue, token and horizon of the table of changes, snapshot; and the changes since a snapshot, as JSON. */
export function changesSince(tableId: number, since: Snapshot | undefined, records: PresentRecords): Sql {
  const head = sql`(SELECT version FROM catalogue_version) || ' ' || coalesce((${tokenAndHorizon}), ${constant(`${NO_TOKEN} 0`)}) || ' ' ||
    pg_current_snapshot()::text`
  if (!since) return sql`SELECT ${head} AS told`
  const { columns, textColumns } = records
  const values = columns.length <= MOST_COLUMNS ? sql`json_build_array(${join(columns, ', ')})` : sql`NULL::json`
  const length = join([sql`0`, ...textColumns.map((one) => sql`octet_length(${one})`)], ' + ')
  // What the snapshot did not see. Not all from its xmin on: a transaction that runs long keeps that back.
  const ofTable = sql`SELECT xid, record_id, attributes FROM record_changes WHERE table_id = ${tableId}`
  const changed = sql`SELECT xid, record_id, attributes FROM (${ofTable} AND xid >= ${String(since.xmax)}::xid8
    UNION ALL ${ofTable} AND xid = ANY (${`{${[...since.running].join(',')}}`}::xid8[])) AS unseen LIMIT ${constant(MOST + 1)}`
  // LIMIT: the planner does not know how few have changed, and would read the whole table of records.
  const record = sql`SELECT id, CASE WHEN (SELECT count(*) FROM changed) <= ${constant(WITH_RECORDS)} AND ${length} <= ${constant(TEXT)}
    THEN ${values} END AS kept FROM ${name(recordsOf(tableId))} WHERE id = record_id LIMIT 1`
  return sql`SELECT ${head} || coalesce((WITH changed AS MATERIALIZED (${changed})
    SELECT E'\n' || json_agg(json_build_array(xid::text, record_id, id IS NOT NULL, kept, attributes))::text
      FROM changed LEFT JOIN LATERAL (${record}) AS present ON true HAVING count(*) > 0), '') AS told`
}
