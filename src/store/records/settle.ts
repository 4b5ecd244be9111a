import { plain, type Stored } from '../../fields/field-type.ts'
import { isEmpty } from '../../fields/value.ts'
import type { Dialect } from '../../sql/dialect.ts'
import { constant, join, name, sql, type Sql } from '../../sql/sql.ts'
import type { Transaction } from '../ground/db.ts'
import type { Uses } from '../ground/store.ts'
import type { Actor, Batch } from '../model/access.ts'
import { recordsOf, type Conversion, type Table } from '../model/catalogue.ts'
import { changeChecksum, difference, SETTLED } from './checksums.ts'
import { noFiles } from './images.ts'
import { updated } from './next-version.ts'

/*
 * A field that a job has converted shows its new values at once. What remains is done record by record: the change of the log, update_time, and
 * the old column, which is emptied. The job does it in steps; whoever writes a record before does it for that record first. So the changes of a
 * record are in the log in the order in which they became visible.
 */

/** Settles a record of a table before it is written, or goes to the other twin. */
export async function settleRecord(
  store: Uses<'db' | 'context'>,
  tx: Transaction,
  table: Table,
  id: number,
  twin = recordsOf(table.id),
): Promise<void> {
  for (const conversion of table.conversions) if (conversion.phase === 'leave') await settle(store, tx, conversion, twin, sql`id = ${id}`)
}

/** Settles some records, `most` at most, in the order of their ids; returns the last of them. */
export async function settle(
  { db: { dialect }, context }: Uses<'db' | 'context'>,
  tx: Transaction,
  conversion: Conversion,
  twin: string,
  which: Sql,
  most = 1,
): Promise<{ readonly last: number; readonly count: number }> {
  const { tableId, jobId, userId, tokenId, from, to } = conversion
  const [old, now] = [from, to].map(({ column, type }) => (type.exact ? dialect.integerText(name(column)) : name(column))) as [Sql, Sql]
  const found = await tx.all(sql`SELECT id, ${old}, ${now} FROM ${name(twin)}
    WHERE ${which} AND ${unsettled(dialect, conversion)} ORDER BY id LIMIT ${most}${dialect.forUpdate}`)
  if (found.length === 0) return { last: 0, count: 0 }
  const rows = found.map(([id, before, after]) => ({ id: Number(id), before: before as Stored, after: after as Stored }))
  const [told, others] = [rows.filter((row) => isTold(conversion, row)), rows.filter((row) => !isTold(conversion, row))]
  const set = [
    sql`${name(from.column)} = ${settledValue(dialect, conversion)}`,
    ...(from.keyColumn === undefined ? [] : [sql`${name(from.keyColumn)} = ${constant(from.type.key!(from.type.empty, plain))}`]),
  ]
  for (const [some, written] of [
    [told, updated(context.now(), sql`given.n`)],
    [others, changeChecksum(sql`given.n`)],
  ] as const) {
    if (some.length === 0) continue
    const given = some.map(({ id, before }) => [id, difference([[from.column, before, from.type.empty]])])
    await tx.run(sql`UPDATE ${name(twin)} SET ${join(set, ', ')}, ${written}
      FROM ${dialect.given(['id', 'n'], given)} AS given WHERE given.id = ${name(twin)}.id`)
  }
  const [job] = await tx.all(sql`SELECT batch_id FROM jobs WHERE id = ${jobId}`)
  const by: Actor = { userId, tokenId, door: 'service', ...(job && { batch: batchOf(Number(job[0]), jobId) }) }
  const held = (one: Conversion['from'], value: Stored) => ({
    values: new Map([[one.name, value]]),
    attributes: new Map([[one.name, one]]),
    files: noFiles,
  })
  for (const { id, before, after } of told)
    tx.changed({
      tableId,
      recordId: id,
      change: 0,
      act: 'convert',
      by,
      image: tx.images ? { before: held(from, before), after: held(to, after) } : undefined,
    })
  return { last: rows.at(-1)!.id, count: rows.length }
}

/** As a conversion in one transaction tells it. */
const isTold = ({ from, to }: Conversion, { before, after }: { readonly before: Stored; readonly after: Stored }): boolean =>
  !isEmpty(from.type, before) || !isEmpty(to.type, after)

/** What the old column of a settled record has. Where 0 is a value, and not empty, 0 does not tell that a record is settled. */
const settledValue = ({ integer }: Dialect, { from }: Conversion): Sql =>
  from.type.hasEmpty ? constant(from.type.empty) : sql`CAST(${constant(SETTLED)} AS ${integer})`

/** Records made since the swap have nothing to settle. */
const unsettled = (dialect: Dialect, conversion: Conversion): Sql =>
  sql`${name(conversion.from.column)} <> ${settledValue(dialect, conversion)} AND id <= ${conversion.lastId}`

/** That of the job, which has begun with the change of the field. */
const batchOf = (id: number, job: number): Batch => ({ id: Float64Array.of(id), undoes: 0, job })
