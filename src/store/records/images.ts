import type { Attribute, Stored } from '../../fields/field-type.ts'
import type { Dialect } from '../../sql/dialect.ts'
import { join, name, sql, type Sql } from '../../sql/sql.ts'
import type { Held, HeldFile } from '../ground/changes.ts'
import type { Row, Transaction } from '../ground/db.ts'

/* What records hold, read for ledgers that ask for images (ground/changes.ts). */

type Files = Held['files']
export const noFiles: Files = new Map()

/** The values of a record as images have them: the time of a change is in the log besides. */
export function logged(values: Held['values']): Held['values'] {
  const others = new Map(values)
  others.delete('update_time')
  return others
}

/** Some records of one of the twins of a table. */
export interface RecordPlace {
  readonly tableId: number
  readonly twin: string
  readonly which: Sql
}

/** What these records hold, by id, in the order of their ids. */
export async function heldIn(
  { all }: Pick<Transaction, 'all'>,
  dialect: Dialect,
  { tableId, twin, which }: RecordPlace,
  attributes: ReadonlyMap<string, Attribute>,
): Promise<ReadonlyMap<number, Held>> {
  const read = [...attributes.values()].filter((one) => one.name !== 'id')
  const columns = read.map(({ column, type }) => (type.exact ? dialect.integerText(name(column)) : name(column)))
  const rows = await all(sql`SELECT ${join([sql`id`, ...columns], ', ')} FROM ${name(twin)} WHERE ${which} ORDER BY ${name(twin)}.id`)
  const ids = rows.map(([id]) => Number(id))
  const files = read.some(({ type }) => type.files) ? await filesHeld({ all }, dialect, tableId, ids) : undefined
  return new Map(
    rows.map((row, i) => {
      const values = new Map(read.map((one, at) => [one.name, row[at + 1] as Stored]))
      return [ids[i]!, { values, attributes, files: files?.get(ids[i]!) ?? noFiles }]
    }),
  )
}

/** The files of some records of a table, by record. */
export async function filesHeld(
  { all }: Pick<Transaction, 'all'>,
  dialect: Dialect,
  tableId: number,
  records: readonly number[],
): Promise<ReadonlyMap<number, Files>> {
  return records.length === 0 ? new Map() : filesIn(await all(filesOf(dialect, tableId, records)))
}

/** A query for the files of some records. `filesIn` reads its rows. */
export const filesOf = (dialect: Dialect, tableId: number, records: readonly number[]): Sql =>
  sql`SELECT record_id, field_id, name, hash, size FROM files
    WHERE table_id = ${tableId} AND ${dialect.oneOf(sql`record_id`, records)} ORDER BY record_id, field_id, position, id`

export function filesIn(rows: readonly Row[]): ReadonlyMap<number, Files> {
  const held = new Map<number, Map<string, HeldFile[]>>()
  for (const [record, field, fileName, hash, size] of rows) {
    const ofRecord = held.get(Number(record)) ?? new Map<string, HeldFile[]>()
    held.set(Number(record), ofRecord)
    const attribute = `f${Number(field)}`
    ofRecord.set(attribute, [...(ofRecord.get(attribute) ?? []), { name: String(fileName), hash: String(hash), size: Number(size) }])
  }
  return held
}
