import { constant, join, name, sql, type Sql } from '../../sql/sql.ts'
import { actions } from '../changes/codes.ts'
import type { Content } from '../changes/content.ts'
import type { Row, Transaction } from '../ground/db.ts'
import type { Uses } from '../ground/store.ts'
import { recordsOf, trashOf } from '../model/catalogue.ts'
import type { View } from '../model/access.ts'
import { and, readCondition } from '../records/read-records.ts'

/* What the log has of a batch, and of its records since. */

type Reading = Pick<Transaction, 'all'>

/** A change of the log, without its values. */
export interface Logged {
  readonly id: number
  readonly recordId: number
  readonly action: string
  readonly batchId: number
  /** The attributes whose values it changed; none where the record came or went. */
  readonly touched: ReadonlySet<string>
}

export interface Place {
  readonly id: number
  readonly tableId: number
  readonly recordId: number
}

/** The newest changes of a batch before a position, the newest first. */
export async function newestOf(tx: Reading, batch: number, before: number, most: number): Promise<Place[]> {
  const places: Place[] = []
  for (let end = before; places.length < most;) {
    const part = await partBefore(tx, batch, end)
    if (!part) break
    const rows =
      await tx.all(sql`SELECT id, table_id, record_id FROM changes WHERE id >= ${part.first} AND id <= ${Math.min(part.last, end - 1)}
      AND batch_id = ${batch} ORDER BY id DESC LIMIT ${most - places.length}`)
    for (const [id, tableId, recordId] of rows) places.push({ id: Number(id), tableId: Number(tableId), recordId: Number(recordId) })
    end = places.length < most ? part.first : places.at(-1)!.id
  }
  return places
}

async function partBefore(tx: Reading, batch: number, end: number): Promise<{ first: number; last: number } | undefined> {
  const [row] = await tx.all(sql`SELECT id, last_id FROM batch_parts WHERE batch_id = ${batch} AND id < ${end} ORDER BY id DESC LIMIT 1`)
  if (row) return { first: Number(row[0]), last: Number(row[1]) }
  // A single change has no part.
  return end > batch ? { first: batch, last: batch } : undefined
}

const named = new Map<number, string>(Object.entries(actions).map(([action, code]) => [code, action]))

/** All changes of some records of a table from a position on, by record, in their order. */
export async function changesSince(
  { db: { dialect } }: Uses<'db'>,
  tx: Reading,
  tableId: number,
  records: readonly number[],
  from: number,
): Promise<ReadonlyMap<number, readonly Logged[]>> {
  const rows = await tx.all(sql`SELECT id, record_id, action, batch_id, touched FROM changes
    WHERE table_id = ${tableId} AND ${dialect.oneOf(sql`record_id`, records)} AND id >= ${from} ORDER BY id`)
  return Map.groupBy(rows.map(logged), ({ recordId }) => recordId)
}

const logged = ([id, recordId, action, batchId, touched]: Row): Logged => ({
  id: Number(id),
  recordId: Number(recordId),
  action: named.get(Number(action))!,
  batchId: Number(batchId),
  touched: new Set(String(touched).split('|').filter(Boolean)),
})

/** What changes hold, in their order. */
export async function contentsOf({ db: { dialect } }: Uses<'db'>, tx: Reading, ids: readonly number[]): Promise<Content[]> {
  const rows = await tx.all(sql`SELECT content FROM changes WHERE ${dialect.oneOf(sql`id`, ids)} ORDER BY id`)
  return rows.map(([content]) => JSON.parse(String(content)) as Content)
}

/** How many values and comings back of a record the log has from its creation on: each made another version of it. */
export const versionAfter = (changes: readonly Logged[]): number =>
  1 + changes.filter(({ action }) => action === 'update' || action === 'restore').length

/** The version of a record by the whole log of it; undefined where the log does not reach back to its creation. */
export async function versionByLog(tx: Reading, tableId: number, recordId: number): Promise<number | undefined> {
  const { create, update, restore } = actions
  const [row] = await tx.all(sql`SELECT coalesce(sum(CASE WHEN action = ${create} THEN 1 ELSE 0 END), 0),
    coalesce(sum(CASE WHEN action IN (${update}, ${restore}) THEN 1 ELSE 0 END), 0)
    FROM changes WHERE table_id = ${tableId} AND record_id = ${recordId}`)
  return Number(row![0]) === 1 ? 1 + Number(row![1]) : undefined
}

/** Where records are that the caller may read: live or in the trash. */
export async function whereAre(
  store: Uses<'db' | 'context'>,
  tx: Reading,
  granted: View,
  records: readonly number[],
): Promise<ReadonlyMap<number, 'live' | 'trash'>> {
  const condition = readCondition(store, granted)
  const from = (twin: string, code: number): Sql =>
    sql`SELECT id, ${constant(code)} FROM ${name(twin)} WHERE ${store.db.dialect.oneOf(sql`id`, records)}${and(condition)}`
  const { id } = granted.table
  const rows = await tx.all(join([from(recordsOf(id), 0), from(trashOf(id), 1)], ' UNION ALL '))
  return new Map(rows.map(([record, place]) => [Number(record), Number(place) === 0 ? 'live' : 'trash']))
}

/** The batches that undid a batch, those that undid one of these, and so on: what they changed, they changed back. */
export async function undoingsOf({ db: { dialect } }: Uses<'db'>, tx: Reading, batch: number): Promise<ReadonlySet<number>> {
  const found = new Set<number>()
  for (let some = [batch]; some.length > 0;) {
    const rows = await tx.all(sql`SELECT id FROM batches WHERE undoes > 0 AND ${dialect.oneOf(sql`undoes`, some)}`)
    some = rows.map(([id]) => Number(id)).filter((id) => !found.has(id))
    for (const id of some) found.add(id)
  }
  return found
}
