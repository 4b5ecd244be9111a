import type { Uses } from '../ground/store.ts'
import { createHash } from 'node:crypto'
import type { Attribute, Stored } from '../../fields/field-type.ts'
import { isEmpty } from '../../fields/value.ts'
import type { Dialect } from '../../sql/dialect.ts'
import { constant, join, name, sql, type Sql } from '../../sql/sql.ts'
import { recordsOf, type Field, type Table } from '../model/catalogue.ts'
import type { Row, Transaction } from '../ground/db.ts'

/*
 * Unique values. On one server a unique index over the records enforces them. Where records are distributed over several servers,
 * no index can; then each unique value of a live record has a row in unique_keys, which is distributed by the value and has it as
 * its key, so that there can be only one. The row is written in the transaction that writes the record.
 */

type Keyed = Pick<Attribute, 'column' | 'keyColumn' | 'type'>

/** The WHERE of unique indexes. The planner uses such an index only where a query has the same condition. */
export const filled = ({ column, keyColumn, type }: Keyed): Sql =>
  keyColumn === undefined ? sql`${name(column)} <> ${constant(type.empty)}` : sql`${name(keyColumn)} <> ''`

/** The key by which a value of a unique field is compared; undefined for the empty value. */
export function uniqueKey({ type, settings }: Field, value: Stored): Stored | undefined {
  const key = isEmpty(type, value) ? '' : (type.key?.(value, settings) ?? value)
  return key === '' ? undefined : key
}

/**
 * The record, other than this one, that holds a key. Certain only in the transaction that takes the key, or where the holder is locked:
 * then it holds the key until the end of the transaction.
 */
export async function holderOf(
  store: Uses<'db'>,
  tx: Transaction,
  field: Field,
  key: Stored,
  id: number,
  locked = false,
): Promise<number | undefined> {
  const { dialect } = store.db
  const lock = locked ? dialect.forUpdate : sql``
  const [other] = dialect.keysApart
    ? await tx.all(sql`SELECT id FROM unique_keys WHERE ${keyIs(field, key)} AND id <> ${id}${lock}`)
    : await tx.all(sql`SELECT id FROM ${name(recordsOf(field.tableId))} WHERE ${name(field.keyColumn ?? field.column)} = ${key} AND ${filled(field)}
        AND id <> ${id}${lock}`)
  return other && Number(other[0])
}

export async function anyIsHeld({ db: { dialect } }: Uses<'db'>, tx: Transaction, field: Field, keys: readonly Stored[]): Promise<boolean> {
  const taken = dialect.keysApart
    ? sql`unique_keys WHERE ${dialect.oneOf(sql`key`, keys.map(keyText))} AND ${isOf(field.tableId, field.column)}`
    : sql`${name(recordsOf(field.tableId))} WHERE ${dialect.oneOf(name(field.keyColumn ?? field.column), keys)} AND ${filled(field)}`
  return (await tx.all(sql`SELECT id FROM ${taken} LIMIT 1`)).length > 0
}

/** The value of a field in the record at a place. */
type ValueOf = (field: Field, place: number) => Stored | undefined

/** Takes the keys of new records. The insert fails where another transaction has taken one of them. */
export async function takeKeys(
  store: Uses<'db'>,
  tx: Transaction,
  { fields }: Table,
  ids: readonly number[],
  valueOf: ValueOf,
): Promise<void> {
  if (!store.db.dialect.keysApart) return
  const unique = fields.filter(({ settings }) => settings.unique)
  const rows = ids.flatMap((id, place) =>
    unique.flatMap((field): Row[] => {
      const value = valueOf(field, place)
      const key = value === undefined ? undefined : uniqueKey(field, value)
      return key === undefined ? [] : [[keyText(key), field.tableId, field.column, id]]
    }),
  )
  if (rows.length > 0) await tx.insert('unique_keys', ['key', 'table_id', 'column_name', 'id'], rows)
}

/** The keys that a record gives up when it is deleted. */
export async function leaveKeys(store: Uses<'db'>, tx: Transaction, { fields }: Table, id: number, valueOf: ValueOf): Promise<void> {
  if (!store.db.dialect.keysApart) return
  for (const field of fields.filter(({ settings }) => settings.unique)) {
    const value = valueOf(field, 0)
    const key = value === undefined ? undefined : uniqueKey(field, value)
    if (key !== undefined) await tx.run(sql`DELETE FROM unique_keys WHERE ${keyIs(field, key)} AND id = ${id}`)
  }
}

/** Gives up and takes keys for a change of a record. Keys that stay the same are not touched. */
export async function changeKeys(
  store: Uses<'db'>,
  tx: Transaction,
  table: Table,
  id: number,
  before: ReadonlyMap<string, Stored>,
  changed: ReadonlyMap<string, Stored>,
): Promise<void> {
  await leaveKeys(store, tx, table, id, ({ name: key }) => (changed.has(key) ? before.get(key) : undefined))
  await takeKeys(store, tx, table, [id], ({ name: key }) => changed.get(key))
}

/** Takes the keys of all records when a field becomes unique. No two records have the same one: that was checked before. */
export async function fillKeys(tx: Transaction, dialect: Dialect, tableId: number, attribute: Keyed): Promise<void> {
  if (!dialect.keysApart) return
  const { column } = attribute
  await tx.run(sql`INSERT INTO unique_keys (key, table_id, column_name, id)
    SELECT ${keyIn(attribute)}, ${tableId}::bigint, ${column}::text, id FROM ${name(recordsOf(tableId))} WHERE ${filled(attribute)}`)
}

/** Gives up all keys of one column, or of all columns of a table. */
export async function dropKeys(tx: Transaction, dialect: Dialect, tableId: number, column?: string): Promise<void> {
  if (!dialect.keysApart) return
  await tx.run(sql`DELETE FROM unique_keys WHERE ${column === undefined ? sql`table_id = ${tableId}` : isOf(tableId, column)}`)
}

/** Rows compared at once. */
const ROWS_COMPARED = 1_000

/** One sentence for each difference between unique_keys and the records. */
export async function* checkKeys({ db }: Uses<'db'>, table: Table): AsyncGenerator<string> {
  if (!db.dialect.keysApart) return
  const rowsOf = async (query: Sql) => (await db.read(query))[0]!
  for (const field of table.fields.filter(({ settings }) => settings.unique)) {
    const place = `Table ${table.id} (${table.title}), ${field.title}`
    const own = sql`SELECT id, ${keyIn(field)} FROM ${name(recordsOf(table.id))} WHERE ${filled(field)}`
    const kept = sql`SELECT id, key FROM unique_keys WHERE ${isOf(table.id, field.column)}`
    for (let last = 0, more = true; more;) {
      const [some, others] = [own, kept].map((from) => sql`${from} AND id > ${last} ORDER BY id LIMIT ${ROWS_COMPARED}`) as [Sql, Sql]
      const [held, known] = [await rowsOf(some), await rowsOf(others)]
      // As far as both have been read.
      const ends = [held, known].filter((rows) => rows.length === ROWS_COMPARED).map((rows) => Number(rows.at(-1)![0]))
      more = ends.length > 0
      last = Math.min(...ends)
      const said = (rows: Row[]) => rows.filter(([id]) => !more || Number(id) <= last).map(([id, key]) => JSON.stringify([Number(id), key]))
      const [keys, rows] = [new Set(said(known)), new Set(said(held))]
      for (const one of rows) if (!keys.has(one)) yield `${place}: nothing keeps the value of record ${idIn(one)} apart.`
      for (const one of keys) if (!rows.has(one)) yield `${place}: a value is kept for record ${idIn(one)}, which does not hold it.`
    }
  }
}

const idIn = (said: string): number => (JSON.parse(said) as [number])[0]

/** The most bytes of a key that is stored as it is. An index entry has at most a few thousand bytes. */
const LONGEST_KEY = 500

/** A key as it is stored. A long one is its hash, after a character with which no value begins. */
function keyText(key: Stored): string {
  const text = String(key)
  return Buffer.byteLength(text) > LONGEST_KEY ? `\u0001${createHash('md5').update(text).digest('hex')}` : text
}

/** The same as SQL, for a record. */
function keyIn({ column, keyColumn }: Keyed): Sql {
  const text = sql`CAST(${name(keyColumn ?? column)} AS text)`
  return sql`CASE WHEN octet_length(${text}) > ${constant(LONGEST_KEY)} THEN chr(1) || md5(${text}) ELSE ${text} END`
}

const isOf = (tableId: number, column: string): Sql => sql`table_id = ${tableId} AND column_name = ${column}`
const keyIs = ({ tableId, column }: Field, key: Stored): Sql => join([sql`key = ${keyText(key)}`, isOf(tableId, column)], ' AND ')
