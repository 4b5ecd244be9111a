import type { Column, Wishes } from '../api/imports.ts'

/* What becomes of the columns of a file, as the page asks for it. */

/** Types that a column of a file can get, with their icons. A reference is chosen by the table that it goes to. */
export const columnTypes = {
  text: ['typeText', 'text'],
  longtext: ['typeLongtext', 'text'],
  integer: ['typeInteger', 'number'],
  decimal: ['typeDecimal', 'number'],
  boolean: ['typeBoolean', 'tick'],
  date: ['typeDate', 'calendar'],
  datetime: ['typeDatetime', 'calendar'],
  list: ['typeList', 'list'],
  multilist: ['typeMultilist', 'list'],
  email: ['typeEmail', 'mail'],
  phone: ['typePhone', 'phone'],
  url: ['typeUrl', 'link'],
  user: ['typeUser', 'user'],
  users: ['typeUsers', 'users'],
} as const

export type ColumnType = keyof typeof columnTypes

export const isColumnType = (type: string): type is ColumnType => Object.hasOwn(columnTypes, type)

type Wish = NonNullable<NonNullable<Wishes['columns']>[number]>

/** The same wish that led to a column; null: what the service guesses. `makes`: the import makes the table. */
export function wishOf({ skip, field, create, guessed, reference, date_format, decimal }: Column, makes: boolean): Wish | null {
  if (skip === true) return { skip: true }
  // A table that is made has no fields yet: such a column is one of the service's own, by its name.
  if (field !== undefined && makes) return null
  const written = { ...(date_format !== undefined && { date_format }), ...(decimal !== undefined && { decimal }) }
  if (field !== undefined) return reference ? { field, reference } : { field, ...written }
  if (!create) return null
  if (reference) return { create: { name: create.name, unique: create.unique, ...typeOfLinks(create.type === SEVERAL) }, reference }
  // What the service guesses it guesses again; only the name is kept.
  if (guessed === true) return { create: { name: create.name, unique: create.unique }, ...written }
  const { name, type, unique, scale } = create
  return { create: { name, type, unique, ...(scale !== undefined && { scale }) }, ...written }
}

/** The type of a field whose values name several records. A link to one is what the service makes by itself. */
export const SEVERAL = 'references'

export const typeOfLinks = (isSeveral: boolean): { readonly type?: string } => (isSeveral ? { type: SEVERAL } : {})

/** Types of values by which people and programs name records. */
const NAMING: ReadonlySet<string> = new Set(['text', 'integer', 'email', 'phone'])
/** Columns that are offered. */
const MOST_KEYS = 20

/**
 * The columns by which another one may name records of the same table, such as the manager of an employee by their name: those whose values are
 * to be unique first.
 */
export function keysWithin(columns: readonly Column[], of: number): readonly { readonly at: number; readonly name: string }[] {
  return columns
    .flatMap(({ create, reference }, at) =>
      at === of || !create || reference || !NAMING.has(create.type) ? [] : [{ at, name: create.name, create }],
    )
    .toSorted((one, other) => Number(other.create.unique) - Number(one.create.unique))
    .slice(0, MOST_KEYS)
    .map(({ at, name }) => ({ at, name }))
}

/** The columns that name records of the same table by one column, as they are when it has another name. */
export const namingBy = (columns: readonly Column[], name: string, next: string, makes: boolean) =>
  columns.flatMap((column, at) => {
    if (!column.reference || column.reference.table_id !== undefined || column.reference.field !== name) return []
    const reference = { field: next }
    return [{ at, wish: { ...wishOf(column, makes), reference }, shown: { ...column, reference } }]
  })

/** The wishes for all columns, one of which is another now. */
export const wishesWith = (columns: readonly Column[], at: number, wish: Wish | null, makes: boolean): (Wish | null)[] =>
  columns.map((column, i) => (i === at ? wish : wishOf(column, makes)))

/** How dates are written; the service takes further patterns. */
export const dateFormats = ['DD.MM.YYYY', 'MM/DD/YYYY', 'YYYY/MM/DD', 'DD.MM.YY', 'MM/DD/YY', 'YY/MM/DD'] as const

/** A pattern of dates with the letters that people of a language use for days, months and years. */
export const patternIn = (pattern: string, language: 'en' | 'ru'): string =>
  language === 'ru' ? pattern.replaceAll('D', 'Д').replaceAll('M', 'М').replaceAll('Y', 'Г') : pattern

export const delimiters = { ',': 'delimiterComma', ';': 'delimiterSemicolon', '\t': 'delimiterTab', '|': 'delimiterBar' } as const

/**
 * Whether values begin with an apostrophe that an export for spreadsheets has written, before what they would run. Before a number it writes none,
 * so that one is part of the value, and the service leaves it there (src/transfer/formulas.ts).
 */
export const hasApostrophes = (rows: readonly { readonly values: readonly string[] }[]): boolean =>
  rows.some(({ values }) => values.some((value) => /^'+[=+\-@]/.test(value) && !/^'[+-]?\d+(?:\.\d+)?$/.test(value)))

export const encodings = ['utf-8', 'windows-1251', 'windows-1252', 'utf-16le', 'utf-16be', 'koi8-r', 'ibm866'] as const

const LONGEST_NAME = 255

/** A name for the table that a file becomes; no table has it. */
export function tableNameFor(fileName: string, taken: readonly string[], otherwise: string): string {
  const plain = fileName.replace(/\.[^.]{1,5}$/, '').replaceAll('_', ' ').replace(/\p{Cc}/gu, ' ').trim().slice(0, LONGEST_NAME - 10) // prettier-ignore
  const name = plain === '' ? otherwise : plain[0]!.toLocaleUpperCase() + plain.slice(1)
  const isTaken = (one: string) => taken.some((other) => other.toLocaleLowerCase() === one.toLocaleLowerCase())
  if (!isTaken(name)) return name
  for (let i = 2; ; i++) if (!isTaken(`${name} ${i}`)) return `${name} ${i}`
}

/** The lines of a file of errors that are whole, without its head: line, column, reason, and the line itself. */
export function badLines(text: string, most: number): readonly { line: string; column: string; reason: string }[] {
  const lines: string[][] = []
  let values: string[] = []
  const pattern = /(?:"((?:[^"]|"")*)"|([^,"\r\n]*))(,|\r?\n)/y
  for (let found = pattern.exec(text); found && lines.length <= most; found = pattern.exec(text)) {
    values.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '')
    if (found[3] === ',') continue
    lines.push(values)
    values = []
  }
  return lines.slice(1, most + 1).map(([line = '', column = '', reason = '']) => ({ line, column, reason }))
}
