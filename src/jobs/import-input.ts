import { fail, type Failure } from '../errors.ts'
import { limits } from '../limits.ts'
import type { ColumnMapping, Mapping } from '../transfer/mapping.ts'
import type { FileSaid } from '../transfer/open-file.ts'

/** What an import is to do. */
export interface ImportInput {
  /** 0: the import makes the table. */
  readonly tableId: number
  /** Of the table that it makes. */
  readonly title: string
  readonly fileName: string
  readonly said: FileSaid
  readonly mapping: Mapping
  /** Lines are only tried. */
  readonly isTrial: boolean
}

type Path = readonly (string | number)[]
type Sent = Readonly<Record<string, unknown>>

const refuse = (path: Path, why: string): Failure => fail('field.invalid_value', { why }, { attribute: 'input', path })

/** How a member is read; it is left out where it is not sent, or null. */
type Reader<T> = (value: unknown, path: Path) => T

const text =
  (most: number): Reader<string> =>
  (value, path) => {
    if (typeof value !== 'string' || value.length > most || value.includes('\0') || !value.isWellFormed())
      throw refuse(path, `This is a string of at most ${most} characters.`)
    return value
  }
const flag: Reader<boolean> = (value, path) => {
  if (typeof value !== 'boolean') throw refuse(path, 'This is true or false.')
  return value
}
const whole: Reader<number> = (value, path) => {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw refuse(path, 'This is a whole number.')
  return value as number
}
const decimal: Reader<'.' | ','> = (value, path) => {
  if (value !== '.' && value !== ',') throw refuse(path, "The decimal sign is '.' or ','.")
  return value
}

/** The members of an object that are known; another one is refused. */
function membersOf(value: unknown, path: Path, known: readonly string[]): Sent {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refuse(path, 'This is an object.')
  const other = Object.keys(value).find((name) => !known.includes(name))
  if (other !== undefined) throw refuse([...path, other], `There is no such member here. There are: ${known.join(', ')}.`)
  return value as Sent
}

function member<K extends string, T>(of: Sent, path: Path, name: string, as: K, read: Reader<T>): { readonly [P in K]?: T } {
  const value = of[name]
  return value === undefined || value === null ? {} : ({ [as]: read(value, [...path, name]) } as { [P in K]?: T })
}

const NAME = 255
/** Characters of the value that means none. */
const LONGEST_NOTHING = 100

const inputMembers = [
  'file_name',
  'table_name',
  'sheet',
  'delimiter',
  'encoding',
  'defused',
  'nothing',
  'keep_ids',
  'update_by',
  'columns',
] as const

/** @throws `field.invalid_value` */
export function readInput(sent: Sent, tableId: number): ImportInput {
  const from = membersOf(sent, [], inputMembers)
  const { title = '' } = member(from, [], 'table_name', 'title', text(NAME))
  if ((title === '') === (tableId === 0))
    throw refuse(['table_name'], 'An import goes into the table table_id, or makes a table with the name table_name: one of the two.')
  const { delimiter } = member(from, [], 'delimiter', 'delimiter', text(1))
  return {
    tableId,
    title,
    fileName: member(from, [], 'file_name', 'name', text(NAME)).name ?? '',
    said: {
      ...member(from, [], 'sheet', 'sheet', text(NAME)),
      ...(delimiter !== undefined && delimiter !== '' && { delimiter }),
      ...member(from, [], 'encoding', 'encoding', text(50)),
      ...member(from, [], 'defused', 'defused', flag),
    },
    mapping: {
      columns: member(from, [], 'columns', 'columns', columns).columns ?? [],
      nothing: member(from, [], 'nothing', 'nothing', text(LONGEST_NOTHING)).nothing ?? 'NULL',
      ...member(from, [], 'keep_ids', 'keepIds', flag),
      ...member(from, [], 'update_by', 'updateBy', text(NAME)),
    },
    isTrial: false,
  }
}

const columns: Reader<Mapping['columns']> = (value, path) => {
  if (!Array.isArray(value) || value.length > limits.importColumns.most)
    throw refuse(path, `This is an array of at most ${limits.importColumns.most} columns, by their places in the file.`)
  return value.map((one: unknown, i) => (one === null ? null : column(one, [...path, i])))
}

const column: Reader<ColumnMapping> = (value, path) => {
  const from = membersOf(value, path, ['field', 'create', 'skip', 'reference', 'date_format', 'decimal'])
  return {
    ...member(from, path, 'field', 'field', text(NAME)),
    ...member(from, path, 'create', 'create', creation),
    ...member(from, path, 'skip', 'skip', flag),
    ...member(from, path, 'reference', 'reference', reference),
    ...member(from, path, 'date_format', 'dateFormat', text(20)),
    ...member(from, path, 'decimal', 'decimal', decimal),
  }
}

const creation: Reader<NonNullable<ColumnMapping['create']>> = (value, path) => {
  const from = membersOf(value, path, ['name', 'type', 'unique', 'scale'])
  return {
    ...member(from, path, 'name', 'name', text(NAME)),
    ...member(from, path, 'type', 'type', text(50)),
    ...member(from, path, 'unique', 'unique', flag),
    ...member(from, path, 'scale', 'scale', whole),
  }
}

const reference: Reader<NonNullable<ColumnMapping['reference']>> = (value, path) => {
  const from = membersOf(value, path, ['table_id', 'field'])
  const { field } = member(from, path, 'field', 'field', text(NAME))
  if (field === undefined) throw refuse([...path, 'field'], 'A reference names the field whose values the column has, or id.')
  return { ...member(from, path, 'table_id', 'tableId', whole), field }
}

/** The members of the mapping, as requests name them. */
const NAMES: { readonly [K in keyof Required<Mapping>]: string } = {
  columns: 'columns',
  nothing: 'nothing',
  keepIds: 'keep_ids',
  updateBy: 'update_by',
}

/** What was asked for before, with the members that are sent now. @throws `field.invalid_value` */
export function changedInput(before: ImportInput, sent: Sent): ImportInput {
  const title = before.title === '' ? {} : { table_name: before.title }
  const now = readInput({ ...title, file_name: before.fileName, ...sent }, before.tableId)
  const said = Object.fromEntries(Object.entries(before.said).filter(([name]) => !Object.hasOwn(sent, name)))
  const kept = Object.entries(before.mapping).filter(([member]) => !Object.hasOwn(sent, NAMES[member as keyof Mapping]))
  return { ...now, said: { ...said, ...now.said }, mapping: { ...now.mapping, ...Object.fromEntries(kept) } }
}

/** Whether the import makes tables or fields. */
export const makesStructure = ({ tableId, mapping }: ImportInput): boolean =>
  tableId === 0 || mapping.columns.some((one) => one?.create !== undefined)
