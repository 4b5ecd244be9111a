import type { FieldType } from '../../../fields/field-type.ts'
import { fieldType, fieldTypes, textFor } from '../../../fields/index.ts'
import type { Administrator } from '../../../store/catalogue/administrator.ts'
import type { Field, Table } from '../../../store/model/catalogue.ts'
import { createField } from '../../../store/structure/fields.ts'
import type { Uses } from '../../../store/ground/store.ts'
import { createTable, deleteTable } from '../../../store/structure/tables.ts'
import { guessType, type Guess } from './guess-type.ts'
import { optionsIn } from './list-options.ts'
import { isWhole, type Column, type Plan } from './plan.ts'
import type { Line } from './read-csv.ts'

/** What of the store is used here. */
type Used = Uses<'db' | 'environment' | 'settings' | 'context' | 'catalogue' | 'restructure'>

/** The options of an import, as they were typed. */
export interface ImportOptions {
  /** Header to attribute or field title; '' leaves the column out. */
  readonly map: ReadonlyMap<string, string>
  /** Header to field type, for fields that are made. */
  readonly types: ReadonlyMap<string, string>
  /** Header to `Table.Field`. */
  readonly references: ReadonlyMap<string, string>
  /** Headers of fields to make unique. */
  readonly unique: ReadonlySet<string>
  readonly nothing: string
}

/** What is planned for one column. */
export interface Intended {
  readonly header: string
  readonly index: number
  /** An existing attribute, a field to make, or nothing: the column is left out. */
  readonly becomes: { readonly attribute: string; readonly title: string } | Making | undefined
  readonly names?: Named
}

export interface Making extends Guess {
  readonly makes: string
  readonly unique: boolean
  /** Whether the type was guessed from the first lines. */
  readonly guessed: boolean
  /** The list type of the field; if the first lines have no values for options, the type that it gets at the end of the import. */
  readonly listType?: string
  readonly options?: readonly string[]
}

/** How a column refers to records: by a unique field, or by their id. The table may be the one that is about to be made. */
export type Named =
  | { readonly tableId: number | 'itself'; readonly by: 'id' }
  | { readonly tableId: number; readonly by: Field }
  | { readonly tableId: 'itself'; readonly by: string }

/** An option that cannot be applied. The message is a sentence for the user who typed it. */
export class Unfit extends Error {}

/** @throws Unfit where a flag names a column, table or field that does not exist, or cannot be applied */
export function intend(
  store: Uses<'context' | 'catalogue'>,
  tableId: number | undefined,
  title: string,
  header: readonly string[],
  sample: readonly Line[],
  options: ImportOptions,
): Intended[] {
  mustBeHeaders(header, options)
  const table = tableId === undefined ? undefined : store.catalogue().tables.get(tableId)
  if (!table) mustBeNew(store, title)
  else if (options.types.size + options.unique.size > 0)
    throw new Unfit('--type and --unique are about fields that are made; the table is there already.')
  const whole = sample.filter((line) => isWhole(line, header.length))
  return header.map((name, index): Intended => {
    const asked = options.map.get(name)
    if (asked === '') return { header: name, index, becomes: undefined }
    const text = options.references.get(name)
    const names = text === undefined ? undefined : namedBy(store, tableId, title, text, header, options)
    if (table) return { header: name, index, becomes: existing(table, name, asked), ...(names && { names }) }
    const samples = whole.map(({ values }) => values[index]!).map((value) => (value === options.nothing ? '' : value))
    const system =
      asked === undefined && !names && !options.types.has(name)
        ? existing({ title, attributes: systemAttributes(samples), fields: [] }, name, undefined)
        : undefined
    return {
      header: name,
      index,
      becomes: system ?? making(store, name, asked, samples, names !== undefined, options),
      ...(names && { names }),
    }
  })
}

/** The attribute a column goes to: by its wire name, or the title of its field. */
function existing(
  { title, attributes, fields }: Pick<Table, 'title' | 'fields'> & { readonly attributes: Pick<ReadonlySet<string>, 'has'> },
  header: string,
  asked: string | undefined,
): Intended['becomes'] {
  const name = asked ?? header
  const field = fields.find((one) => one.name === name) ?? fields.find((one) => sameText(one.title, name))
  if (field) return { attribute: field.name, title: field.title }
  if (name !== 'id' && attributes.has(name)) return { attribute: name, title: name }
  if (asked === undefined) return undefined
  throw new Unfit(`Table '${title}' has no field '${asked}'.`)
}

/** Columns with the name of a system attribute set it, if all their values are valid for it: a column `status` may mean something else. */
function systemAttributes(samples: readonly string[]): ReadonlySet<string> {
  const all = (value: RegExp) => samples.every((one) => value.test(one))
  const names = [all(/^\d{0,15}$/) && 'user_id', all(/^$|^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/) && 'add_time', all(/^[01]?$/) && 'status']
  return new Set(names.filter((name) => name !== false))
}

function making(
  store: Uses<'context'>,
  header: string,
  asked: string | undefined,
  samples: readonly string[],
  refers: boolean,
  options: ImportOptions,
): Making {
  const name = options.types.get(header) ?? (refers ? fieldTypes.find(holdsOneRecord)!.name : undefined)
  const made = { makes: asked ?? header, unique: options.unique.has(header) }
  if (name === undefined) return { ...made, guessed: true, ...guessType(header, samples, store.context) }
  const type = fieldType(name)
  if (!type) throw new Unfit(`There is no field type '${name}'. Types: ${fieldTypes.map((one) => one.name).join(', ')}.`)
  if (refers && !holdsOneRecord(type)) throw new Unfit(`'${header}' cannot be a ${name} and name records too.`)
  if (!refers && holdsOneRecord(type)) throw new Unfit(`Which records '${header}' names is said with --reference '${header}=Table.Field'.`)
  if (type.settings.includes('options')) {
    const labels = optionsIn(type, samples)
    return { ...made, guessed: false, listType: name, ...(labels ? { type: name, options: labels } : { type: textFor(type).name }) }
  }
  return { ...made, guessed: false, type: name, ...type.settingsFor?.(samples) }
}

/** Whether a column can set such a field by a unique value of the record it refers to. */
const holdsOneRecord = ({ target, kind }: FieldType): boolean => target === 'record' && kind !== 'set'

function mustBeNew(store: Uses<'catalogue'>, title: string): void {
  const same = [...store.catalogue().tables.values()].find((one) => sameText(one.title, title))
  if (same) throw new Unfit(`There is a table '${same.title}' already (${same.id}). Without --create the file is added to it.`)
}

function mustBeHeaders(header: readonly string[], { map, types, references, unique }: ImportOptions): void {
  if (header.length === 0) throw new Unfit('The file has no header line.')
  const nameless = header.indexOf('')
  if (nameless !== -1) throw new Unfit(`Column ${nameless + 1} has no name in the header.`)
  const known = new Set<string>()
  const twice = header.find((name) => known.size === known.add(name).size)
  if (twice !== undefined) throw new Unfit(`The column '${twice}' stands twice in the header.`)
  for (const name of [...map.keys(), ...types.keys(), ...references.keys(), ...unique]) {
    if (!known.has(name)) throw new Unfit(`The file has no column '${name}'. Its columns: ${header.join(', ')}.`)
  }
}

/** Reads `Table.Field` or `Table.id`. */
function namedBy(
  store: Uses<'catalogue'>,
  ownId: number | undefined,
  ownTitle: string,
  text: string,
  header: readonly string[],
  { map, unique }: ImportOptions,
): Named {
  const dot = text.lastIndexOf('.')
  const [tableName, fieldName] = [text.slice(0, dot), text.slice(dot + 1)]
  if (dot < 1) throw new Unfit(`'${text}' should name a table and its unique field, such as Customers.Code.`)
  const table = [...store.catalogue().tables.values()].find((one) => String(one.id) === tableName || sameText(one.title, tableName))
  if (!table && ownId === undefined && sameText(ownTitle, tableName)) {
    if (fieldName === 'id') return { tableId: 'itself', by: 'id' }
    const column = header.find((name) => sameText(map.get(name) ?? name, fieldName))
    if (column === undefined) throw new Unfit(`The file has no column '${fieldName}'. Its columns: ${header.join(', ')}.`)
    if (!unique.has(column)) throw new Unfit(`The column '${column}' must be made unique (--unique '${column}') to name records.`)
    return { tableId: 'itself', by: fieldName }
  }
  if (table && fieldName === 'id') return { tableId: table.id, by: 'id' }
  const field = table?.fields.find((one) => one.name === fieldName) ?? table?.fields.find((one) => sameText(one.title, fieldName))
  if (!table || !field) throw new Unfit(`There is no table and field '${text}'.`)
  if (!field.settings.unique)
    throw new Unfit(`The field '${field.title}' of table '${table.title}' is not unique, so it cannot name records.`)
  return { tableId: table.id, by: field }
}

/** Makes the table and fields that do not exist yet. Returns the attribute of each column. */
export async function carryOut(
  store: Used,
  by: Administrator,
  tableId: number | undefined,
  title: string,
  intended: readonly Intended[],
  nothing: string,
): Promise<Plan> {
  const id = tableId ?? (await createTable(store, by, { title }))
  try {
    const attributes = new Map<Intended, string>()
    for (const one of intended) {
      if (one.becomes)
        attributes.set(
          one,
          'attribute' in one.becomes ? one.becomes.attribute : `f${await makeField(store, by, id, one.becomes, one.names)}`,
        )
    }
    const { fields } = store.catalogue().tables.get(id)!
    const columns = [...attributes].map(([one, attribute]) => columnOf(one, attribute, fields))
    return { tableId: id, columns, width: intended.length, nothing }
  } catch (error) {
    // A name or a setting was refused: the table, which lacks fields, is removed again.
    if (tableId === undefined) await deleteTable(store, by, id)
    throw error
  }
}

function makeField(
  store: Used,
  by: Administrator,
  tableId: number,
  { makes, type, unique, scale, options }: Making,
  names: Named | undefined,
): Promise<number> {
  const referenceTableId = names?.tableId === 'itself' ? tableId : names?.tableId
  return createField(store, by, {
    tableId,
    title: makes,
    typeName: type,
    unique,
    ...(scale !== undefined && { scale }),
    ...(options && { options: options.map((label) => ({ label })) }),
    ...(referenceTableId !== undefined && { referenceTableId }),
  })
}

function columnOf({ header, index, names, becomes }: Intended, attribute: string, fields: readonly Field[]): Column {
  const by = names?.by
  const reference =
    typeof by === 'object' ? by : by === undefined || by === 'id' ? undefined : fields.find((field) => sameText(field.title, by))
  const guess = becomes && 'makes' in becomes && becomes.guessed ? becomes.type : undefined
  const listType = becomes && 'makes' in becomes ? becomes.listType : undefined
  return {
    header,
    index,
    attribute,
    ...(reference && { reference }),
    ...(guess !== undefined && { guess }),
    ...(listType !== undefined && { listType }),
  }
}

const sameText = (one: string, other: string): boolean => one.trim().toLowerCase() === other.trim().toLowerCase()
