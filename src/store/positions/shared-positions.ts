import { lockKey } from '../../sql/advisory-locks.ts'
import { constant, sql, type Sql } from '../../sql/sql.ts'
import { changesTable, type Tally } from '../ground/changes.ts'
import type { Db, Transaction } from '../ground/db.ts'
import { reportTo, type OnFault } from '../ground/fault.ts'
import { BLOCK, type Positions } from '../ground/positions.ts'
import { pruning, recordChanges } from './record-changes.ts'
import { REGION, sharedCounts, type SharedCounts } from './shared-counts.ts'

/*
 * Positions in a database to which several processes write. Counts are kept in the transaction that changes the records: each
 * connection has rows of its own in block_changes (its backend's process id is in the column `lane`), so writers do not wait for each other.
 * Now and then these rows are folded: added to counts per block of 256 ids and per region of 256 blocks, and deleted. A query adds up
 * both, so the counts of a snapshot are exact. The number of changes ever made to the live records of a table names its state.
 */

const perRegion = constant(REGION)
const perBlock = constant(BLOCK)
/** Blocks in which this process has changed counts, from which on it folds them. */
const FOLD_AFTER = 60
/** Milliseconds between two folds. */
const PAUSE = 1_000
/** The block of changes that add and remove no record. */
const NO_BLOCK = -1

/** Positions with what this process knows of the counts of each table. */
export interface SharedPositions extends Positions {
  readonly counts: SharedCounts
  /** A query for the id and the skip of the position at an offset; its answer has no row behind the last record. */
  numbers(tableId: number, offset: number): Sql
}

/** `tellsChanges`: whether processes keep sets that follow changes (record-changes.ts). */
export function sharedPositions(write: Db['write'], onFault: OnFault, tellsChanges = true): SharedPositions {
  const known = new Map<number, number>()
  const unfolded = new Set<string>()
  let isFolding = false
  const prune = pruning(write, onFault)
  /** Begins to fold; no write waits for it, and what is not folded now is folded later. */
  function foldSoon(): void {
    if (isFolding) return
    isFolding = true
    unfolded.clear()
    void write(fold)
      .catch(reportTo(onFault, 'counts of records were not folded'))
      .finally(() => setTimeout(() => (isFolding = false), PAUSE).unref())
  }
  return {
    sendsAtOnce: true,
    beforeCommit: (tx, tallies, before) =>
      beforeCommit(tx, tallies, tellsChanges ? recordChanges(tallies.filter(changesTable), before) : undefined),
    afterCommit(tallies) {
      for (const { tableId, recordId, change } of tallies) if (change !== 0) unfolded.add(`${tableId}/${blockOf(recordId)}`)
      if (unfolded.size >= FOLD_AFTER) foldSoon()
      if (tellsChanges) prune(tallies.length)
    },
    ready: () => undefined,
    locate: (tableId, offset) => (offset === 0 ? { prelude: sql``, id: 0, skip: 0 } : place(tableId, offset)),
    total: (tableId) => sql`SELECT coalesce(sum(n), 0) FROM (${regions(tableId)}) AS counted`,
    larger: (
      least,
    ) => sql`SELECT table_id, sum(n) FROM (SELECT table_id, n FROM region_counts UNION ALL SELECT table_id, n FROM block_changes) AS counted
      GROUP BY table_id HAVING sum(n) >= ${least} ORDER BY sum(n) DESC`,
    inBlocks: (tableId) => sql`SELECT coalesce(sum(n), 0) FROM (SELECT n FROM block_counts WHERE table_id = ${tableId}
      UNION ALL SELECT n FROM block_changes WHERE table_id = ${tableId}) AS counted`,
    state: (tableId) => ({
      number: known.get(tableId) ?? -1,
      query: sql`SELECT coalesce(sum(changes), 0) FROM (${regions(tableId)}) AS counted`,
      learn(answer) {
        known.set(tableId, Number(answer))
        return Number(answer)
      },
    }),
    counts: sharedCounts(foldSoon),
    numbers: (tableId, offset) => sql`${place(tableId, offset).prelude}SELECT first, skip FROM place`,
  }
}

const regions = (tableId: number): Sql => sql`SELECT n, changes FROM region_counts WHERE table_id = ${tableId}
  UNION ALL SELECT n, changes FROM block_changes WHERE table_id = ${tableId}`

const blockOf = (recordId: number): number => Math.floor(recordId / BLOCK)

/** `changed`: a statement that is sent with it. */
async function beforeCommit(tx: Transaction, tallies: readonly Tally[], changed: Sql | undefined): Promise<void> {
  const tables = new Map<number, Map<number, number>>()
  for (const { tableId, recordId, change } of tallies.filter(changesTable)) {
    let blocks = tables.get(tableId)
    if (!blocks) tables.set(tableId, (blocks = new Map()))
    const block = change === 0 ? NO_BLOCK : blockOf(recordId)
    blocks.set(block, (blocks.get(block) ?? 0) + change)
  }
  if (tables.size === 0) return
  const rows = [...tables].flatMap(([tableId, blocks]) => {
    const counted = [...blocks].filter(([, n]) => n !== 0)
    return (counted.length > 0 ? counted : [[NO_BLOCK, 0]]).map(([block, n]) => [tableId, block, n])
  })
  const column = (i: number) => sql`${`{${rows.map((row) => row[i]).join(',')}}`}::bigint[]`
  await tx.run(sql`${changed ? sql`WITH changed AS (${changed}) ` : sql``}INSERT INTO block_changes AS kept (table_id, block, lane, n, changes)
    SELECT table_id, block, pg_backend_pid(), n, 1 FROM unnest(${column(0)}, ${column(1)}, ${column(2)}) AS given (table_id, block, n)
    ON CONFLICT (table_id, block, lane) DO UPDATE SET n = kept.n + excluded.n, changes = kept.changes + 1`)
}

/** Folds, one process at a time: does nothing where another one does it. Rows that a transaction is changing are left to the next fold. */
async function fold(tx: Transaction): Promise<void> {
  const [row] = await tx.all(sql`SELECT pg_try_advisory_xact_lock(${lockKey('counts')})::integer`)
  if (row![0] !== 1) return
  await tx.run(sql`WITH idle AS (SELECT table_id, block, lane FROM block_changes FOR UPDATE SKIP LOCKED),
    gone AS (DELETE FROM block_changes USING idle WHERE (block_changes.table_id, block_changes.block, block_changes.lane) =
      (idle.table_id, idle.block, idle.lane) RETURNING block_changes.table_id, block_changes.block, n, changes),
    blocks AS (INSERT INTO block_counts (table_id, block, n)
      SELECT table_id, block, sum(n) FROM gone GROUP BY table_id, block HAVING sum(n) <> 0
      ON CONFLICT (table_id, block) DO UPDATE SET n = block_counts.n + excluded.n)
    INSERT INTO region_counts (table_id, region, n, changes)
      SELECT table_id, block / ${perRegion}, sum(n), sum(changes) FROM gone GROUP BY table_id, block / ${perRegion}
      ON CONFLICT (table_id, region) DO UPDATE SET n = region_counts.n + excluded.n, changes = region_counts.changes + excluded.changes`)
}

/** SQL that finds the region of an offset, in it the block, and how many records of the block come before. */
function place(tableId: number, offset: number) {
  const before = sql`coalesce(sum(n) OVER (ORDER BY slot ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)::bigint`
  return {
    prelude: sql`WITH changed AS MATERIALIZED (SELECT block, sum(n)::bigint AS n FROM block_changes WHERE table_id = ${tableId} GROUP BY block),
      region AS MATERIALIZED (SELECT slot, before FROM (SELECT slot, n, ${before} AS before FROM (SELECT slot, sum(n)::bigint AS n FROM (
        SELECT region AS slot, n FROM region_counts WHERE table_id = ${tableId}
        UNION ALL SELECT block / ${perRegion}, n FROM changed) AS kept GROUP BY slot) AS summed) AS running
        WHERE before <= ${offset}::bigint AND before + n > ${offset}::bigint),
      place AS MATERIALIZED (SELECT slot * ${perBlock} AS first, ${offset}::bigint - (SELECT before FROM region) - before AS skip
        FROM (SELECT slot, n, ${before} AS before FROM (SELECT slot, sum(n)::bigint AS n FROM (
          SELECT block AS slot, n FROM block_counts WHERE table_id = ${tableId}
            AND block >= (SELECT slot FROM region) * ${perRegion} AND block < ((SELECT slot FROM region) + 1) * ${perRegion}
          UNION ALL SELECT block, n FROM changed WHERE block / ${perRegion} = (SELECT slot FROM region)) AS kept GROUP BY slot) AS summed) AS running
        WHERE before + (SELECT before FROM region) <= ${offset}::bigint AND before + (SELECT before FROM region) + n > ${offset}::bigint)
      `,
    id: sql`(SELECT first FROM place)`,
    skip: sql`(SELECT skip FROM place)`,
  }
}
