import { fail } from '../errors.ts'
import type { FieldType } from '../fields/field-type.ts'
import { fieldType, fieldTypes, textFor } from '../fields/index.ts'
import { rightsOn, view, type Caller, type View } from '../store/model/access.ts'
import type { Table } from '../store/model/catalogue.ts'
import type { Uses } from '../store/ground/store.ts'
import { readWritten, writingInto, type KnownWriting, type Written } from '../fields/readers.ts'
import { guessWritten, type Guess } from './guess-type.ts'
import { optionsIn } from './list-options.ts'
import { namedBy, sameText, type Named, type NamingField } from './named-records.ts'
import { isWhole, type Plan } from './plan.ts'
import type { CsvFile, Line } from './read-csv.ts'
import { Unfit } from './unfit.ts'

/** What an import is asked to do with the columns. */
export interface ImportOptions {
  /** Header to attribute or field title; '' leaves the column out. */
  readonly map: ReadonlyMap<string, string>
  /** Header to field type, for fields that are made. */
  readonly types: ReadonlyMap<string, string>
  /** By header, the field whose values the column has. */
  readonly references: ReadonlyMap<string, NamingField>
  /** Headers of fields to make unique. */
  readonly unique: ReadonlySet<string>
  readonly nothing: string
  /** How dates and numbers are written, where that is said: in all columns, and in single ones by header. */
  readonly writing?: KnownWriting
  readonly writings?: ReadonlyMap<string, KnownWriting>
  /** Headers that become new fields of a table that is there. */
  readonly makes?: ReadonlySet<string>
  /** Header to the number of digits after the point, for fields that are made. */
  readonly scales?: ReadonlyMap<string, number>
}

/** What is planned for one column. */
export interface Intended {
  readonly header: string
  readonly index: number
  /** An existing attribute, a field to make, or nothing: the column is left out. */
  readonly becomes: { readonly attribute: string; readonly title: string } | Making | undefined
  readonly names?: Named
  /** It may name several records. */
  readonly several?: true
  /** How its values are written. `ambiguous`: as dates or numbers that can be read in two ways. */
  readonly written?: Written | 'ambiguous'
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

/**
 * What becomes of each column, as the caller sees the tables: what they do not see does not exist, and what they may not write is left out.
 * @throws Unfit where a column, table or field is named that does not exist, or what is asked for cannot be applied
 */
export function intend(
  store: Uses<'context' | 'catalogue'>,
  by: Caller,
  tableId: number | undefined,
  title: string,
  { header, nameless }: Pick<CsvFile, 'header' | 'nameless'>,
  sample: readonly Line[],
  options: ImportOptions,
): Intended[] {
  if (header.length === 0) throw new Unfit('The file has no header line.')
  mustBeColumns(header, options)
  const sight = tableId === undefined ? undefined : seen(store, by, tableId)
  if (sight) mustFitTable(options)
  else if (tableId === undefined) mustBeNew(store, title)
  else throw fail('table.not_found', { table: tableId })
  const whole = sample.filter((line) => isWhole(line, header.length))
  return header.map((name, index): Intended => {
    const asked = options.map.get(name)
    if (asked === '') return { header: name, index, becomes: undefined }
    const naming = options.references.get(name)
    const names = naming && namedBy({ store, by, ownId: tableId, ownTitle: title, header, options }, name, naming)
    const samples = whole.map(({ values }) => values[index]!).map((value) => (value === options.nothing ? '' : value))
    const known = options.writings?.get(name) ?? options.writing
    if (sight && options.makes?.has(name) !== true) {
      const becomes = existing(sight, name, asked)
      const type = becomes && 'attribute' in becomes ? sight.attributes.get(becomes.attribute)?.type : undefined
      return { header: name, index, becomes, ...(names ? referring(names, type) : type && writtenAs(writingInto(type, samples, known))) }
    }
    // A column without a name and without values comes of delimiters at the end of lines.
    if (nameless.has(index) && asked === undefined && samples.every((value) => value === ''))
      return { header: name, index, becomes: undefined }
    const isOpen = asked === undefined && !names && !options.types.has(name) && options.makes?.has(name) !== true
    const system = isOpen
      ? existing({ title, attributes: systemAttributes(samples), fields: [], isOpen: () => true }, name, undefined)
      : undefined
    if (system) return { header: name, index, becomes: system }
    const { written, ...becomes } = making(store, name, asked, samples, names !== undefined, options, known)
    return { header: name, index, becomes, ...(names && referring(names, fieldType(becomes.type))), ...writtenAs(written) }
  })
}

/** Columns that a refusal names, and characters of each. */
const [TOLD, LONGEST_TOLD] = [20, 100]

/**
 * Each line would make a record that holds nothing of it.
 * @throws Unfit where no column is imported, nor gives records their ids
 */
export function mustBringSomething(intended: readonly Intended[], { ids }: Pick<Plan, 'ids'>): void {
  if (ids || intended.some(({ becomes }) => becomes)) return
  const columns = intended.slice(0, TOLD).map(({ header }) => header.slice(0, LONGEST_TOLD).toWellFormed())
  if (intended.length > TOLD) columns.push('…')
  throw new Unfit(
    `No column of the file becomes a field, so each line would make an empty record. Its columns: ${columns.join(', ')}.`,
    {},
    'Say which field one is: --map column=field.',
  )
}

const referring = (names: Named, type: FieldType | undefined) => ({ names, ...(type?.kind === 'set' && { several: true as const }) })

function mustBeColumns(header: readonly string[], { map, types, references, unique }: ImportOptions): void {
  const columns = new Set(header)
  for (const name of [...map.keys(), ...types.keys(), ...references.keys(), ...unique]) {
    if (!columns.has(name)) throw new Unfit(`The file has no column '${name}'. Its columns: ${header.join(', ')}.`)
  }
}

/** In a table that is there, a type is asked for only where a field is made. */
function mustFitTable({ types, unique, makes }: ImportOptions): void {
  const both = 'is about fields that are made; the table is there already.'
  for (const name of types.keys()) if (!makes?.has(name)) throw new Unfit(`A type ${both}`, { header: name, of: 'type' }, FLAGS)
  for (const name of unique) if (!makes?.has(name)) throw new Unfit(`'unique' ${both}`, { header: name, of: 'unique' }, FLAGS)
}
const FLAGS = '--type and --unique go with --create.'

/** A table as the caller sees it. */
interface Sight extends Pick<Table, 'title' | 'fields'> {
  readonly attributes: Pick<View['attributes'], 'has' | 'get'>
  /** Whether an import of the caller may set the attribute. */
  isOpen(attribute: string): boolean
}

function seen(store: Uses<'catalogue'>, by: Caller, tableId: number): Sight | undefined {
  const catalogue = store.catalogue()
  const table = catalogue.tables.get(tableId)
  if (!table || rightsOn(tableId, by, catalogue).size === 0) return undefined
  const { attributes, readOnly } = view(table, by, catalogue)
  return {
    title: table.title,
    fields: table.fields.filter(({ name }) => attributes.has(name)),
    attributes,
    isOpen: (name) => !readOnly.has(name) && (by.administrator || !ORIGIN.has(name)),
  }
}

/** Who made a record, and when: only an administrator brings it with them (InsertOptions.keepsOrigin). */
const ORIGIN: ReadonlySet<string> = new Set(['user_id', 'add_time'])

/** The attribute a column goes to: by its wire name, or the title of its field. */
function existing(
  { title, attributes, fields, isOpen }: Pick<Sight, 'title' | 'fields' | 'isOpen'> & { attributes: Pick<Sight['attributes'], 'has'> },
  header: string,
  asked: string | undefined,
): Extract<Intended['becomes'], { attribute: string }> | undefined {
  const name = asked ?? header
  const field = fields.find((one) => one.name === name) ?? fields.find((one) => sameText(one.title, name))
  const found = field ? { attribute: field.name, title: field.title } : { attribute: name, title: name }
  const isThere = field !== undefined || (name !== 'id' && attributes.has(name))
  if (isThere && isOpen(found.attribute)) return found
  if (asked === undefined) return undefined
  throw new Unfit(isThere ? `You may not write '${asked}' of table '${title}'.` : `Table '${title}' has no field '${asked}'.`, {
    header,
    of: 'field',
  })
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
  known: KnownWriting | undefined,
): Making & { readonly written?: Intended['written'] } {
  const name = options.types.get(header) ?? (refers ? fieldTypes.find(holdsOneRecord)!.name : undefined)
  const made = { makes: asked ?? header, unique: options.unique.has(header) }
  if (name === undefined) return { ...made, guessed: true, ...guessWritten(header, samples, store.context, known) }
  const type = fieldType(name)
  const at = { header, of: 'type' } as const
  if (!type) throw new Unfit(`There is no field type '${name}'. Types: ${fieldTypes.map((one) => one.name).join(', ')}.`, at)
  if (refers && type.target !== 'record') throw new Unfit(`'${header}' cannot be a ${name} and name records too.`, at)
  if (!refers && holdsOneRecord(type))
    throw new Unfit(
      `Which records '${header}' names is not said: by which unique field of which table.`,
      { header, of: 'reference' },
      `Say it with --reference '${header}=Table.Field'.`,
    )
  if (type.settings.includes('options')) {
    const labels = optionsIn(type, samples)
    return { ...made, guessed: false, listType: name, ...(labels ? { type: name, options: labels } : { type: textFor(type).name }) }
  }
  const written = writingInto(type, samples, known)
  const read = typeof written === 'object' ? samples.map((value) => readWritten(written, value)) : samples
  const scale = options.scales?.get(header)
  return { ...made, guessed: false, type: name, ...type.settingsFor?.(read), ...(scale !== undefined && { scale }), ...writtenAs(written) }
}

const writtenAs = (written: Intended['written']) => (written === undefined ? {} : { written })

/** Whether a column can set such a field by a unique value of the record it refers to. */
const holdsOneRecord = ({ target, kind }: FieldType): boolean => target === 'record' && kind !== 'set'

function mustBeNew(store: Uses<'catalogue'>, title: string): void {
  const same = [...store.catalogue().tables.values()].find((one) => sameText(one.title, title))
  if (same)
    throw new Unfit(`There is a table '${same.title}' already (${same.id}).`, { of: 'table' }, 'Without --create the file is added to it.')
}
