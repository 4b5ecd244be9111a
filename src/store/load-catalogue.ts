import { fieldType } from '../fields/index.ts'
import { plain, type Attribute, type FieldSettings, type FieldType, type Option } from '../fields/field-type.ts'
import { sql, type Param, type Sql } from '../sql/sql.ts'
import { rights, type Access, type Catalogue, type Field, type Right, type Table } from './catalogue.ts'
import type { Row, Transaction } from './db.ts'

/** Structure and rights, whole; what is in the trash is left out. One row list each, in this order. */
const queries: readonly Sql[] = [
  sql`SELECT id, title, full_title, category_id, sequence, title_field_id, version FROM tables WHERE deleted = '' ORDER BY id`,
  sql`SELECT id, table_id, title, type, sequence, column_name, required, is_unique, default_value, hint, max_length, scale,
      min_value, max_value, reference_table_id, file_extensions, max_files, max_kilobytes
    FROM fields WHERE deleted = '' ORDER BY sequence, id`,
  sql`SELECT id, field_id, label, removed FROM options ORDER BY sequence, id`,
  sql`SELECT table_id, column_name, type FROM fields ORDER BY id`,
  sql`SELECT id, group_id, table_id, read_filter, write_filter, fields, may_create, may_read, may_update, may_delete, may_archive,
      may_bulk, may_print, may_sms, may_send, may_free_sms_template, may_free_mail_template, may_standard_template
    FROM access`,
  sql`SELECT id FROM groups`,
]

/**
 * Tables and rules that are as they were `before` are the same objects, so that whoever depends on one of them sees
 * at once whether it changed. `read`: answers of all queries, which fit together.
 */
export async function loadCatalogue(read: (...queries: Sql[]) => Promise<readonly Row[][]>, before?: Catalogue): Promise<Catalogue> {
  const [tables = [], fieldRows = [], options = [], columnRows = [], access = [], groups = []] = await read(...queries)
  const fields = fieldsOf(fieldRows, optionsOf(options))
  const columns = columnsOf(columnRows)
  return {
    version: (before?.version ?? 0) + 1,
    tables: new Map(
      tables.map((row): [number, Table] => {
        const [id, version] = [Number(row[0]), Number(row[6])]
        const old = before?.tables.get(id)
        return [id, old?.version === version ? old : readTable(row, fields.get(id) ?? [], columns.get(id) ?? [])]
      }),
    ),
    access: accessOf(access, before),
    groups: new Set(groups.map((row) => Number(row[0]))),
  }
}

/** What `loadCatalogue` reads by, in a transaction. */
export const within =
  ({ all }: Pick<Transaction, 'all'>) =>
  (...some: Sql[]): Promise<Row[][]> =>
    Promise.all(some.map(all))

/** The rows from which rules were read. */
const sources = new WeakMap<Access, string>()

/** What was read from a row before, if the row is the same. */
const unchanged = (row: Row, old: Access | undefined): Access | undefined =>
  old && sources.get(old) === JSON.stringify(row) ? old : undefined

function remembering(row: Row, read: Access): Access {
  sources.set(read, JSON.stringify(row))
  return read
}

function readTable(
  [id, title, fullName, categoryId, sequence, titleFieldId, version]: Row,
  fields: readonly Field[],
  columns: readonly string[],
): Table {
  const attributes = [...systemAttributes(), ...fields]
  const table = {
    id: Number(id),
    title: String(title),
    fullName: String(fullName),
    categoryId: Number(categoryId),
    sequence: Number(sequence),
    version: Number(version),
    fields,
    columns: ['user_id', 'add_time', 'status', ...columns],
    attributes: new Map(attributes.map((attribute) => [attribute.name, attribute])),
  }
  const chosen = fields.find((field) => field.id === Number(titleFieldId)) ?? fields.find((field) => field.type.name === 'text')
  return { ...table, titleFieldId: chosen?.id ?? 0 }
}

/** The columns every record has, as filters, sorting and responses see them. */
function systemAttributes(): Attribute[] {
  const attribute = (name: string, type: string, settings: Partial<FieldSettings> = {}): Attribute => ({
    name,
    column: name,
    type: knownType(type),
    settings: { ...plain, ...settings },
  })
  return [
    attribute('id', 'integer'),
    attribute('user_id', 'user'),
    attribute('add_time', 'datetime'),
    attribute('status', 'integer', { min: '0', max: '1' }),
  ]
}

function fieldsOf(rows: readonly Row[], options: ReadonlyMap<number, Option[]>): Map<number, Field[]> {
  const byTable = new Map<number, Field[]>()
  for (const row of rows) {
    const field = readField(row, options)
    const list = byTable.get(field.tableId)
    if (list) list.push(field)
    else byTable.set(field.tableId, [field])
  }
  return byTable
}

function readField(row: Row, options: ReadonlyMap<number, Option[]>): Field {
  const [id, tableId, title, typeName, sequence, column, required, unique, defaultValue, hint] = row
  const [maxLength, scale, min, max, referenceTableId, extensions, maxFiles, maxKilobytes] = row.slice(10)
  const type = knownType(String(typeName))
  const settings: FieldSettings = {
    required: required === 1,
    unique: unique === 1,
    defaultValue: String(defaultValue),
    hint: String(hint),
    ...number('maxLength', maxLength),
    ...number('scale', scale),
    ...number('maxFiles', maxFiles),
    ...number('maxKilobytes', maxKilobytes),
    ...text('min', min),
    ...text('max', max),
    ...(Number(referenceTableId) > 0 && { referenceTableId: Number(referenceTableId) }),
    ...(extensions !== '' && { fileExtensions: String(extensions).split(',') }),
    ...(type.settings.includes('options') && { options: options.get(Number(id)) ?? [] }),
  }
  return {
    id: Number(id),
    tableId: Number(tableId),
    name: `f${Number(id)}`,
    title: String(title),
    sequence: Number(sequence),
    column: String(column),
    type,
    settings,
    ...(type.key && { keyColumn: `${String(column)}k` }),
  }
}

const number = <K extends keyof FieldSettings>(key: K, value: Param | undefined) => (Number(value) >= 0 ? { [key]: Number(value) } : {})
const text = <K extends keyof FieldSettings>(key: K, value: Param | undefined) => (value === '' ? {} : { [key]: String(value) })

/** By table, the columns of all its fields, also of those in the trash: a record moves between the twins with all it has. */
function columnsOf(rows: readonly Row[]): Map<number, string[]> {
  const byTable = new Map<number, string[]>()
  for (const [tableId, column, type] of rows) {
    const columns = byTable.get(Number(tableId)) ?? []
    columns.push(String(column), ...(knownType(String(type)).key ? [`${String(column)}k`] : []))
    byTable.set(Number(tableId), columns)
  }
  return byTable
}

function optionsOf(rows: readonly Row[]): Map<number, Option[]> {
  const byField = new Map<number, Option[]>()
  for (const [id, fieldId, label, removed] of rows) {
    const option = { id: Number(id), label: String(label), removed: removed === 1 }
    const list = byField.get(Number(fieldId))
    if (list) list.push(option)
    else byField.set(Number(fieldId), [option])
  }
  return byField
}

function accessOf(rows: readonly Row[], before: Catalogue | undefined): Map<number, Map<number, Access>> {
  const byGroup = new Map<number, Map<number, Access>>()
  for (const row of rows) {
    const access = unchanged(row, before?.access.get(Number(row[1]))?.get(Number(row[2]))) ?? readAccess(row)
    const ofGroup = byGroup.get(access.groupId) ?? new Map<number, Access>()
    byGroup.set(access.groupId, ofGroup.set(access.tableId, access))
  }
  return byGroup
}

function readAccess(row: Row): Access {
  const [id, groupId, tableId, readFilter, writeFilter, fields] = row
  const byField = Object.entries(JSON.parse(String(fields) || '{}') as Record<string, string>)
  const chosen = (what: string) => new Set(byField.flatMap(([field, right]) => (right === what ? [Number(field)] : [])))
  return remembering(row, {
    id: Number(id),
    groupId: Number(groupId),
    tableId: Number(tableId),
    rights: new Set(rights.filter((_: Right, i) => row[6 + i] === 1)),
    readFilter: String(readFilter),
    writeFilter: String(writeFilter),
    hidden: chosen('hidden'),
    readOnly: chosen('read_only'),
  })
}

/** A type in the database that this program does not know means a program older than the database. */
function knownType(name: string): FieldType {
  const type = fieldType(name)
  if (!type) throw new Error(`The database has a field of type '${name}', which this version does not know.`)
  return type
}
