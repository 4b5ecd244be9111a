import type { Attribute } from '../fields/field-type.ts'
import type { Expression } from '../filter/ast.ts'
import type { SortKey } from '../filter/sort.ts'
import { grant, type Granted } from '../store/model/access.ts'
import type { Field, Table } from '../store/model/catalogue.ts'
import type { RecordRow } from '../store/model/record.ts'
import { readKeys } from '../store/records/read-keys.ts'
import { walkRecords } from '../store/records/walk-records.ts'
import type { Uses } from '../store/ground/store.ts'
import { defused } from './formulas.ts'
import type { SheetColumn } from './write-xlsx.ts'

/** The media types of the formats. */
export const exportMedia = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/jsonl',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const

/** So that spreadsheets know the encoding; `import` leaves it out. */
export const BYTE_ORDER_MARK = '\ufeff'

export interface Exporting {
  readonly format: 'csv' | 'jsonl' | 'xlsx'
  readonly filter: Expression | undefined
  /** Empty: by id. */
  readonly sort: readonly SortKey[]
  /** The attributes besides `id`, in the order of the columns; undefined: all that the caller sees. */
  readonly chosen: ReadonlySet<string> | undefined
  /** Cells of CSV that a spreadsheet would run as formulas get an apostrophe (formulas.ts). */
  readonly isDefused: boolean
  /** By attribute that refers to one record, the unique field whose value stands for it in the file, instead of its id. */
  readonly keys?: ReadonlyMap<string, Field>
  /** Called with the number of references that are left empty, since their record is gone or has no key. */
  readonly keyless?: (references: number) => void
  /** Called after each batch, with the number of records so far. What it throws ends the export. */
  progress(records: number): Promise<void> | void
}

/**
 * The records that match, in their order, as a file in parts: texts, or bytes of a workbook. The first part comes with the first records, so an invalid
 * filter is refused before it. @throws TooLong (spreadsheet-values.ts)
 */
export async function* exportRecords(
  store: Uses<'db' | 'context' | 'catalogue' | 'pages'>,
  granted: Granted<'read' | 'print'>,
  { format, filter, sort, chosen, isDefused, progress, keys = new Map(), keyless = () => undefined }: Exporting,
): AsyncGenerator<string | Uint8Array> {
  const wanted = new Set(['id', ...(chosen ?? granted.attributes.keys())])
  const attributes = [...wanted].flatMap((name) => {
    const attribute = keys.get(name) ?? granted.attributes.get(name)
    return attribute ? [[name, attribute] as const] : []
  })
  const names = attributes.map(([name]) => name)
  let done = 0
  const counted = async function* (): AsyncGenerator<readonly RecordRow[]> {
    for await (const records of walkRecords(store, granted, filter, sort)) {
      yield keys.size === 0 ? records : await withKeys(store, granted, records, keys, keyless)
      await progress((done += records.length))
    }
  }
  const valuesOf = ({ id, attributes: values }: RecordRow) => names.map((name) => (name === 'id' ? String(id) : (values[name] ?? '')))
  if (format === 'xlsx') yield* workbook(headerOf(granted.table, names), attributes, rowsOf(await begun(counted()), valuesOf))
  else if (format === 'csv') yield* csv(headerOf(granted.table, names), await begun(counted()), valuesOf, isDefused)
  else
    for await (const records of counted())
      yield `${records.map((one) => JSON.stringify(Object.fromEntries(valuesOf(one).map((value, i) => [names[i], value])))).join('\n')}\n`
}

/** The records with keys in place of ids. */
async function withKeys(
  store: Uses<'db' | 'context' | 'catalogue'>,
  { caller }: Granted<'read'>,
  records: readonly RecordRow[],
  keys: ReadonlyMap<string, Field>,
  keyless: (references: number) => void,
): Promise<readonly RecordRow[]> {
  const named = new Map<string, ReadonlyMap<number, string>>()
  for (const [attribute, field] of keys) {
    const ids = new Set(records.map(({ attributes }) => Number(attributes[attribute] ?? 0)).filter((id) => id > 0))
    named.set(attribute, await readKeys(store, grant('read', field.tableId, caller, store.catalogue()), field, [...ids]))
  }
  return records.map((record) => {
    const attributes = { ...record.attributes }
    for (const [attribute, found] of named) {
      const id = Number(attributes[attribute] ?? 0)
      attributes[attribute] = found.get(id) ?? ''
      if (id > 0 && !found.has(id)) keyless(1)
    }
    return { ...record, attributes }
  })
}

/** The same batches; the first one has been read. */
async function begun<T>(batches: AsyncGenerator<T>): Promise<AsyncGenerator<T>> {
  const first = await batches.next()
  return (async function* () {
    if (first.done) return
    yield first.value
    yield* batches
  })()
}

async function* rowsOf<T>(batches: AsyncIterable<readonly T[]>, valuesOf: (one: T) => string[]): AsyncGenerator<readonly string[][]> {
  for await (const batch of batches) yield batch.map(valuesOf)
}

async function* csv(
  header: readonly string[],
  batches: AsyncIterable<readonly RecordRow[]>,
  valuesOf: (one: RecordRow) => string[],
  isDefused: boolean,
): AsyncGenerator<string> {
  const { default: Papa } = await import('papaparse')
  const cells = (values: readonly string[]) => (isDefused ? values.map(defused) : [...values])
  yield `${Papa.unparse([cells(header)])}\n`
  for await (const rows of rowsOf(batches, valuesOf)) yield `${Papa.unparse(rows.map(cells), { newline: '\n' })}\n`
}

/** Numbers, dates and yes or no as such, everything else as text, which no program runs as a formula. */
async function* workbook(
  header: readonly string[],
  attributes: readonly (readonly [name: string, attribute: Attribute])[],
  rows: AsyncGenerator<readonly string[][]>,
): AsyncGenerator<Uint8Array> {
  const { writeXlsx } = await import('./write-xlsx.ts')
  const columns = attributes.map(([, attribute], i) => columnOf(header[i]!, attribute))
  for await (const piece of writeXlsx(columns, rows)) yield piece as Uint8Array
}

/** How the cells of an attribute show its values. */
function columnOf(header: string, { type, settings }: Attribute): SheetColumn {
  if (type.widget === 'switch') return { header, holds: 'boolean' }
  if (type.kind === 'time') return { header, holds: 'time' }
  const scale = type.scale?.(settings)
  return type.kind === 'number' ? { header, holds: 'number', ...(scale !== undefined && { scale }) } : { header, holds: 'text' }
}

/** The headers of the columns: titles of fields, which an import recognizes; if several attributes have the same title, their names. */
function headerOf({ fields }: Pick<Table, 'fields'>, names: readonly string[]): string[] {
  const titles = new Map<string, string>(fields.map(({ name, title }) => [name, title.trim()]))
  const shown = names.flatMap((name) => titles.get(name) ?? [])
  const times = (title: string) => [...shown, ...names].filter((one) => one.toLowerCase() === title.toLowerCase()).length
  return names.map((name) => {
    const title = titles.get(name)
    return title !== undefined && times(title) === 1 ? title : name
  })
}
