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
  /** The columns that hold values, with their places among all. */
  readonly valued: readonly (readonly [column: string, place: number])[]
  /** What an attribute holds before anything is said, by name. */
  readonly nothing: ReadonlyMap<string, Stored>
  readonly defaults: readonly Field[]
}

export const newRecord = memo((table: Table): NewRecord => {
  const attributes = [...['user_id', 'add_time', 'status'].map((key) => table.attributes.get(key)!), ...table.fields]
  const columns = [
    'version',
    ...attributes.flatMap(({ column, keyColumn }) => (keyColumn === undefined ? [column] : [column, keyColumn])),
    'checksum',
  ]
  return {
    attributes,
    columns,
    valued: attributes.map(({ column }) => [column, columns.indexOf(column)]),
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

/** By attribute, the values in a row. */
export const valuesIn = (table: Table, row: readonly Stored[]): Held['values'] => {
  const { attributes, valued } = newRecord(table)
  return new Map(attributes.map(({ name: key }, i) => [key, row[valued[i]![1]]!]))
}
