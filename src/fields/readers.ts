import type { FieldType } from './field-type.ts'
import { LONGEST_NUMBER } from './forms/numbers.ts'
import { isEmptyOrTime, LONGEST_TIME } from './forms/times.ts'

/*
 * Values as people and other programs write them, which a file or a text field may hold: 31.12.2024, 1 234,56, yes. Each reader gives the text
 * that requests would send, or the text as it is where it is not written in this way; the field type decides then.
 */

export type DateOrder = 'dmy' | 'mdy' | 'ymd'
export type DecimalSign = '.' | ','

/** How the values of one column are written. */
export type Written =
  | { readonly as: 'time'; readonly order: DateOrder; readonly shortYears?: boolean }
  | { readonly as: 'number'; readonly decimal: DecimalSign }
  | { readonly as: 'truth' }

/** What is known of a file beforehand. */
export interface KnownWriting {
  readonly dates?: { readonly order: DateOrder; readonly shortYears: boolean } | undefined
  readonly decimal?: DecimalSign | undefined
}

/** The text that requests would send. */
export function readWritten(written: Written, text: string): string {
  if (written.as === 'time') return readTime(text, written.order, written.shortYears === true) ?? text
  if (written.as === 'number') return readNumber(text, written.decimal) ?? text
  return truths.get(text.trim().slice(0, LONGEST_TRUTH).toLowerCase()) ?? text
}

/**
 * How the values of a column are written; undefined: as requests send them, or in no way that is known. `ambiguous`: as dates whose day and
 * month, or as numbers whose decimal sign, cannot be told from the values.
 */
export function writingOf(type: FieldType, samples: readonly string[], known: KnownWriting = {}): Written | 'ambiguous' | undefined {
  const values = samples.filter((value) => value !== '')
  if (type.truth) return values.length > 0 && !values.every(isPlainTruth) && values.every(isTruth) ? { as: 'truth' } : undefined
  if (type.kind === 'time') return known.dates ? { as: 'time', ...known.dates } : timesIn(values)
  if (type.kind !== 'number' || type.target || type.assigned) return undefined
  return known.decimal ? { as: 'number', decimal: known.decimal } : numbersIn(values)
}

/**
 * As `writingOf`, of a column whose type is decided: a value that is none, however it is read, is refused by itself, and does not count for the
 * others.
 */
export const writingInto = (type: FieldType, samples: readonly string[], known: KnownWriting = {}): ReturnType<typeof writingOf> =>
  writingOf(
    type,
    samples.filter(
      type.truth ? isTruth : type.kind === 'time' ? (value) => isEmptyOrTime(value) || isTimeInAnyOrder(value) : isNumberInAnyWriting,
    ),
    known,
  )

/** How the values of a column are written that comes in parts; values that are no dates or numbers, however they are read, do not count. */
export interface ColumnGuess {
  take(values: readonly string[]): void
  /** As `writingOf`. */
  result(): Written | 'ambiguous' | undefined
}

/** Undefined for a type whose values are written in one way, or tell by themselves how they are written. */
export function columnGuess(type: FieldType): ColumnGuess | undefined {
  const isTime = type.kind === 'time'
  if (!isTime && (type.kind !== 'number' || type.target || type.assigned || type.truth)) return undefined
  const counts = isTime ? (value: string) => !isEmptyOrTime(value) && isTimeInAnyOrder(value) : isNumberInAnyWriting
  // A few values stand for all that are as telling as they are.
  const telling = new Map<string, string>()
  const kindOf = isTime
    ? (value: string) => [value.includes('.'), ...ORDERS.map((order) => readTime(value, order, false) !== undefined)].join()
    : (value: string) => {
        const [point, comma] = [readNumber(value, '.'), readNumber(value, ',')]
        return [PLAIN.test(value), point !== undefined, comma !== undefined, point === comma].join()
      }
  return {
    take: (values) => {
      for (const value of values) if (counts(value)) telling.set(kindOf(value), value)
    },
    result: () => (isTime ? timesIn : numbersIn)([...telling.values()]),
  }
}
const ORDERS = ['dmy', 'mdy', 'ymd'] as const
const isTimeInAnyOrder = (value: string): boolean => ORDERS.some((order) => readTime(value, order, false) !== undefined)
const isNumberInAnyWriting = (value: string): boolean => readNumber(value, '.') !== undefined || readNumber(value, ',') !== undefined

/** The order of the parts of a date from a pattern such as DD.MM.YYYY; undefined: it is none. */
export function dateOrder(pattern: string): KnownWriting['dates'] {
  const [, first, second, third] = /^(d{1,2}|m{1,2}|y{2}|y{4})[./-](d{1,2}|m{1,2})[./-](d{1,2}|m{1,2}|y{2}|y{4})$/i.exec(pattern) ?? []
  if (first === undefined) return undefined
  const order = `${first[0]!}${second![0]!}${third![0]!}`.toLowerCase()
  if (order !== 'dmy' && order !== 'mdy' && order !== 'ymd') return undefined
  return { order, shortYears: (order === 'ymd' ? first : third!).length === 2 }
}

const TIME = String.raw`(?:,?[ T](\d{1,2}):(\d{2})(?::(\d{2}))?(?: ?([ap])\.?m\.?)?)?`
const DAY_FIRST = new RegExp(String.raw`^\s?(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})${TIME}\s?$`, 'i')
const YEAR_FIRST = new RegExp(String.raw`^\s?(\d{4}|\d{2})([./-])(\d{1,2})\2(\d{1,2})${TIME}\s?$`, 'i')

const two = (part: string): string => part.padStart(2, '0')
/** Two digits are a year from 1970 to 2069. */
const fullYear = (year: string): string => (year.length === 4 ? year : `${Number(year) < 70 ? 20 : 19}${year}`)

/** YYYY-MM-DD, with HH:MM:SS where a time is written; undefined: not written so, or there is no such day. */
function readTime(text: string, order: DateOrder, shortYears: boolean): string | undefined {
  if (text.length > LONGEST_TIME) return undefined
  const found = (order === 'ymd' ? YEAR_FIRST : DAY_FIRST).exec(text)
  if (!found) return undefined
  const [, first, , second, third, hour, minute, second60 = '00', half] = found
  const [year, month, day] =
    order === 'ymd' ? [first!, second!, third!] : order === 'dmy' ? [third!, second!, first!] : [third!, first!, second!]
  if ((year.length === 2) !== shortYears) return undefined
  const date = `${fullYear(year)}-${two(month)}-${two(day)}`
  const time = hour === undefined ? '' : ` ${two(hourOf(hour, half))}:${minute!}:${second60}`
  return isEmptyOrTime(date + time) ? date + time : undefined
}

/** The hour of a day of 24; 13 PM and 0 AM stay what they are. */
function hourOf(hour: string, half: string | undefined): string {
  if (half === undefined || Number(hour) > 12) return hour
  return String((Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0))
}

function timesIn(values: readonly string[]): Written | 'ambiguous' | undefined {
  if (values.every(isEmptyOrTime)) return undefined
  const fits = (order: DateOrder) => values.every((value) => readTime(value, order, false) !== undefined)
  if (fits('ymd')) return { as: 'time', order: 'ymd' }
  const [days, months] = [fits('dmy'), fits('mdy')]
  // Nobody writes the month before a point.
  if (days && values.some((value) => value.includes('.'))) return { as: 'time', order: 'dmy' }
  return days && months ? 'ambiguous' : days ? { as: 'time', order: 'dmy' } : months ? { as: 'time', order: 'mdy' } : undefined
}

/** Between thousands: blanks of any kind and apostrophes, besides the comma or point that is not the decimal sign. */
const BLANKS = String.raw` \u00a0\u2009\u202f'’`
const numberOf = (group: string, decimal: string): RegExp =>
  new RegExp(String.raw`^\s?([+\-\u2212]?)(\d{1,3}(?:([${BLANKS}${group}])\d{3}(?:\3\d{3})*)|\d+)(?:${decimal}(\d+))?\s?$`)
const NUMBERS: Readonly<Record<DecimalSign, RegExp>> = { '.': numberOf(',', String.raw`\.`), ',': numberOf('.', ',') }
const PLAIN = /^-?\d+(\.\d+)?$/

function readNumber(text: string, decimal: DecimalSign): string | undefined {
  if (text.length > LONGEST_NUMBER) return undefined
  const [, sign, whole, , fraction] = NUMBERS[decimal].exec(text) ?? []
  if (whole === undefined) return undefined
  return `${sign === '' || sign === '+' ? '' : '-'}${whole.replace(/\D/g, '')}${fraction === undefined ? '' : `.${fraction}`}`
}

function numbersIn(values: readonly string[]): Written | 'ambiguous' | undefined {
  if (values.every((value) => PLAIN.test(value))) return undefined
  const fits = (decimal: DecimalSign) => values.every((value) => readNumber(value, decimal) !== undefined)
  const [points, commas] = [fits('.'), fits(',')]
  // 1,234 is a thousand, or a little more than one.
  const isSame = values.every((value) => readNumber(value, '.') === readNumber(value, ','))
  if (points && commas && !isSame) return 'ambiguous'
  return points ? { as: 'number', decimal: '.' } : commas ? { as: 'number', decimal: ',' } : undefined
}

const truths: ReadonlyMap<string, string> = new Map([
  ...['1', 'true', 'yes', 'y', 'on', 'да'].map((word) => [word, 'true'] as const),
  ...['0', 'false', 'no', 'n', 'off', 'нет'].map((word) => [word, 'false'] as const),
])
const LONGEST_TRUTH = 10
const isTruth = (value: string): boolean => truths.has(value.trim().slice(0, LONGEST_TRUTH).toLowerCase())
const isPlainTruth = (value: string): boolean => /^(0|1|true|false)$/i.test(value)
