import type { Field } from '../fields/field.ts'

/* Which fields of a table are columns, in which order and how wide; and how an address says so. */

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

/** Wide enough for the values of its type, and for a name of some words. */
const usual = ({ type, title }: Field, i: number): number =>
  i === 0 ? 230 : Math.max(WIDTHS[type] ?? 160, Math.min(WIDEST_NAME, (title?.length ?? 0) * LETTER + BESIDE))

const clamped = (width: number): number => Math.max(NARROWEST, Math.min(WIDEST, Math.round(width)))

/** All fields in their order, the one that names the records first. */
export function usualColumns(fields: readonly Field[], title: Field | undefined): Column[] {
  const ordered = title ? [title, ...fields.filter((field) => field !== title)] : [...fields]
  return ordered.map((field, i) => ({ field, width: usual(field, i), isFrozen: i === 0 }))
}

/**
 * As an address says it: `f1.240!,f5,f3.90`, with the width behind the point, `~` where long values are wrapped, `:sum` with what is
 * computed below it, and `!` behind the last frozen one. Fields that are not there any more
 * are left out; undefined, or nothing that is there: the usual columns.
 */
export function readColumns(text: string | undefined, fields: readonly Field[], title: Field | undefined): Column[] {
  const named = (text ?? '').split(',', 1000).flatMap((part) => {
    const [, name, width, wrapped, figure, frozen] = /^(f\d{1,15})(?:\.(\d{1,4}))?(~?)(?::([a-z]{1,20}))?(!?)$/.exec(part) ?? []
    const field = fields.find((one) => one.name === name)
    return field
      ? [
          {
            field,
            width: width === undefined ? undefined : clamped(Number(width)),
            isWrapped: wrapped === '~',
            figure,
            isLast: frozen === '!',
          },
        ]
      : []
  })
  const once = named.filter(({ field }, i) => named.findIndex((one) => one.field === field) === i)
  if (once.length === 0) return usualColumns(fields, title)
  const frozen = once.findIndex(({ isLast }) => isLast)
  return once.map(({ field, width, isWrapped, figure }, i) => ({
    field,
    width: width ?? usual(field, i),
    isFrozen: i <= frozen,
    ...(isWrapped && { isWrapped }),
    ...(figure && { figure }),
  }))
}

/** Undefined where they are the usual ones. */
export function writeColumns(columns: readonly Column[], fields: readonly Field[], title: Field | undefined): string | undefined {
  const write = (some: readonly Column[]) =>
    some
      .map(({ field, width, isFrozen, isWrapped, figure }, i) => {
        const isLast = isFrozen && !some[i + 1]?.isFrozen
        return `${field.name}${width === usual(field, i) ? '' : `.${width}`}${isWrapped ? '~' : ''}${figure ? `:${figure}` : ''}${isLast ? '!' : ''}`
      })
      .join(',')
  const text = write(columns)
  return text === write(usualColumns(fields, title)) ? undefined : text
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
