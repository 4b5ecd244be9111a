import type { Dialect } from '../../sql/dialect.ts'
import { constant, join, name, sql, type Sql } from '../../sql/sql.ts'
import { actions, ways } from '../changes/codes.ts'
import type { Content } from '../changes/content.ts'
import type { Row, Transaction } from '../ground/db.ts'
import type { Uses } from '../ground/store.ts'
import { recordsOf, trashOf } from '../model/catalogue.ts'
import type { View } from '../model/access.ts'
import { and, readCondition } from '../records/read-records.ts'
import type { Member, Members } from './cancelled.ts'

/* What the log has of a batch, and of its records since. */

type Reading = Pick<Transaction, 'all'>

/** Changes of one record that are alike, together: so what is read of a record does not grow with how often it was changed. */
export interface Alike {
  readonly by: 'batch' | 'undo' | 'others'
  /** Whether others did it by an undo. */
  readonly isUndo: boolean
  /** Of what others did: how its batch is related to those that undid it, or that it undid; all of one batch. Undefined: not known. */
  readonly member: Member | undefined
  readonly action: string
  /** The attributes whose values they changed; none where the record came or went. */
  readonly touched: ReadonlySet<string>
  /** The ids of the first and the last one. */
  readonly first: number
  readonly last: number
  readonly count: number
}

export type RecordLog = readonly Alike[]

export interface Place {
  readonly id: number
  readonly tableId: number
  readonly recordId: number
}

export interface Places {
  /** The newest first. */
  readonly places: readonly Place[]
  /** All changes of the batch from here on were looked for. */
  readonly end: number
  /** Whether there are none before. */
  readonly isEnd: boolean
}

/** Parts of a batch that are looked through at once: all their changes may be erased. */
const PARTS = 50

/** The newest changes of a batch before a position. */
export async function newestOf(tx: Reading, batch: number, before: number, most: number): Promise<Places> {
  const places: Place[] = []
  let end = before
  for (let parts = 0; places.length < most && parts < PARTS; parts++) {
    const part = await partBefore(tx, batch, end)
    if (!part) return { places, end, isEnd: true }
    const rows =
      await tx.all(sql`SELECT id, table_id, record_id FROM changes WHERE id >= ${part.first} AND id <= ${Math.min(part.last, end - 1)}
      AND batch_id = ${batch} ORDER BY id DESC LIMIT ${most - places.length}`)
    for (const [id, tableId, recordId] of rows) places.push({ id: Number(id), tableId: Number(tableId), recordId: Number(recordId) })
    end = places.length < most ? part.first : places.at(-1)!.id
  }
  return { places, end, isEnd: false }
}

async function partBefore(tx: Reading, batch: number, end: number): Promise<{ first: number; last: number } | undefined> {
  const [row] = await tx.all(sql`SELECT id, last_id FROM batch_parts WHERE batch_id = ${batch} AND id < ${end} ORDER BY id DESC LIMIT 1`)
  if (row) return { first: Number(row[0]), last: Number(row[1]) }
  // A single change has no part.
  return end > batch ? { first: batch, last: batch } : undefined
}

const named = new Map<number, string>(Object.entries(actions).map(([action, code]) => [code, action]))
/** What `logsOf` says in place of a batch with a family, which is negative. */
const doers = { batch: 0, undo: 1, others: 2, undoOfOthers: 3 } as const

/** Statements over many changes end in time. */
export const inTime = ({ patience }: Dialect): Sql => {
  const condition = patience.record?.(256, [])
  return condition ? sql`${condition} AND ` : sql``
}

export interface LogQuestion {
  readonly batch: number
  /** Batches that undid the batch, those that undid these, and so on. */
  readonly undoings: ReadonlySet<number>
  /** Other batches that were undone, and their undos. */
  readonly members: Members
  readonly span: Sql
}

/** A query for the changes of records of a table in a span of the log, for `readLogs`. */
export function logsOf(
  dialect: Dialect,
  tableId: number,
  records: readonly number[],
  { batch, undoings, members, span }: LogQuestion,
): Sql {
  const among = (batches: Iterable<number>) => dialect.oneOf(sql`batch_id`, [...batches])
  const ofFamilies = members.size === 0 ? sql`` : sql`WHEN ${among(members.keys())} THEN -batch_id `
  const doer = sql`CASE WHEN batch_id = ${batch} THEN ${constant(doers.batch)} WHEN ${among(undoings)} THEN ${constant(doers.undo)}
    ${ofFamilies}WHEN via = ${constant(ways.undo)} THEN ${constant(doers.undoOfOthers)} ELSE ${constant(doers.others)} END`
  return sql`SELECT record_id, ${doer} AS doer,
    action, touched, min(id), max(id), count(*) FROM changes
    WHERE ${inTime(dialect)}table_id = ${tableId} AND ${dialect.oneOf(sql`record_id`, records)} AND ${span} GROUP BY record_id, doer, action, touched`
}

/** By record, from the answer of `logsOf`. */
export const readLogs = (rows: readonly Row[], members: Members): ReadonlyMap<number, RecordLog> =>
  new Map([...Map.groupBy(rows, ([record]) => Number(record))].map(([record, some]) => [record, some.map((row) => alike(row, members))]))

const alike = ([, doer, action, touched, first, last, count]: Row, members: Members): Alike => ({
  by: Number(doer) === doers.batch ? 'batch' : Number(doer) === doers.undo ? 'undo' : 'others',
  isUndo: Number(doer) === doers.undoOfOthers,
  member: members.get(-Number(doer)),
  action: named.get(Number(action))!,
  touched: new Set(String(touched).split('|').filter(Boolean)),
  first: Number(first),
  last: Number(last),
  count: Number(count),
})

/** A query for those of some changes, each the only one of its record, after which the batch changed the record again. */
export function changedAgain(dialect: Dialect, batch: number, tableId: number, places: readonly Place[]): Sql {
  const given = dialect.given(
    ['record', 'place'],
    places.map(({ id, recordId }) => [recordId, id]),
  )
  return sql`SELECT record FROM ${given} AS asked WHERE EXISTS (SELECT 1 FROM changes AS log WHERE ${inTime(dialect)}log.table_id = ${tableId}
    AND log.record_id = asked.record AND log.id > asked.place AND log.batch_id = ${batch}
    AND log.id <= (SELECT coalesce(max(last_id), 0) FROM batch_parts WHERE batch_id = ${batch}))`
}

/** How often a record was made, and got another version. */
export interface Versions {
  readonly made: number
  readonly changed: number
}

/** A query for that before a position, for `readVersions`. */
export function versionsBefore(dialect: Dialect, tableId: number, records: readonly number[], position: number): Sql {
  const { create, update, restore } = actions
  return sql`SELECT record_id, sum(CASE WHEN action = ${create} THEN 1 ELSE 0 END), sum(CASE WHEN action IN (${update}, ${restore}) THEN 1 ELSE 0 END)
    FROM changes WHERE ${inTime(dialect)}table_id = ${tableId} AND ${dialect.oneOf(sql`record_id`, records)} AND id < ${position} GROUP BY record_id`
}

export const readVersions = (rows: readonly Row[]): ReadonlyMap<number, Versions> =>
  new Map(rows.map(([record, made, changed]) => [Number(record), { made: Number(made), changed: Number(changed) }]))

/** The version of a record by the log; undefined where that does not reach back to its creation. */
export function versionOf(log: RecordLog, before: Versions = { made: 0, changed: 0 }): number | undefined {
  const count = (...wanted: string[]) => log.reduce((sum, one) => sum + (wanted.includes(one.action) ? one.count : 0), 0)
  return before.made + count('create') === 1 ? 1 + before.changed + count('update', 'restore') : undefined
}

/** What a change holds of some columns. */
export async function contentOf({ db: { dialect } }: Uses<'db'>, tx: Reading, id: number, columns: readonly string[]): Promise<Content> {
  const [row] = await tx.all(sql`SELECT ${dialect.members(sql`content`, columns)} FROM changes WHERE id = ${id}`)
  return JSON.parse(String(row?.[0] ?? '{}')) as Content
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
    const rows = await tx.all(sql`SELECT id FROM batches WHERE undoes > 0 AND ${dialect.oneOf(sql`undoes`, some)} ORDER BY id`)
    some = rows.map(([id]) => Number(id)).filter((id) => !found.has(id))
    for (const id of some) found.add(id)
  }
  return found
}
