import { constant, sql, type Sql } from '../../sql/sql.ts'
import type { Tally } from '../ground/changes.ts'
import type { Db, Transaction } from '../ground/db.ts'
import { reportTo, type OnFault } from '../ground/fault.ts'

/*
 * The table `record_changes` of a shared database: which records each transaction changed, and in which attributes, written in that transaction. The sets of
 * every process follow it (shared-source.ts). Many records of one transaction are one row, with the record 0: sets do not follow as many.
 */

/** Records of a transaction from which on they are one row. */
const MANY = 4_000
/** Attributes of a change that are told, at most: of more, none are. */
const MANY_ATTRIBUTES = 30
/** Changes of this process after which what nobody follows any more is deleted. */
const PRUNED_AFTER = 20_000
/** Changes from which on a process that begins deletes all of them. */
const MANY_LEFT = 100_000
/** The table under which a row lies that says what is told: as its record a random token, as its transaction one before which rows may be missing. */
export const HORIZON = 0
export const NO_TOKEN = '-'

/** Token and horizon, as one text; no row: changes are not told yet, or not since a crash. */
export const tokenAndHorizon = sql`SELECT record_id || ' ' || xid::text FROM record_changes WHERE table_id = ${constant(HORIZON)}
  ORDER BY xid DESC, record_id DESC LIMIT 1`

/**
 * From now on changes are told. Deletes what a dump of another server has brought, whose transactions have other ids; and what has been left by
 * processes that ended too soon to do so.
 */
export async function layOut(tx: Transaction): Promise<void> {
  await tx.run(sql`DELETE FROM record_changes WHERE xid >= pg_snapshot_xmax(pg_current_snapshot()) AND xid <> pg_current_xact_id()`)
  const [left] = await tx.all(sql`SELECT count(*) FROM (SELECT 1 FROM record_changes LIMIT ${MANY_LEFT}) AS counted`)
  if (Number(left![0]) >= MANY_LEFT) await tx.run(sql`DELETE FROM record_changes`)
  const token = sql`floor(random() * 1000000000000)::bigint`
  await tx.run(sql`INSERT INTO record_changes (table_id, xid, record_id) SELECT ${HORIZON}, '0'::xid8, ${token}
    WHERE NOT EXISTS (SELECT 1 FROM record_changes WHERE table_id = ${HORIZON})`)
}

/** Adds the changes of a transaction, or of a part of it. `before`: how many were told already. */
export function recordChanges(tallies: readonly Tally[], before: number): Sql | undefined {
  if (tallies.length === 0) return undefined
  const areMany = before + tallies.length > MANY
  const rows = areMany
    ? [...new Set(tallies.map(({ tableId }) => tableId))].map((tableId) => [tableId, 0, 'NULL'] as const)
    : tallies.map(({ tableId, recordId, attributes }) => [tableId, recordId, namesOf(attributes)] as const)
  const column = (i: 0 | 1 | 2) => `{${rows.map((row) => row[i]).join(',')}}`
  return sql`INSERT INTO record_changes (table_id, record_id, attributes)
    SELECT * FROM unnest(${column(0)}::bigint[], ${column(1)}::bigint[], ${column(2)}::text[])`
}

/** As an element of an array of texts. Names of attributes are letters, digits and `_`. */
const namesOf = (attributes: readonly string[] | undefined): string =>
  attributes && attributes.length <= MANY_ATTRIBUTES ? `"${attributes.join(',')}"` : 'NULL'

/** Deletes what is old, now and then: what was there when this process had made `PRUNED_AFTER` changes less. */
export function pruning(write: Db['write'], onFault: OnFault): (changes: number) => void {
  let made = 0
  let isPruning = false
  /** The oldest transaction that was running at the time before. */
  let last: string | undefined
  return (changes) => {
    made += changes
    if (made < PRUNED_AFTER || isPruning) return
    made = 0
    isPruning = true
    void write(async (tx) => void (last = await prune(tx, last)), { alone: true })
      .catch(reportTo(onFault, 'old changes of records were not deleted'))
      .finally(() => (isPruning = false))
  }
}

async function prune(tx: Transaction, last: string | undefined): Promise<string> {
  const [row] = await tx.all(sql`SELECT pg_snapshot_xmin(pg_current_snapshot())::text`)
  const now = String(row![0])
  // After a restore of the database to an earlier time, ids of transactions come again.
  if (last !== undefined && Number(last) <= Number(now)) {
    await tx.run(sql`UPDATE record_changes SET xid = ${last}::xid8 WHERE table_id = ${HORIZON} AND xid < ${last}::xid8`)
    await tx.run(sql`DELETE FROM record_changes WHERE table_id > ${HORIZON} AND xid < ${last}::xid8`)
  }
  return now
}
