import { ApiError } from '../api/client.ts'
import { MOST_AT_ONCE, type Values } from '../api/records.ts'
import { isOfOneKind, type Field } from '../fields/field.ts'
import type { FieldType, ReadContext } from '../fields/field-type.ts'
import { typeOf } from '../fields/types.ts'
import { repeats } from './clipboard.ts'
import type { Range } from './selection.ts'
import type { Put } from './writes.ts'
import { told } from '../i18n/refusals/told.ts'

/* What becomes of cells that are pasted, or filled from others. */

/** What was copied here last: its values need not be read from text. */
export interface Copied {
  readonly text: string
  readonly fields: readonly Field[]
  readonly values: readonly (readonly string[])[]
}

export interface PastedCell {
  /** From the first row of the range, or of what is filled and its source. */
  readonly row: number
  /** From the first column of the table. */
  readonly col: number
  readonly field: Field
  readonly value: unknown
  /** What was pasted. */
  readonly text: string
  /** In words: why it does not fit. */
  readonly wrong?: string
  /** It was copied here, and not read from text. */
  readonly isOwn?: true
}

/** What waits for a decision before it is written. */
export interface Pending {
  /** Values that fit. */
  readonly puts: readonly Put[]
  readonly added: readonly Values[]
  /** Values that do not fit, and the first of them. */
  readonly wrong: number
  readonly named: readonly Misfit[]
  /** Records that it leaves out: the person may not write them. */
  readonly left?: number
}

/** A value that does not fit its field. */
export interface Misfit {
  /** The number of its row, as the grid shows it. */
  readonly row: number
  readonly column: string
  readonly why: string
}

/** Without cells of records that the person may not write; `left`: how many records these are. */
export function allowed(puts: readonly Put[], barred: ReadonlySet<string>): { readonly puts: readonly Put[]; readonly left: number } {
  if (barred.size === 0) return { puts, left: 0 }
  const left = new Set(puts.flatMap(({ record }) => (barred.has(record) ? [record] : [])))
  return { puts: puts.filter(({ record }) => !left.has(record)), left: left.size }
}

/** Values that are named of those that do not fit. */
export const MOST_NAMED = 3

/**
 * What is left of a write of which the service refused some values, and wrote none: the others may be written without them. Undefined: nothing is
 * left, or what was refused is not known by its cells.
 */
export function fittingOf(
  puts: readonly Put[],
  added: readonly Values[],
  failure: Error,
  /** Where a cell is; `record` undefined: in the new record of this place, from 0. */
  place: (record: string | undefined, added: number, attribute: string) => Pick<Misfit, 'row' | 'column'>,
): Pending | undefined {
  const records = [...new Set(puts.map(({ record }) => record))]
  // More take several requests, of which the first may be written.
  if (!(failure instanceof ApiError) || failure.places.length === 0 || records.length + added.length > MOST_AT_ONCE) return undefined
  const refused = new Set(failure.places.map(({ record, attribute }) => `${record} ${attribute}`))
  const places = new Map(records.map((record, i) => [record, i]))
  const rest = {
    puts: puts.filter(({ record, attribute }) => !refused.has(`${places.get(record)} ${attribute}`)),
    added: added.map((values, i) =>
      Object.fromEntries(Object.entries(values).filter(([attribute]) => !refused.has(`${records.length + i} ${attribute}`))),
    ),
  }
  const isLess =
    rest.puts.length < puts.length || rest.added.some((values, i) => Object.keys(values).length < Object.keys(added[i]!).length)
  const isAnything = rest.puts.length + rest.added.length > 0
  if (!isLess || !isAnything) return undefined
  const named = failure.places
    .slice(0, MOST_NAMED)
    .map(({ record, attribute, detail }) => ({ ...place(records[record], record - records.length, attribute), why: told(detail) }))
  return { ...rest, wrong: failure.places.length, named }
}

/** The cells that a paste at `range` means. One cell, or one that fits a whole number of times, fills the range. Columns that may not be set are passed over. */
export function pasted(
  cells: readonly (readonly string[])[],
  range: Range,
  columns: readonly Field[],
  copied: Copied | undefined,
  context: ReadContext,
): PastedCell[] {
  const wide = Math.max(...cells.map((row) => row.length))
  const rows = repeats(cells.length, range.bottom - range.top + 1)
  const cols = repeats(wide, range.right - range.left + 1)
  const found: PastedCell[] = []
  for (let row = 0; row < rows; row++)
    for (let i = 0; i < cols; i++) {
      const field = columns[range.left + i]
      const text = cells[row % cells.length]![i % wide]
      if (!field || text === undefined || !takesText(field)) continue
      const from = copied?.fields[i % wide]
      const isSame = from && isOfOneKind(from, field)
      const put = isSame
        ? { text, value: copied!.values[row % cells.length]![i % wide]!, isOwn: true as const }
        : asRead(text, field, context)
      found.push({ row, col: range.left + i, field, ...put })
    }
  return found
}

/** A text as a value of a field, or why it is none. */
export function asRead(text: string, field: Field, context: ReadContext): Pick<PastedCell, 'text' | 'value' | 'wrong'> {
  const read = fitting(field, typeOf(field).read(text, field, context))
  return 'error' in read ? { text, value: undefined, wrong: read.error } : { text, value: read.value }
}

const takesText = (field: Field): boolean => field.maySet && typeOf(field).Editor !== undefined

/** The columns that a paste passes over although it has something for them. */
export function passedOver(cells: readonly (readonly string[])[], { left }: Range, columns: readonly Field[]): Field[] {
  const wide = Math.max(...cells.map((row) => row.length))
  return columns.slice(left, left + wide).filter((field, i) => !takesText(field) && cells.some((row) => (row[i] ?? '') !== ''))
}

/** What is longer than its field allows would be refused: the service names one record of a write alone. */
function fitting({ maxLength }: Field, read: ReturnType<FieldType['read']>): ReturnType<FieldType['read']> {
  const isLong = maxLength !== null && 'value' in read && typeof read.value === 'string' && [...read.value].length > maxLength
  return isLong ? { error: told(`The value is longer than ${maxLength} characters.`) } : read
}
