import type { ColumnPart } from '../api/views.ts'
import type { Field } from '../fields/field.ts'
import { isOpen, partsOf, textOf } from './column-parts.ts'

/* Which fields of a table are columns, in which order and how wide. */

export interface Column {
  readonly field: Field
  /** Pixels. */
  readonly width: number
  /** It stays where it is while the others scroll. */
  readonly isFrozen: boolean
  /** Long values are shown in several lines. */
  readonly isWrapped?: boolean | undefined
  /** What is computed below it (figures.ts). */
  readonly figure?: string | undefined
}

export const NARROWEST = 48
export const WIDEST = 900

const WIDTHS: Readonly<Record<string, number>> = {
  integer: 110,
  decimal: 110,
  autonumber: 90,
  boolean: 80,
  date: 144,
  datetime: 192,
  list: 140,
  longtext: 220,
  reference: 170,
  references: 200,
  email: 190,
  url: 190,
}

/** Of a letter of a head, and of the icon, the sign of the order and the edges beside it. */
const LETTER = 7
const BESIDE = 46
/** A column is not made wider for its name than this. */
const WIDEST_NAME = 220

/** Wide enough for the values of its type, and for a name of some words; `isFirst`: that which names the records. */
const usual = ({ type, title }: Field, isFirst: boolean): number =>
  isFirst ? 230 : Math.max(WIDTHS[type] ?? 160, Math.min(WIDEST_NAME, (title?.length ?? 0) * LETTER + BESIDE))

const clamped = (width: number): number => Math.max(NARROWEST, Math.min(WIDEST, Math.round(width)))

/** All fields in the order of the table, the one that names the records first. What every record has besides is shown to who asks for it. */
function inOrder(fields: readonly Field[], title: Field | undefined): readonly Field[] {
  const own = fields.filter(({ isSystem }) => !isSystem)
  return title ? [title, ...own.filter((field) => field !== title)] : own
}

export function usualColumns(fields: readonly Field[], title: Field | undefined): Column[] {
  return inOrder(fields, title).map((field, i) => ({ field, width: usual(field, i === 0), isFrozen: i === 0 }))
}

/** All that may be a column: the usual ones, and behind them what every record has. */
export const choosable = (fields: readonly Field[], title: Field | undefined): Column[] => [
  ...usualColumns(fields, title),
  ...fields.flatMap((field) => (field.isSystem ? [{ field, width: usual(field, false), isFrozen: false }] : [])),
]

/**
 * As an address or a view says them (column-parts.ts). Fields that are not there any more are left out; undefined, or nothing that is there: the
 * usual columns.
 */
export function readColumns(text: string | undefined, fields: readonly Field[], title: Field | undefined): Column[] {
  const parts = partsOf(text)
  const known = new Map(fields.map((field) => [field.name, field]))
  const named = new Map<Field, ColumnPart>()
  for (const part of parts) {
    const field = known.get(part.attribute)
    if (field && !named.has(field)) named.set(field, part)
  }
  const usuals = usualColumns(fields, title)
  if (!isOpen(parts) && named.size === 0) return usuals
  const shown = isOpen(parts) ? ordered(usuals.map(({ field }) => field), named, known) : [...named.keys()] // prettier-ignore
  const last = shown.findLastIndex((field) => named.get(field)?.frozen === true)
  const frozenUpTo = last === -1 && isOpen(parts) && parts.every(({ frozen }) => frozen !== false) ? 0 : last
  return shown.map((field, i) => {
    const { width, wrap, figure } = named.get(field) ?? {}
    const isFirst = isOpen(parts) ? field === usuals[0]!.field : i === 0
    return {
      field,
      width: width === undefined ? usual(field, isFirst) : clamped(width),
      isFrozen: i <= frozenUpTo,
      ...(wrap && { isWrapped: true }),
      ...(figure && { figure }),
    }
  })
}

/** The fields that are shown: in the order of the table, but for those that were put behind others. All of them, if all were hidden. */
function ordered(usuals: readonly Field[], named: ReadonlyMap<Field, ColumnPart>, known: ReadonlyMap<string, Field>): readonly Field[] {
  const moves = new Map([...named].filter(([{ isSystem }, { after }]) => isSystem || after !== undefined))
  const order = usuals.filter((field) => !moves.has(field))
  for (const [field, { after }] of moves) {
    const behind = after ? order.indexOf(known.get(after)!) : -1
    // Where what was before it has gone, it stands where the table has it, and what is no field behind all of them.
    const usualPlace = () => (field.isSystem ? order.length - 1 : order.findLastIndex((one) => usuals.indexOf(one) < usuals.indexOf(field)))
    const at = behind >= 0 || after === '' ? behind : usualPlace()
    order.splice(at + 1, 0, field)
  }
  const shown = order.filter((field) => !named.get(field)?.hidden)
  return shown.length > 0 ? shown : usuals
}

/** What differs from the usual columns, so that fields made later appear where the table has them. Undefined: nothing does. */
export function writeColumns(columns: readonly Column[], fields: readonly Field[], title: Field | undefined): string | undefined {
  const order = inOrder(fields, title)
  const places = new Map(order.map((field, i) => [field, i]))
  const own = columns.flatMap(({ field }, i) => (places.has(field) ? [i] : []))
  const inPlace = ascending(own.map((i) => places.get(columns[i]!.field)!))
  const stay = new Set(own.filter((_, i) => inPlace.has(i)))
  const frozen = columns.filter(({ isFrozen }) => isFrozen).length
  const parts = columns.flatMap(({ field, width, isWrapped, figure }, i): ColumnPart[] => {
    const part = {
      ...(!stay.has(i) && { after: columns[i - 1]?.field.name ?? '' }),
      ...(width !== usual(field, field === order[0]) && { width }),
      ...(isWrapped && { wrap: true }),
      ...(figure && { figure }),
      ...(frozen > 1 && i === frozen - 1 && { frozen: true }),
    }
    return Object.keys(part).length > 0 ? [{ attribute: field.name, ...part }] : []
  })
  const shown = new Set(columns.map(({ field }) => field))
  const hidden = order.flatMap((field): ColumnPart[] => (shown.has(field) ? [] : [{ attribute: field.name, hidden: true }]))
  if (parts.length + hidden.length === 0 && frozen === 1) return undefined
  return textOf([{ attribute: '*', ...(frozen === 0 && { frozen: false }) }, ...parts, ...hidden])
}

/** The places of a longest ascending series within numbers: those that have not been moved. */
function ascending(numbers: readonly number[]): ReadonlySet<number> {
  /** By the length of a series, the place of its end: the least end that there is. */
  const ends: number[] = []
  const before: number[] = []
  numbers.forEach((number, at) => {
    const found = ends.findIndex((end) => numbers[end]! >= number)
    const length = found === -1 ? ends.length : found
    before[at] = ends[length - 1] ?? -1
    ends[length] = at
  })
  const series = new Set<number>()
  for (let at = ends.at(-1) ?? -1; at !== -1; at = before[at]!) series.add(at)
  return series
}

export const resized = (columns: readonly Column[], at: number, width: number): Column[] =>
  columns.map((column, i) => (i === at ? { ...column, width: clamped(width) } : column))

const WRAPPED = new Set(['text', 'longtext', 'url', 'multilist', 'references', 'users', 'file'])

/** Whether values of a field may be long. */
export const canWrap = ({ type }: Field): boolean => WRAPPED.has(type)

/** Long values of the column are shown in several lines, or in one again. */
export const wrapped = (columns: readonly Column[], at: number): Column[] =>
  columns.map((column, i) => (i === at ? { ...column, isWrapped: !column.isWrapped } : column))

/** Computes something else below a column; the same again: nothing. */
export const figured = (columns: readonly Column[], at: number, figure: string): Column[] =>
  columns.map((column, i) => (i === at ? { ...column, figure: column.figure === figure ? undefined : figure } : column))

/** Those before the new place are frozen as far as they were. */
export function moved(columns: readonly Column[], from: number, to: number): Column[] {
  const frozen = columns.filter(({ isFrozen }) => isFrozen).length
  const next = [...columns]
  const [column] = next.splice(from, 1)
  next.splice(Math.max(0, Math.min(next.length, to)), 0, column!)
  return next.map((one, i) => ({ ...one, isFrozen: i < frozen }))
}

/** At least one stays. */
export const without = (columns: readonly Column[], at: number): Column[] =>
  columns.length === 1 ? [...columns] : columns.filter((_, i) => i !== at)

/** The first `count` are frozen. */
export const frozen = (columns: readonly Column[], count: number): Column[] => columns.map((one, i) => ({ ...one, isFrozen: i < count }))

/** The same columns, with those of `wanted`, and without the others. What comes stands where the table has it. */
export function withFields(columns: readonly Column[], wanted: ReadonlySet<string>, usuals: readonly Column[]): Column[] {
  const next = columns.filter(({ field }) => wanted.has(field.name))
  const placeOf = ({ field }: Column) => usuals.findIndex((one) => one.field === field)
  for (const one of usuals) {
    if (!wanted.has(one.field.name) || next.some(({ field }) => field === one.field)) continue
    const at = next.findLastIndex((other) => placeOf(other) < placeOf(one)) + 1
    next.splice(at, 0, { ...one, isFrozen: next[at]?.isFrozen === true || (at === 0 && one.isFrozen) })
  }
  return next
}
