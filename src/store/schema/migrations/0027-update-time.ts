import type { Dialect } from '../../../sql/dialect.ts'
import { name, sql, type Sql } from '../../../sql/sql.ts'
import type { Transaction } from '../../ground/db.ts'
import { alter, change, work, type Step } from '../migration-step.ts'

/** When a record was last written (store/records/next-version.ts): the time of its newest change in the log, or else that of its create. */
export const updateTimes = (dialect: Dialect, tableIds: readonly number[]): Step[] =>
  tableIds.flatMap((tableId) =>
    [`data${tableId}`, `trash${tableId}`].flatMap((twin) => [
      alter(sql`ALTER TABLE ${name(twin)} ADD COLUMN update_time ${dialect.text} NOT NULL DEFAULT '0000-00-00 00:00:00'`),
      change(sql`UPDATE ${name(twin)} SET update_time = add_time`),
      work((tx) => takeFromLog(tx, dialect, tableId, twin)),
    ]),
  )

/** Records of a statement. */
const STEP = 5_000

/** Reads the log and then writes: where a table is spread over several servers, no statement may name both. */
async function takeFromLog({ all, run }: Pick<Transaction, 'all' | 'run'>, dialect: Dialect, tableId: number, twin: string): Promise<void> {
  if ((await all(sql`SELECT id FROM changes WHERE table_id = ${tableId} LIMIT 1`)).length === 0) return
  for (let last = 0; ;) {
    const step = sql`SELECT id FROM ${name(twin)} WHERE id > ${last} ORDER BY id LIMIT ${STEP}`
    const [end] = (await all(sql`SELECT max(id) FROM (${step}) AS step`))[0]!
    if (end === null) return
    // A move to the trash (3) changes nothing in the record; the erasure of a field converts (5) its values to nothing.
    const newest = sql`SELECT max(id) FROM changes WHERE table_id = ${tableId} AND record_id > ${last} AND record_id <= ${Number(end)}
      AND action <> 3 AND NOT (action = 5 AND content = '{}') GROUP BY record_id`
    const rows = await all(sql`SELECT record_id, made_at FROM changes WHERE id IN (${newest})`)
    const times = rows.map(([id, madeAt]) => [Number(id), Number(String(madeAt).replaceAll(/\D/g, ''))])
    if (times.length > 0)
      await run(sql`UPDATE ${name(twin)} SET update_time = ${timeOf(dialect.integerText(sql`given.digits`))}
        FROM ${dialect.given(['id', 'digits'], times)} AS given WHERE given.id = ${name(twin)}.id`)
    last = Number(end)
  }
}

/** YYYYMMDDHHMMSS as times are stored. */
const timeOf = (digits: Sql): Sql =>
  sql`(substr(${digits}, 1, 4) || '-' || substr(${digits}, 5, 2) || '-' || substr(${digits}, 7, 2) || ' '
    || substr(${digits}, 9, 2) || ':' || substr(${digits}, 11, 2) || ':' || substr(${digits}, 13, 2))`
