import { fail } from '../../errors.ts'
import type { Condition } from '../../filter/check.ts'
import { compile } from '../../filter/compile.ts'
import { limits } from '../../limits.ts'
import { constant, sql, type Sql } from '../../sql/sql.ts'
import { readRow, selectList } from '../ground/relation.ts'
import type { Uses } from '../ground/store.ts'
import type { Caller } from '../model/access.ts'
import { MOST_IN_TRANSACTION } from './change-log.ts'
import { wholeChanges, type Change } from './list-changes.ts'

/** What a program that follows the log is given. */
export interface Followed {
  readonly changes: readonly Change[]
  /** The cursor to ask with next: all changes up to it that the caller may see were given. */
  readonly cursor: number
}

/**
 * The changes after a cursor, in the order in which they were committed: as many as asked for, or fewer where they are long. A change that
 * is committed later than it was written comes later; none is skipped.
 * @throws `change.expired` where changes after the cursor have been erased by age.
 */
export async function followChanges(
  store: Uses<'db' | 'catalogue'>,
  caller: Caller,
  { after, limit, filter }: { readonly after: number; readonly limit: number; readonly filter: Condition | undefined },
): Promise<Followed> {
  const { dialect } = store.db
  const horizon = dialect.shared ? oldestRunning : sql`(SELECT coalesce(max(id), 0) + 1 FROM changes)`
  const visible = await wholeChanges.visible(store, caller)
  const asked = filter ? sql` AND (${compile(filter, dialect)})` : sql``
  const page = sql`SELECT *, ${dialect.bytesOf(sql`content`)} AS size FROM ${wholeChanges.from}
    WHERE id > ${after} AND id < ${horizon} AND (${visible ?? sql`1 = 1`})${asked} ORDER BY id LIMIT ${limit}`
  const [rows, state] = await store.db.readLittle(
    caller,
    sql`SELECT ${selectList(wholeChanges)} FROM (SELECT *, sum(size) OVER (ORDER BY id) - size AS before FROM (${page}) AS page) AS summed
      WHERE before < ${limits.changesInPage.most} ORDER BY id`,
    sql`SELECT ${horizon}, (SELECT count(*) FROM (${page}) AS page), coalesce((SELECT value FROM meta WHERE name = ${GONE}), '0')`,
  )
  const [end, matching, gone] = state![0]!.map(Number) as [number, number, number]
  if (after !== BEGINNING && after < gone) throw fail('change.expired')
  const read = rows!.map((row) => readRow(wholeChanges, row))
  const changes = (await wholeChanges.complete?.(store, caller, read)) ?? read
  const isAll = matching === read.length && matching < limit
  return { changes, cursor: isAll ? Math.max(after, end - 1) : read.at(-1)!.id }
}

/** The position of the oldest transaction that still runs: before it, nothing more will be committed. */
const oldestRunning: Sql = sql`((SELECT base FROM change_log) + pg_snapshot_xmin(pg_current_snapshot())::text::bigint) * ${constant(MOST_IN_TRANSACTION)}`

/** Instead of a cursor: from the oldest change that is kept. */
export const BEGINNING = -1

/** In `meta`: the position up to which changes were erased by age. */
export const GONE = 'changes_gone'
