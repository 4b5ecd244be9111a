import { constant, sql, type Param, type Sql } from '../sql/sql.ts'
import type { Db, Tally, Transaction } from './db.ts'
import { BLOCK, type Positions } from './positions.ts'

/*
 * Positions where several processes write. Counts are kept in the database, in the transaction that changes the records:
 * each transaction adds rows to count_changes and changes none, so writers do not wait for each other. A few hundred such
 * rows are folded into counts per block of 256 ids and per region of 256 blocks now and then. A query adds up both, so
 * what a snapshot shows is exact; the number of changes ever committed tells one state of a table from every other.
 */

const REGION = 256
const perRegion = constant(REGION)
const perBlock = constant(BLOCK)
/** Rows of this process after which it folds them in. */
const FOLD_AFTER = 200

export function sharedPositions(write: Db['write']): Positions {
  const known = new Map<number, number>()
  let unfolded = 0
  let folding = false
  return {
    settle,
    settled(tallies) {
      unfolded += Math.min(tallies.length, 4)
      if (unfolded < FOLD_AFTER || folding) return
      folding = true
      unfolded = 0
      // What is not folded in now is later; nobody waits for it.
      void write(fold)
        .catch(() => undefined)
        .finally(() => (folding = false))
    },
    ready: () => undefined,
    locate: (tableId, offset) => (offset === 0 ? { prelude: sql``, id: 0, skip: 0 } : place(tableId, offset)),
    total: (tableId) => sql`SELECT coalesce(sum(n), 0) FROM (${regions(tableId)}) AS counted`,
    inBlocks: (tableId) => sql`SELECT coalesce(sum(n), 0) FROM (SELECT n FROM block_counts WHERE table_id = ${tableId}
      UNION ALL SELECT n FROM count_changes WHERE table_id = ${tableId}) AS counted`,
    state: (tableId) => ({
      known: known.get(tableId) ?? -1,
      query: sql`SELECT coalesce(sum(changes), 0) FROM (${regions(tableId)}) AS counted`,
      learn(answer) {
        known.set(tableId, Number(answer))
        return Number(answer)
      },
    }),
    kept: ['block_counts', 'region_counts', 'count_changes'],
  }
}

const regions = (tableId: number): Sql => sql`SELECT n, changes FROM region_counts WHERE table_id = ${tableId}
  UNION ALL SELECT n, 1 FROM count_changes WHERE table_id = ${tableId}`

async function settle(tx: Transaction, tallies: readonly Tally[]): Promise<void> {
  const changes = new Map<string, { tableId: number; block: number; n: number }>()
  for (const { tableId, recordId, change } of tallies) {
    const block = Math.floor(recordId / BLOCK)
    const key = `${tableId}/${block}`
    const found = changes.get(key)
    if (found) found.n += change
    else changes.set(key, { tableId, block, n: change })
  }
  const rows = [...changes.values()]
  const list = (values: readonly Param[]) => `{${values.join(',')}}`
  await tx.run(sql`INSERT INTO count_changes (table_id, block, n)
    SELECT * FROM unnest(${list(rows.map((row) => row.tableId))}::bigint[], ${list(rows.map((row) => row.block))}::bigint[], ${list(
      rows.map((row) => row.n),
    )}::bigint[])`)
}

/** One process at a time; who finds another at it has nothing to do. */
async function fold(tx: Transaction): Promise<void> {
  const [row] = await tx.all(sql`SELECT pg_try_advisory_xact_lock(7201, 2)::integer`)
  if (row![0] !== 1) return
  await tx.run(sql`WITH gone AS (DELETE FROM count_changes RETURNING table_id, block, n),
    blocks AS (INSERT INTO block_counts (table_id, block, n)
      SELECT table_id, block, sum(n) FROM gone GROUP BY table_id, block HAVING sum(n) <> 0
      ON CONFLICT (table_id, block) DO UPDATE SET n = block_counts.n + excluded.n)
    INSERT INTO region_counts (table_id, region, n, changes)
      SELECT table_id, block / ${perRegion}, sum(n), count(*) FROM gone GROUP BY table_id, block / ${perRegion}
      ON CONFLICT (table_id, region) DO UPDATE SET n = region_counts.n + excluded.n, changes = region_counts.changes + excluded.changes`)
}

/** Finds the region of an offset, in it the block, and how many records of the block come before. */
function place(tableId: number, offset: number) {
  const before = sql`coalesce(sum(n) OVER (ORDER BY slot ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)::bigint`
  return {
    prelude: sql`WITH changed AS MATERIALIZED (SELECT block, sum(n)::bigint AS n FROM count_changes WHERE table_id = ${tableId} GROUP BY block),
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
