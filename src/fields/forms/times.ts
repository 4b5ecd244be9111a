import { fail } from '../../errors.ts'
import type { FieldSettings } from '../field-type.ts'
import { quoted } from './quoted.ts'

/** Column of times: text of fixed width, so that it sorts as time on every engine. */
export const timeColumn = { sqlite: 'TEXT', postgres: 'text' } as const

/** Code units of a date-time. */
export const LONGEST_TIME = 100

/** A date-time as it was written, of the Gregorian calendar at all times; `zone` is the text of its offset, '' for none. */
export interface WrittenTime {
  readonly date: string
  /** HH:MM:SS; 00:00:00 where only a date was written. Fractions of seconds are cut. */
  readonly time: string
  readonly zone: string
}

export const NO_DATE = '0000-00-00'
export const MIDNIGHT = '00:00:00'

/** @throws for what no calendar and no clock shows; the year is 1 to 9999, or all is zero. */
export function readTime(text: string): WrittenTime {
  const [, date, hour = '00', minute = '00', second = '00', zone = ''] = (text.length <= LONGEST_TIME && WRITTEN.exec(text)) || []
  if (date === undefined) throw fail('field.invalid_value', { why: `${quoted(text)} is not written as YYYY-MM-DD or YYYY-MM-DD HH:MM:SS.` })
  if (date !== NO_DATE && !isDay(date)) throw fail('field.invalid_value', { why: `There is no day ${date}.` })
  const time = `${hour}:${minute}:${second}`
  if (hour > '23' || minute > '59' || second > '59') throw fail('field.invalid_value', { why: `There is no time ${time}.` })
  if (date === NO_DATE && time !== MIDNIGHT) throw fail('field.invalid_value', { why: `There is no day ${date}.` })
  return { date, time, zone: zone.toUpperCase() }
}

const WRITTEN = /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?([Zz]|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?)?$/

function isDay(date: string): boolean {
  const [year, month, day] = [Number(date.slice(0, 4)), Number(date.slice(5, 7)), Number(date.slice(8))]
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const days = month === 2 && leap ? 29 : DAYS[month - 1]
  return year >= 1 && days !== undefined && day >= 1 && day <= days
}

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** The wall clock of a zone at the moment written, as YYYY-MM-DD HH:MM:SS. */
export function inZone({ date, time, zone }: WrittenTime, timeZone: string): string {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number]
  const [hour, minute, second] = time.split(':').map(Number) as [number, number, number]
  // Date.UTC takes the years 0 to 99 for those of the last century; the calendar repeats after 400 years.
  const written = Date.UTC(year + 400, month - 1, day, hour, minute, second) - FOUR_CENTURIES
  const parts = new Map(
    formatter(timeZone)
      .formatToParts(written - offset(zone))
      .map(({ type, value }) => [type, value]),
  )
  const local = String(parts.get('year')).padStart(4, '0')
  if (parts.get('era') !== 'AD' || local.length > 4)
    throw fail('field.invalid_value', { why: `'${date} ${time}${zone}' is not in the years 1 to 9999 here.` })
  return `${local}-${parts.get('month')}-${parts.get('day')} ${parts.get('hour')}:${parts.get('minute')}:${parts.get('second')}`
}

const FOUR_CENTURIES = 146_097 * 86_400_000

/** Milliseconds that a zone's clock is ahead of UTC: 'Z', '+03', '+0300', '-03:30'. */
function offset(zone: string): number {
  if (zone === 'Z') return 0
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0')
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2))
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000
}

const formatters = new Map<string, Intl.DateTimeFormat>()

function formatter(timeZone: string): Intl.DateTimeFormat {
  let one = formatters.get(timeZone)
  if (!one) {
    one = new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    })
    formatters.set(timeZone, one)
  }
  return one
}

/** @throws where the time is outside the bounds of the field, ends included. */
export function mustLieBetween(stored: string, { min, max }: FieldSettings, read: (bound: string) => string): void {
  if (min !== undefined && stored < read(min)) throw fail('field.invalid_value', { why: `The time is before ${min}.` })
  if (max !== undefined && stored > read(max)) throw fail('field.invalid_value', { why: `The time is after ${max}.` })
}
