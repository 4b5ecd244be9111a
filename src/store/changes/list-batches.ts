import { inTimeOf } from '../../filter/patience.ts'
import { constant, join, sql, type Sql } from '../../sql/sql.ts'
import { onlyAdministrators } from '../catalogue/administrator.ts'
import { relation } from '../ground/relation.ts'
import type { Uses } from '../ground/store.ts'
import type { Caller } from '../model/access.ts'
import { actions, ways } from './codes.ts'
import { changes, named, wholeChanges } from './list-changes.ts'

/** A batch as a caller sees it. */
export interface ShownBatch {
  /** The position of its first change. */
  readonly id: number
  readonly madeAt: string
  readonly userId: number
  readonly via: string
  /** Records that it changed, of those that the caller may read; null in the row, before they are counted. */
  readonly records: number | null
  /** The ids of their tables. */
  readonly tables: readonly number[] | null
  /** What it did to them. */
  readonly actions: readonly string[] | null
  /** The batch that took it back. */
  readonly undoneBy: number | null
}

const columns = (from: Sql, undoneBy: Sql): Sql =>
  sql`SELECT id, made_at, user_id, ${named('via', ways)} AS via, ${named('via', ways)} AS viak, '' AS records, '' AS tables, '' AS actions, ${undoneBy} AS undone_by FROM ${from}`

const ofSeveral = columns(sql`batches`, sql`undone_by`)
// Of the same type in both, so that PostgreSQL reads both by their indexes.
const ofOne = columns(sql`changes`, sql`CAST(0 AS bigint)`)
const isAlone = sql`id = batch_id AND NOT EXISTS (SELECT 1 FROM batches WHERE batches.id = changes.id)`

/** Batches of more than one change. */
export const batches = relation<ShownBatch>(
  'batches',
  {
    id: ['id', 'integer'],
    madeAt: ['made_at', 'datetime'],
    userId: ['user_id', 'integer'],
    via: ['via', 'text'],
    records: ['records', 'json'],
    tables: ['tables', 'json'],
    actions: ['actions', 'json'],
    undoneBy: ['undone_by', 'link'],
  },
  visibleBatches,
  sql`(${ofSeveral}) AS shown`,
  { complete: countRecords },
)

/** The same with single changes. */
export const allBatches: typeof batches = {
  ...batches,
  from: sql`(${ofSeveral} UNION ALL ${ofOne} WHERE ${isAlone}) AS shown`,
}

/** The same without single changes of resources. Those of one user are found by the index changes_by_user. */
export const batchesOfRecords: typeof batches = {
  ...batches,
  from: sql`(${ofSeveral} UNION ALL ${ofOne} WHERE ${isAlone} AND table_id > ${constant(0)}) AS shown`,
}

/** The same without the counts. */
export const uncountedBatches: typeof batches = relation(batches.table, batches.columns, visibleBatches, allBatches.from)

/** Administrators see all batches, others their own. */
function visibleBatches(_: unknown, caller: Caller): Sql | undefined {
  return onlyAdministrators(_, caller) && sql`user_id = ${caller.userId}`
}

/** Fills in what the caller sees of the records of some batches, by today's rights. */
async function countRecords(store: Uses<'db' | 'catalogue'>, caller: Caller, rows: readonly ShownBatch[]): Promise<ShownBatch[]> {
  if (rows.length === 0) return []
  const { dialect } = store.db
  const visible = (await changes.visible(store, caller)) ?? sql`1 = 1`
  const inTime = inTimeOf(changes.attributes, [visible], dialect, true)
  // Of a single change there is no part; where there is one for the same change too, no record is counted twice.
  const firsts = dialect.given(
    ['b', 'f', 'l'],
    rows.map(({ id }) => [id, id, id]),
  )
  const ids = rows.map(({ id }) => id)
  const parts = sql`SELECT batch_id AS b, id AS f, last_id AS l FROM batch_parts WHERE ${dialect.oneOf(sql`batch_id`, ids)} UNION ALL SELECT b, f, l FROM ${firsts} AS firsts`
  const conditions = join([...(inTime ? [inTime] : []), sql`table_id > 0`, sql`(${visible})`], ' AND ')
  const acts = Object.keys(actions)
  const done = join(
    acts.map((act) => sql`max(CASE WHEN action = ${constant(act)} THEN 1 ELSE 0 END)`),
    ', ',
  )
  const [counts] = await store.db.readLittle(
    caller,
    sql`SELECT b, table_id, count(DISTINCT record_id), ${done} FROM (${parts}) AS parts JOIN ${wholeChanges.from} ON shown.id BETWEEN f AND l AND batch_id = b
      WHERE ${conditions} GROUP BY b, table_id ORDER BY b, table_id`,
  )
  return rows.map((row) => {
    const own = counts!.filter(([batch]) => Number(batch) === row.id)
    return {
      ...row,
      records: own.reduce((sum, [, , n]) => sum + Number(n), 0),
      tables: own.map(([, table]) => Number(table)),
      actions: acts.filter((_, i) => own.some((counted) => Number(counted[3 + i]) === 1)),
    }
  })
}
