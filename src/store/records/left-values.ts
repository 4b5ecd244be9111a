import { left, type ShownRecord } from '../model/record.ts'
import type { Attribute, Stored } from '../../fields/field-type.ts'
import { join, name, sql } from '../../sql/sql.ts'
import type { View } from '../model/access.ts'
import { recordsOf } from '../model/catalogue.ts'
import { shownBytes } from './left.ts'
import { Stale } from '../model/stale.ts'
import type { Uses } from '../ground/store.ts'

/** The values that one record left in the database, in the order of its attributes. */
export interface LeftValues {
  readonly record: Pick<ShownRecord, 'id' | 'version'>
  readonly values: readonly { readonly attribute: Attribute; readonly bytes: number }[]
}

/** Bytes of values that are read at once. */
const BATCH = 1_048_576

/** The sizes of the values that were left in the database, of the attributes asked for. @throws Stale where a record has changed since it was read */
export async function measureLeft(
  store: Uses<'db'>,
  { table, attributes }: View,
  records: readonly ShownRecord[],
  wanted: ReadonlySet<string> | undefined,
): Promise<LeftValues[]> {
  const found: LeftValues[] = []
  for (const record of records) {
    const missing = [...attributes.values()].filter(({ name: key }) => record.attributes[key] === left && (wanted?.has(key) ?? true))
    if (missing.length === 0) continue
    const sizes = missing.map((attribute) => shownBytes(attribute, store.db.dialect))
    const [rows] = await store.db.read(sql`SELECT ${join(sizes, ', ')} FROM ${name(recordsOf(table.id))} ${of(record)}`)
    const row = rows![0]
    if (!row) throw new Stale()
    found.push({ record, values: missing.map((attribute, i) => ({ attribute, bytes: Number(row[i]) })) })
  }
  return found
}

/** The values as wire text, one after the other, read a few at a time. @throws Stale as `measureLeft` */
export async function* readLeft(store: Uses<'db'>, { table }: View, all: readonly LeftValues[]): AsyncGenerator<string> {
  for (const { record, values } of all) {
    for (let at = 0; at < values.length;) {
      let end = at + 1
      let bytes = values[at]!.bytes
      while (end < values.length && bytes + values[end]!.bytes <= BATCH) bytes += values[end++]!.bytes
      const batch = values.slice(at, end).map(({ attribute }) => attribute)
      const columns = batch.map(({ column }) => name(column))
      const [rows] = await store.db.read(sql`SELECT ${join(columns, ', ')} FROM ${name(recordsOf(table.id))} ${of(record)}`)
      const row = rows![0]
      if (!row) throw new Stale()
      for (const [i, { type, settings }] of batch.entries()) yield type.format(row[i] as Stored, settings)
      at = end
    }
  }
}

const of = ({ id, version }: Pick<ShownRecord, 'id' | 'version'>) => sql`WHERE id = ${id} AND version = ${version}`
