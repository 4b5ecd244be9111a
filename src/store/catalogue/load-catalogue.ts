import { builtIn, fieldType } from '../../fields/index.ts'
import { plain, type Attribute, type FieldSettings, type FieldType, type Option } from '../../fields/field-type.ts'
import { join, name, sql, type Sql } from '../../sql/sql.ts'
import type { Access, Catalogue, Conversion, Field, Table } from '../model/catalogue.ts'
import { readFieldRights, type WrittenFieldRights } from '../model/field-rights.ts'
import { rightNames, rights } from '../model/rights.ts'
import type { Row, Transaction } from '../ground/db.ts'
import { conversionColumns, physicalNames, readConversion } from './conversions.ts'
import { phoneCountryIn, readPhoneCountry } from './phone-country.ts'
import { readSettings, settingColumns } from './setting-columns.ts'
import type { Dialect } from '../../sql/dialect.ts'

/** Reads the answers of all queries from one snapshot. */
type Read = (...queries: Sql[]) => Promise<readonly Row[][]>

/**
 * Reads structure and rights, without what is in the trash. Where there is a catalogue `before`, only tables and rules with another version
 * are read: all of them may take a second. Unchanged tables and rules are the same objects as before, so a comparison of objects tells
 * whether one has changed.
 */
export async function loadCatalogue(read: Read, dialect: Dialect, before?: Catalogue): Promise<Catalogue> {
  let tables: ReadonlyMap<number, Table> = before?.tables ?? new Map<number, Table>()
  let rules = new Map(rulesOf(before).map((rule) => [rule.id, rule]))
  let phoneCountry = before?.phoneCountry
  let wanted: Wanted = before ? { tables: [], rules: undefined } : { tables: 'all', rules: 'all' }
  // One read finds what has changed. The next one reads that, and finds whether more has changed since.
  for (;;) {
    const [versions, sums, groups, country, ...rows] = await read(
      ...overview,
      ...ruleQueries(dialect, wanted),
      ...tableQueries(dialect, wanted),
    )
    const former = phoneCountry
    phoneCountry = phoneCountryIn(country!)
    if (former !== undefined && former !== phoneCountry) {
      // The settings of phone fields are others in every table.
      tables = new Map()
      wanted = { tables: 'all', rules: 'all' }
      continue
    }
    const ruleVersions = wanted.rules && rows.shift()
    if (ruleVersions) rules = replaced(rules, wanted.rules!.length > 0 ? rows.shift()!.map(readAccess) : [], ruleVersions)
    tables = replaced(tables, tablesIn(rows, phoneCountry), versions!)
    wanted = { tables: missing(tables, versions!), rules: isWhole(rules, sums![0]!) ? undefined : missing(rules, ruleVersions ?? []) }
    if (wanted.tables.length === 0 && !wanted.rules) {
      const isSame = before && rulesOf(before).length === rules.size && rulesOf(before).every((rule) => rules.get(rule.id) === rule)
      const access = isSame ? before.access : byGroup(rules.values())
      return { version: (before?.version ?? 0) + 1, tables, access, groups: new Set(groups!.map((row) => Number(row[0]))), phoneCountry }
    }
  }
}

type Ids = 'all' | readonly number[]
interface Wanted {
  readonly tables: Ids
  /** Ids of the rules to read. Undefined: not even the versions of rules are read. */
  readonly rules: Ids | undefined
}
interface Versioned {
  readonly id: number
  readonly version: number
}

/** The versions of tables; and sums over rules, which differ after a rule was made, changed or deleted, since ids are never used again. */
const overview: readonly Sql[] = [
  sql`SELECT id, version FROM tables WHERE deleted = '' ORDER BY id`,
  sql`SELECT count(*), coalesce(sum(version), 0), coalesce(max(id), 0) FROM access`,
  sql`SELECT id FROM groups`,
  readPhoneCountry,
]

function isWhole(rules: ReadonlyMap<number, Access>, [count, sum, last]: Row): boolean {
  let [ofVersions, ofIds] = [0, 0]
  for (const { id, version } of rules.values()) [ofVersions, ofIds] = [ofVersions + version, Math.max(ofIds, id)]
  return rules.size === Number(count) && ofVersions === Number(sum) && ofIds === Number(last)
}

/** The ids whose present version is not in `there`. */
const missing = (there: ReadonlyMap<number, Versioned>, versions: readonly Row[]): number[] =>
  versions.flatMap(([id, version]) => (there.get(Number(id))?.version === Number(version) ? [] : Number(id)))

/** The tables or rules with these ids and versions, as they were read now or before. */
function replaced<T extends Versioned>(before: ReadonlyMap<number, T>, read: readonly T[], versions: readonly Row[]): Map<number, T> {
  const now = new Map(read.map((one) => [one.id, one]))
  const there = new Map<number, T>()
  for (const [id, version] of versions) {
    const one = now.get(Number(id)) ?? before.get(Number(id))
    if (one?.version === Number(version)) there.set(one.id, one)
  }
  return there
}

/** The tables, their fields, the options and the columns of these. */
function tableQueries(dialect: Dialect, { tables }: Wanted): Sql[] {
  if (tables.length === 0) return []
  const those = (id: Sql) => (tables === 'all' ? sql`${id} IN (SELECT id FROM tables WHERE deleted = '')` : dialect.oneOf(id, tables))
  const inThose = those(sql`table_id`)
  return [
    sql`SELECT id, title, full_title, category_id, sequence, title_field_id, version FROM tables WHERE deleted = '' AND ${those(sql`id`)}`,
    sql`SELECT ${fieldColumns} FROM fields WHERE deleted = '' AND ${inThose} ORDER BY sequence, id`,
    sql`SELECT id, field_id, label, removed FROM options
      WHERE field_id IN (SELECT id FROM fields WHERE deleted = '' AND ${inThose}) ORDER BY sequence, id`,
    sql`SELECT table_id, column_name, type FROM fields WHERE ${inThose} ORDER BY id`,
    sql`SELECT ${conversionColumns} FROM conversions WHERE ${inThose} ORDER BY id`,
  ]
}

const ownSettings = join(
  Object.values(settingColumns).map(([column]) => name(column)),
  ', ',
)
const fieldColumns = sql`id, table_id, title, type, sequence, column_name, required, is_unique, default_value, hint, section, ${ownSettings}`

/** As `Table.attributes`, with the fields that are in the trash; also of a table in the trash. Keys of phones are not made with them. */
export async function attributesWithTrashed({ all }: Pick<Transaction, 'all'>, tableId: number): Promise<Map<string, Attribute>> {
  const rows = await all(sql`SELECT ${fieldColumns} FROM fields WHERE table_id = ${tableId} ORDER BY sequence, id`)
  const ofFields = sql`field_id IN (SELECT id FROM fields WHERE table_id = ${tableId})`
  const options = optionsOf(await all(sql`SELECT id, field_id, label, removed FROM options WHERE ${ofFields} ORDER BY sequence, id`))
  return new Map([...systemAttributes(), ...rows.map((row) => readField(row, options, ''))].map((one) => [one.name, one]))
}

function tablesIn(
  [tableRows = [], fieldRows = [], options = [], columnRows = [], conversionRows = []]: readonly Row[][],
  phoneCountry: string,
): Table[] {
  const fields = fieldsOf(fieldRows, optionsOf(options), phoneCountry)
  const columns = columnsOf(columnRows)
  const conversions = Map.groupBy(conversionRows.map(readConversion), ({ tableId }) => tableId)
  return tableRows.map((row) => {
    const id = Number(row[0])
    return readTable(row, fields.get(id) ?? [], columns.get(id) ?? [], conversions.get(id) ?? [])
  })
}

const mayColumns = join(
  rightNames.map((right) => name(rights[right].column)),
  ', ',
)

function ruleQueries(dialect: Dialect, { rules }: Wanted): Sql[] {
  if (!rules) return []
  const versions = sql`SELECT id, version FROM access ORDER BY id`
  if (rules.length === 0) return [versions]
  const those = rules === 'all' ? sql`` : sql` WHERE ${dialect.oneOf(sql`id`, rules)}`
  return [
    versions,
    sql`SELECT id, group_id, table_id, version, read_filter, write_filter, fields, assignable, ${mayColumns} FROM access${those}`,
  ]
}

const rulesOf = (catalogue: Catalogue | undefined): Access[] =>
  [...(catalogue?.access.values() ?? [])].flatMap((ofGroup) => [...ofGroup.values()])

function byGroup(rules: Iterable<Access>): Map<number, Map<number, Access>> {
  const found = new Map<number, Map<number, Access>>()
  for (const rule of rules) {
    const ofGroup = found.get(rule.groupId)
    if (ofGroup) ofGroup.set(rule.tableId, rule)
    else found.set(rule.groupId, new Map([[rule.tableId, rule]]))
  }
  return found
}

/** What `loadCatalogue` reads by, in a transaction. */
export const within =
  ({ all }: Pick<Transaction, 'all'>) =>
  (...some: Sql[]): Promise<Row[][]> =>
    Promise.all(some.map(all))

function readTable(
  [id, title, fullName, categoryId, sequence, titleFieldId, version]: Row,
  fields: readonly Field[],
  columns: readonly string[],
  conversions: readonly Conversion[],
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
    columns: ['user_id', 'add_time', 'status', 'update_time', ...columns, ...conversions.flatMap(physicalNames)],
    conversions,
    attributes: byName(attributes),
    allAttributes: byName([...attributes, updateTime]),
  }
  const chosen = fields.find((field) => field.id === Number(titleFieldId)) ?? fields.find((field) => field.type.titles)
  return { ...table, titleFieldId: chosen?.id ?? 0 }
}

const byName = (attributes: readonly Attribute[]) => new Map(attributes.map((attribute) => [attribute.name, attribute]))

/** When the record was last written (records/next-version.ts). */
const updateTime: Attribute = {
  name: 'update_time',
  column: 'update_time',
  type: builtIn.datetime,
  settings: plain,
  onlyNamed: true,
}

/** The system columns of every record, as attributes for filters, sorting and responses. */
function systemAttributes(): Attribute[] {
  const attribute = (name: string, type: FieldType, settings: Partial<FieldSettings> = {}): Attribute => ({
    name,
    column: name,
    type,
    settings: { ...plain, ...settings },
  })
  return [
    attribute('id', builtIn.integer),
    attribute('user_id', builtIn.user),
    attribute('add_time', builtIn.datetime),
    attribute('status', builtIn.integer, { min: '0', max: '1' }),
  ]
}

function fieldsOf(rows: readonly Row[], options: ReadonlyMap<number, Option[]>, phoneCountry: string): Map<number, Field[]> {
  const byTable = new Map<number, Field[]>()
  for (const row of rows) {
    const field = readField(row, options, phoneCountry)
    const list = byTable.get(field.tableId)
    if (list) list.push(field)
    else byTable.set(field.tableId, [field])
  }
  return byTable
}

function readField(row: Row, options: ReadonlyMap<number, Option[]>, phoneCountry: string): Field {
  const [id, tableId, title, typeName, sequence, column, required, unique, defaultValue, hint, section, ...own] = row
  const type = knownType(String(typeName))
  const settings: FieldSettings = {
    required: required === 1,
    unique: unique === 1,
    defaultValue: String(defaultValue),
    hint: String(hint),
    ...readSettings(own),
    ...(type.settings.includes('options') && { options: options.get(Number(id)) ?? [] }),
    ...(type.byCountry && { phoneCountry }),
  }
  return {
    id: Number(id),
    tableId: Number(tableId),
    name: `f${Number(id)}`,
    title: String(title),
    sequence: Number(sequence),
    section: String(section),
    column: String(column),
    type,
    settings,
    ...(type.key && { keyColumn: `${String(column)}k` }),
  }
}

/** By table, the columns of all its fields, also of those in the trash, since a record moves between the twins with all its columns. */
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

function readAccess(row: Row): Access {
  const [id, groupId, tableId, version, readFilter, writeFilter, fields, assignable, ...may] = row
  return {
    id: Number(id),
    groupId: Number(groupId),
    tableId: Number(tableId),
    version: Number(version),
    rights: new Set(rightNames.filter((_, i) => may[i] === 1)),
    readFilter: String(readFilter),
    writeFilter: String(writeFilter),
    fields: readFieldRights(JSON.parse(String(fields) || 'null') as WrittenFieldRights | null),
    assignable: assignable === 1,
  }
}

/** An unknown type means that this program is older than the database. */
function knownType(name: string): FieldType {
  const type = fieldType(name)
  if (!type) throw new Error(`The database has a field of type '${name}', which this version does not know.`)
  return type
}
