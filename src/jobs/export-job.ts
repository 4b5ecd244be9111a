import { fail, Failure } from '../errors.ts'
import { parse } from '../filter/parse.ts'
import { parseSort, type SortKey } from '../filter/sort.ts'
import { limits } from '../limits.ts'
import { grant, showing, type Caller, type Granted } from '../store/model/access.ts'
import type { Catalogue } from '../store/model/catalogue.ts'
import { exportMedia, exportRecords, BYTE_ORDER_MARK } from '../transfer/export-records.ts'
import { countMatching } from './count-matching.ts'
import type { JobKind, Running } from './job-kind.ts'

/*
 * The records of a table that match a filter, as a stored file. It changes nothing: after the end of its process it begins anew. Whoever reads
 * the file must still see what is in it.
 */

export interface ExportInput {
  readonly tableId: number
  readonly format: keyof typeof exportMedia
  /** '': all. */
  readonly filter: string
  /** '' or, in a job of an older version, undefined: by id. */
  readonly sort?: string
  /** The attributes besides the id; null: all that the caller sees. */
  readonly fields: readonly string[] | null
  readonly isForSpreadsheet: boolean
}

interface Position {
  readonly records: number
  /** Of the stored bytes; '' until they are. */
  readonly hash: string
  readonly size: number
  readonly name: string
  /** What the file was made with: columns by attribute, also those that only its order tells of, and the read filter. */
  readonly columns: Readonly<Record<string, string>>
  readonly readFilter: string
}

export const exportJob: JobKind<ExportInput, Position> = {
  name: 'export',
  goesOn: true,
  read: readInput,
  tableOf: ({ tableId }) => tableId,
  allow: grantFor,
  run,
  resultOf: (position) => {
    const { records = 0, hash = '', name = '', size = 0 } = position ?? {}
    return { records, file: hash === '' ? null : { name, size } }
  },
  fileOf: (input, { hash, name, size }) => (hash === '' ? undefined : { hash, name, size, mimeType: exportMedia[input.format] }),
  mayRead(caller, catalogue, input, { columns, readFilter }) {
    const seen = grant(['read', 'print'], input.tableId, caller, catalogue)
    const same = Object.entries(columns).every(([name, column]) => seen.allAttributes.get(name)?.column === column)
    if (!same || (seen.readFilter !== '' && seen.readFilter !== readFilter))
      throw fail('access.denied', { what: 'export what you do not see any more' })
  },
}

function grantFor(caller: Caller, catalogue: Catalogue, { tableId, fields, sort }: ExportInput): Granted<'read' | 'print'> {
  const granted = grant(['read', 'print'], tableId, caller, catalogue)
  const unknown = fields?.find((name) => !granted.allAttributes.has(name))
  if (unknown !== undefined) throw fail('attribute.unknown', { name: unknown.slice(0, 100) }, { attribute: 'input', path: ['fields'] })
  sortOf(granted, sort)
  return showing(granted, fields === null ? undefined : new Set(fields))
}

/** @throws `sort.…` */
function sortOf({ allAttributes }: Granted<'read'>, sort = ''): readonly SortKey[] {
  try {
    return parseSort(sort, allAttributes)
  } catch (error) {
    throw error instanceof Failure ? error.at({ attribute: 'input', path: ['sort'] }) : error
  }
}

/** @throws `field.invalid_value` */
function readInput(sent: Readonly<Record<string, unknown>>, tableId: number): ExportInput {
  const { file_format: format = 'csv', filter = '', sort = '', fields = null, for_spreadsheet: isForSpreadsheet = true, ...others } = sent
  const refuse = (path: string, why: string): Failure => fail('field.invalid_value', { why }, { attribute: 'input', path: [path] })
  const [other] = Object.keys(others)
  if (other !== undefined) throw refuse(other, 'The input of an export has file_format, filter, sort, fields and for_spreadsheet.')
  if (typeof format !== 'string' || !Object.hasOwn(exportMedia, format)) throw refuse('file_format', 'A format is csv, jsonl or xlsx.')
  if (typeof filter !== 'string') throw refuse('filter', 'A filter is a text.')
  if (typeof sort !== 'string') throw refuse('sort', 'An order is a text.')
  const isList = Array.isArray(fields) && fields.length <= limits.attributes.most && fields.every((name) => typeof name === 'string')
  if (fields !== null && !isList) throw refuse('fields', 'Fields are an array of names of attributes, or null.')
  if (typeof isForSpreadsheet !== 'boolean') throw refuse('for_spreadsheet', 'for_spreadsheet is true or false.')
  return { tableId, format: format as ExportInput['format'], filter, sort, fields: fields as readonly string[] | null, isForSpreadsheet }
}

/** Milliseconds between two notes of how far it is. */
const NOTED = 500

async function run(running: Running<Position>, input: ExportInput): Promise<Position> {
  const { store } = running
  const { format, fields, isForSpreadsheet } = input
  const caller = await running.goOn()
  const granted = grantFor(caller, store.catalogue(), input)
  const filter = input.filter === '' ? undefined : parse(input.filter, limits.postedFilter.most)
  const sort = sortOf(granted, input.sort)
  const chosen = fields === null ? undefined : new Set(fields)
  const total = await countMatching(store, granted, filter)
  const columns = [...granted.attributes].filter(([name]) => name === 'id' || !chosen || chosen.has(name))
  const made: Position = {
    records: 0,
    hash: '',
    size: 0,
    name: `${granted.table.title}.${format}`,
    columns: Object.fromEntries(
      [...columns.map(([, one]) => one), ...sort.map((key) => key.attribute)].map((one) => [one.name, one.column]),
    ),
    readFilter: granted.readFilter,
  }
  let records = 0
  let noted = store.environment.now()
  const progress = async (done: number): Promise<void> => {
    records = done
    const now = await running.goOn()
    if (store.catalogue() !== granted.catalogue) exportJob.mayRead!(now, store.catalogue(), input, made)
    if (store.environment.now() - noted < NOTED) return
    noted = store.environment.now()
    await running.advance(undefined, { done, total: total === null ? null : Math.max(total, done), position: { ...made, records: done } })
  }
  const isDefused = format === 'csv' && isForSpreadsheet
  const parts = exportRecords(store, granted, { format, filter, sort, chosen, isDefused, progress })
  const stored = await store.files.receive(bytesOf(parts, isDefused ? BYTE_ORDER_MARK : ''))
  const position = { ...made, ...stored, records }
  await running.advance(undefined, { done: records, total: records, position })
  return position
}

async function* bytesOf(parts: AsyncIterable<string | Uint8Array>, before: string): AsyncGenerator<Uint8Array> {
  if (before !== '') yield Buffer.from(before)
  for await (const part of parts) yield typeof part === 'string' ? Buffer.from(part) : part
}
