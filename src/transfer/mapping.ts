import { dateOrder, type KnownWriting } from '../fields/readers.ts'
import type { ImportOptions } from './intend.ts'
import { noFields, type LinesAre } from './kept-ids.ts'
import type { CsvFile } from './read-csv.ts'
import type { NamingField } from './named-records.ts'
import { Unfit } from './unfit.ts'

/* What a request asks an import to do, column by column; the command line asks by flags. Both become `ImportOptions`. */

/** What becomes of one column; nothing of it: what is guessed. */
export interface ColumnMapping {
  /** An attribute, or the name of a field, of the table that is there. */
  readonly field?: string
  readonly create?: { readonly name?: string; readonly type?: string; readonly unique?: boolean; readonly scale?: number }
  readonly skip?: boolean
  /** Its values refer to records by this unique field, or by `id`; without a table: of the table that is made. */
  readonly reference?: { readonly tableId?: number; readonly field: string }
  /** Such as DD.MM.YYYY. */
  readonly dateFormat?: string
  readonly decimal?: '.' | ','
}

export interface Mapping extends LinesAre {
  /** By their places in the file; those that it does not reach, and null, are guessed. */
  readonly columns: readonly (ColumnMapping | null)[]
  readonly nothing: string
}

/** `title`: of the table that is made; undefined: the table is there. @throws Unfit */
export function optionsOf(
  { columns, nothing, ...lines }: Mapping,
  { header, json }: Pick<CsvFile, 'header' | 'json'>,
  title: string | undefined,
): ImportOptions {
  if (columns.length > header.length) throw new Unfit(`The file has ${header.length} columns, not ${columns.length}.`)
  const options = {
    map: new Map<string, string>(),
    types: new Map<string, string>(),
    references: new Map<string, NamingField>(),
    unique: new Set<string>(),
    writings: new Map<string, KnownWriting>(),
    makes: new Set<string>(),
    scales: new Map<string, number>(),
    nothing: json === true ? '' : nothing,
  }
  for (const [i, column] of columns.entries()) {
    const name = header[i]!
    if (column) add(options, name, column, title)
  }
  for (const name of noFields(lines, header)) if (!options.map.has(name) && !options.makes.has(name)) options.map.set(name, '')
  return options
}

type Growing = { readonly [K in keyof Omit<ImportOptions, 'writing' | 'nothing'>]-?: NonNullable<ImportOptions[K]> } & {
  readonly map: Map<string, string>
  readonly types: Map<string, string>
  readonly references: Map<string, NamingField>
  readonly unique: Set<string>
  readonly writings: Map<string, KnownWriting>
  readonly makes: Set<string>
  readonly scales: Map<string, number>
}

function add(options: Growing, header: string, column: ColumnMapping, title: string | undefined): void {
  const { field, create, skip, reference, dateFormat, decimal } = column
  const wishes = [field !== undefined, create !== undefined, skip === true].filter(Boolean).length
  if (wishes > 1) throw new Unfit('A column goes to a field, becomes a new one, or is left out: one of the three.', { header })
  if (skip === true) return void options.map.set(header, '')
  if (field !== undefined) {
    if (title !== undefined) throw new Unfit('The table is made by the import, and has no fields yet.', { header, of: 'field' })
    options.map.set(header, field)
  }
  if (create) {
    if (title === undefined) options.makes.add(header)
    if (create.name !== undefined) options.map.set(header, create.name)
    if (create.type !== undefined) options.types.set(header, create.type)
    if (create.unique === true) options.unique.add(header)
    if (create.scale !== undefined) options.scales.set(header, create.scale)
  }
  if (reference) options.references.set(header, { table: String(reference.tableId ?? title ?? ''), field: reference.field })
  const writing = writingOf(header, dateFormat, decimal)
  if (writing) options.writings.set(header, writing)
}

function writingOf(header: string, dateFormat: string | undefined, decimal: ColumnMapping['decimal']): KnownWriting | undefined {
  if (dateFormat === undefined && decimal === undefined) return undefined
  const dates = dateFormat === undefined ? undefined : dateOrder(dateFormat)
  if (dateFormat !== undefined && !dates)
    throw new Unfit(`Dates are written in a pattern such as DD.MM.YYYY, MM/DD/YYYY or YYYY/MM/DD, not '${dateFormat}'.`, {
      header,
      of: 'date_format',
    })
  return { dates, decimal }
}
