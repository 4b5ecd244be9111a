import type { Attribute, Stored } from '../../fields/field-type.ts'
import { memo } from '../../memory/memo.ts'
import type { Held } from '../ground/changes.ts'
import type { Field, Table } from '../model/catalogue.ts'
import { keyOf, noKeys, type Keys } from './long-keys.ts'
import { mustFitInRecord } from './record-size.ts'

/** What is the same for all new records of a table. */
interface NewRecord {
  /** In the order of the columns. The column of an attribute with a key is followed by that of the key. */
  readonly attributes: readonly Attribute[]
  readonly columns: readonly string[]
  /** The columns of values that the checksum is of, with their places among all. */
  readonly valued: readonly (readonly [column: string, place: number])[]
  /** Where the update_time is. */
  readonly time: number
  /** The valued attributes by name: those that images have. */
  readonly logged: readonly (readonly [name: string, place: number])[]
  /** What an attribute holds before anything is said, by name. */
  readonly nothing: ReadonlyMap<string, Stored>
  readonly defaults: readonly Field[]
}

export const newRecord = memo((table: Table): NewRecord => {
  const attributes = [...['user_id', 'add_time', 'status', 'update_time'].map((key) => table.allAttributes.get(key)!), ...table.fields]
  const valued = attributes.filter(({ onlyNamed }) => !onlyNamed)
  const columns = [
    'version',
    ...attributes.flatMap(({ column, keyColumn }) => (keyColumn === undefined ? [column] : [column, keyColumn])),
    'checksum',
  ]
  return {
    attributes,
    columns,
    valued: valued.map(({ column }) => [column, columns.indexOf(column)]),
    time: columns.indexOf('update_time'),
    logged: valued.map(({ name: key, column }) => [key, columns.indexOf(column)]),
    nothing: new Map(attributes.map(({ name: key, type }) => [key, type.empty])),
    defaults: table.fields.filter(({ settings }) => settings.defaultValue !== ''),
  }
})

/** The contents of the columns; the last one, the checksum, is 0. @throws `record.too_large` */
export function rowOf(attributes: readonly Attribute[], valueOf: (key: string) => Stored, keys: Keys = noKeys): Stored[] {
  const row: Stored[] = [1]
  for (const attribute of attributes) {
    const value = valueOf(attribute.name)
    row.push(value)
    const key = keyOf(attribute, value, keys)
    if (key !== undefined) row.push(key)
  }
  mustFitInRecord(row, () => attributes.map(({ name: key }) => valueOf(key)))
  // The checksum, once the values are complete.
  row.push(0)
  return row
}

/** By attribute, the values in a row, as images have them. */
export const valuesIn = (table: Table, row: readonly Stored[]): Held['values'] =>
  new Map(newRecord(table).logged.map(([key, place]) => [key, row[place]!]))
