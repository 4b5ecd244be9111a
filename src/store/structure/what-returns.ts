import { Failure } from '../../errors.ts'
import { fieldType } from '../../fields/index.ts'
import { constant, join, name, sql } from '../../sql/sql.ts'
import type { Uses } from '../ground/store.ts'
import { rightsOn, view, type Caller, type Granted, type View } from '../model/access.ts'
import { recordsOf, trashOf, type Field } from '../model/catalogue.ts'
import { idsOfReferring } from '../records/referring-records.ts'
import { writableAmong } from '../records/writable.ts'
import type { TrashItem } from './trash-entries.ts'

/*
 * What comes back with entries of the trash, for a page of them: some statements for each table of the page, each with a bound, whatever
 * the number of records. Of a record, only what the caller may see of it and of others.
 */

/** Undefined: of another kind, or not known in time. */
export interface Returning {
  /** Live records of a table. */
  readonly records?: number
  /** Fields of a table. */
  readonly fields?: number
  readonly files?: number
  /** Records that hold a value in a field. */
  readonly values?: number
  /** Whether there may be more of those: not all records were looked at. */
  readonly more?: boolean
  /** Records to which a record refers. */
  readonly links?: number
  /** Records that refer to it. */
  readonly referring?: number
  /** The write filter of the caller's group keeps them from restoring a record. */
  readonly barred?: true
}

type Used = Uses<'db' | 'positions' | 'catalogue' | 'context' | 'indexes'>

/** So many are counted. */
export const MOST_FILES = 1_000
export const MOST_REFERRING = 100
/** The oldest records of a table, which are looked at for values of fields. */
export const MOST_LOOKED_AT = 50_000
/** Fields by which others refer to a table, of which that is counted. */
const MOST_FIELDS = 20

/** By id of the entry. */
export async function whatReturns(store: Used, caller: Caller, entries: readonly TrashItem[]): Promise<ReadonlyMap<number, Returning>> {
  const found = new Map<number, Returning>()
  const byTable = Map.groupBy(
    entries.filter(({ kind }) => kind === 'record'),
    ({ tableId }) => tableId,
  )
  const catalogue = store.catalogue()
  for (const [tableId, some] of byTable) {
    const table = catalogue.tables.get(tableId)
    // What is of a table in the trash waits for that table.
    if (!table || !rightsOn(tableId, caller, catalogue).has('read')) continue
    for (const [id, one] of await ofRecords(store, caller, view(table, caller, catalogue), some)) found.set(id, one)
  }
  const fields = Map.groupBy(
    entries.filter(({ kind, tableId }) => kind === 'field' && catalogue.tables.has(tableId)),
    ({ tableId }) => tableId,
  )
  for (const [tableId, some] of fields)
    for (const [id, one] of (await inTime(() => ofFields(store, caller, tableId, some))) ?? []) found.set(id, one)
  for (const entry of entries) if (entry.kind === 'table') found.set(entry.id, await ofTable(store, caller, entry.itemId))
  return found
}

async function ofTable({ db, positions }: Used, caller: Caller, id: number): Promise<Returning> {
  const answers = await db.readLittle(
    caller,
    positions.total(id),
    sql`SELECT count(*) FROM fields WHERE table_id = ${id} AND deleted = ''`,
    sql`SELECT count(*) FROM (SELECT 1 FROM files WHERE table_id = ${id} LIMIT ${constant(MOST_FILES)}) AS counted`,
  )
  const [records, fields, files] = answers.map((rows) => Number(rows[0]?.[0] ?? 0))
  return { records: records!, fields: fields!, files: files! }
}

/** Fields in the trash keep their columns: one pass for all of a table. */
async function ofFields({ db }: Used, caller: Caller, tableId: number, entries: readonly TrashItem[]): Promise<Map<number, Returning>> {
  const ids = entries.map(({ itemId }) => itemId)
  const [rows] = await db.readLittle(
    caller,
    sql`SELECT id, column_name, type FROM fields WHERE table_id = ${tableId} AND ${db.dialect.oneOf(sql`id`, ids)} ORDER BY id`,
  )
  const columns = rows!.flatMap(([id, column, type]) => {
    const empty = fieldType(String(type))?.empty
    return empty === undefined ? [] : [{ id: Number(id), column: String(column), empty }]
  })
  if (columns.length === 0) return new Map()
  const held = columns.map(({ column, empty }) => sql`CASE WHEN ${name(column)} <> ${constant(empty)} THEN 1 ELSE 0 END AS ${name(column)}`)
  const sums = columns.map(({ column }) => sql`, coalesce(sum(${name(column)}), 0)`)
  const [answer] = await db.readLittle(
    caller,
    sql`SELECT count(*)${join(sums, '')} FROM (SELECT ${join(held, ', ')} FROM ${name(recordsOf(tableId))}
      ORDER BY id LIMIT ${constant(MOST_LOOKED_AT)}) AS looked`,
  )
  const [looked, ...counts] = answer![0]!.map(Number) as [number, ...number[]]
  const byField = new Map(columns.map(({ id }, i) => [id, counts[i]!]))
  return new Map(
    entries.flatMap(({ id, itemId }) => {
      const values = byField.get(itemId)
      return values === undefined ? [] : [[id, { values, ...(looked === MOST_LOOKED_AT && { more: true }) }]]
    }),
  )
}

async function ofRecords(store: Used, caller: Caller, granted: View, entries: readonly TrashItem[]): Promise<Map<number, Returning>> {
  const { dialect } = store.db
  const { id: tableId, fields } = granted.table
  const ids = entries.map(({ itemId }) => itemId)
  const seen = fields.filter((field) => granted.attributes.has(field.name))
  const held = seen.filter(({ type }) => type.files).map(({ id }) => id)
  const some = sql`table_id = ${tableId} AND ${dialect.oneOf(sql`record_id`, ids)} AND ${dialect.oneOf(sql`field_id`, held)}`
  const linking = seen.filter(({ type }) => type.target === 'record')
  const columns = linking.map(({ column }) => sql`, ${name(column)}`)
  const [counted, rows] = await store.db.readLittle(
    caller,
    sql`SELECT record_id, count(*) FROM files WHERE ${some} GROUP BY record_id`,
    sql`SELECT id${columns.reduce((all, one) => sql`${all}${one}`, sql``)} FROM ${name(trashOf(tableId))} WHERE ${dialect.oneOf(sql`id`, ids)}`,
  )
  const files = new Map(counted!.map(([id, count]) => [Number(id), Number(count)]))
  const links = new Map(
    rows!.map(([id, ...values]) => [Number(id), linking.reduce((sum, { type }, i) => sum + linksIn(type.kind, values[i]), 0)]),
  )
  const referring = await referringTo(store, caller, tableId, ids)
  const writable = await writableAmong(store, granted, ids, trashOf(tableId))
  return new Map(
    entries.map(({ id, itemId }) => [
      id,
      {
        files: files.get(itemId) ?? 0,
        links: links.get(itemId) ?? 0,
        ...(referring && { referring: Math.min(MOST_REFERRING, referring.get(itemId) ?? 0) }),
        ...(writable?.has(itemId) === false && { barred: true as const }),
      },
    ]),
  )
}

/** References are kept as `-1-2-`, a reference as a number. */
const linksIn = (kind: string, value: unknown): number =>
  kind === 'set' ? String(value).split('-').filter(Boolean).length : Number(Number(value) !== 0)

/** By record, how many refer to it that the caller may read; undefined: not known in time. */
async function referringTo(store: Used, caller: Caller, to: number, ids: readonly number[]): Promise<Map<number, number> | undefined> {
  const catalogue = store.catalogue()
  const refers = ({ type, settings }: Field) => type.target === 'record' && settings.referenceTableId === to
  const fields = [...catalogue.tables.values()].flatMap((table) => {
    if (!rightsOn(table.id, caller, catalogue).has('read')) return []
    const granted = view(table, caller, catalogue) as Granted<'read'>
    return table.fields.flatMap((field) => (refers(field) && granted.attributes.has(field.name) ? [{ granted, field }] : []))
  })
  return inTime(async () => {
    const found = new Map<number, Set<string>>()
    for (const { granted, field } of fields.slice(0, MOST_FIELDS))
      for (const [id, some] of await idsOfReferring(store, granted, field, ids, MOST_REFERRING)) {
        const known = found.get(id) ?? new Set()
        // A record may refer by several fields.
        for (const one of some.ids) known.add(`${granted.table.id} ${one}`)
        found.set(id, known)
      }
    return new Map([...found].map(([id, some]) => [id, some.size]))
  })
}

/** Undefined where the database takes too long. */
async function inTime<Found>(count: () => Promise<Found>): Promise<Found | undefined> {
  try {
    return await count()
  } catch (error) {
    if (error instanceof Failure && error.code === 'server.query_timeout') return undefined
    throw error
  }
}
