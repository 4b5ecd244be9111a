import { fail } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { FieldSettings, ValueSchema } from '../field-type.ts'
import { quoted } from './quoted.ts'

/** The column of times: text of fixed width, which sorts by time on every engine. */
export const timeColumn = { sqlite: 'TEXT', postgres: 'text' } as const

/** The most UTF-16 code units of a written date-time. */
export const LONGEST_TIME = limits.writtenTime.most

/** A date-time as it was written, in the proleptic Gregorian calendar; `zone` is the text of its offset, '' for none. */
export interface WrittenTime {
  readonly date: string
  /** HH:MM:SS; 00:00:00 if only a date was written. Fractions of seconds are cut off. */
  readonly time: string
  readonly zone: string
}

export const NO_DATE = '0000-00-00'
export const MIDNIGHT = '00:00:00'

/** @throws `field.invalid_value` for a date or time that does not exist. Years are 1 to 9999; an empty date-time is all zero. */
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

/** Whether `readTime` takes the text. */
export function isEmptyOrTime(text: string): boolean {
  const [, date, hour = '00', minute = '00', second = '00'] = (text.length <= LONGEST_TIME && WRITTEN.exec(text)) || []
  return date !== undefined && (date === NO_DATE || isDay(date)) && hour <= '23' && minute <= '59' && second <= '59'
}

function isDay(date: string): boolean {
  const [year, month, day] = [Number(date.slice(0, 4)), Number(date.slice(5, 7)), Number(date.slice(8))]
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const days = month === 2 && leap ? 29 : DAYS[month - 1]
  return year >= 1 && days !== undefined && day >= 1 && day <= days
}

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** A written time with an offset as wall-clock time of a zone: YYYY-MM-DD HH:MM:SS. */
export function inZone({ date, time, zone }: WrittenTime, timeZone: string): string {
  const ofDay = Number(time.slice(0, 2)) * 3_600 + Number(time.slice(3, 5)) * 60 + Number(time.slice(6))
  const moment = daysTo(date) * DAY + ofDay - offset(zone)
  const local = moment + ahead(moment, timeZone)
  if (local < FIRST || local > LAST)
    throw fail('field.invalid_value', { why: `'${date} ${time}${zone}' is not in the years 1 to 9999 here.` })
  return shown(local)
}

/** A wall-clock time, YYYY-MM-DD HH:MM:SS, some days later or earlier. @throws `field.invalid_value` outside the years 1 to 9999 */
export function daysLater(time: string, days: number): string {
  const day = daysTo(time) + days
  if (day < FIRST / DAY || day > LAST / DAY)
    throw fail('field.invalid_value', { why: `${days} days from today are not in the years 1 to 9999.` })
  return shown(day * DAY).slice(0, 10) + time.slice(10)
}

/** The day of the week of a date, 0 for Sunday. 1 January 1970 was a Thursday. */
export const weekday = (date: string): number => (((daysTo(date) + 4) % 7) + 7) % 7

/** The first day of the month of a date, or of one so many months later. @throws `field.invalid_value` outside the years 1 to 9999 */
export function firstOfMonth(date: string, months: number): string {
  const month = Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1 + months
  const year = Math.floor(month / 12)
  if (year < 1 || year > 9999) throw fail('field.invalid_value', { why: `${months} months from today are not in the years 1 to 9999.` })
  return `${String(year).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}-01`
}

/*
 * From here on times are whole seconds since 1970. A filter has up to 10,000 times, and formatting a Date takes several times as long as
 * this arithmetic.
 */

const DAY = 86_400
const FIRST = -62_135_596_800
const LAST = 253_402_300_799
/** Days from 1 March of the year 0 to 1970, and days in 400 years. */
const [BEFORE_1970, FOUR_CENTURIES] = [719_468, 146_097]

/** Days from 1970 to a date. A year begins in March here, so that 29 February is its last day. */
function daysTo(date: string): number {
  const month = Number(date.slice(5, 7))
  const year = Number(date.slice(0, 4)) - (month < 3 ? 1 : 0)
  const ofYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + Number(date.slice(8, 10)) - 1
  return year * 365 + Math.floor(year / 4) - Math.floor(year / 100) + Math.floor(year / 400) + ofYear - BEFORE_1970
}

/** The date that is `days` after 1 January 1970. */
function dayAt(days: number): readonly [year: number, month: number, day: number] {
  const all = days + BEFORE_1970
  const cycle = Math.floor(all / FOUR_CENTURIES)
  const ofCycle = all - cycle * FOUR_CENTURIES
  const years = Math.floor((ofCycle - Math.floor(ofCycle / 1_460) + Math.floor(ofCycle / 36_524) - Math.floor(ofCycle / 146_096)) / 365)
  const ofYear = ofCycle - (years * 365 + Math.floor(years / 4) - Math.floor(years / 100))
  const fromMarch = Math.floor((5 * ofYear + 2) / 153)
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
  return [cycle * 400 + years + (month < 3 ? 1 : 0), month, ofYear - Math.floor((153 * fromMarch + 2) / 5) + 1]
}

function shown(local: number): string {
  const days = Math.floor(local / DAY)
  const [year, month, day] = dayAt(days)
  const second = local - days * DAY
  const date = `${two(Math.floor(year / 100))}${two(year % 100)}-${two(month)}-${two(day)}`
  return `${date} ${two(Math.floor(second / 3_600))}:${two(Math.floor(second / 60) % 60)}:${two(second % 60)}`
}

const numerals = Array.from({ length: 100 }, (_, n) => String(n).padStart(2, '0'))
const two = (number: number): string => numerals[number]!

/** Seconds that an offset is ahead of UTC: 'Z', '+03', '+0300', '-03:30'. */
function offset(zone: string): number {
  if (zone === 'Z') return 0
  const minutes = Number(zone.slice(1, 3)) * 60 + (zone.length > 3 ? Number(zone.slice(-2)) : 0)
  return (zone.startsWith('-') ? -minutes : minutes) * 60
}

/** Seconds that a named zone is ahead of UTC at a moment; less than a day. */
function ahead(moment: number, timeZone: string): number {
  if (timeZone === 'UTC') return 0
  const { format, days } = clockOf(timeZone)
  const day = Math.floor(moment / DAY)
  const known = days.get(day)
  if (known && known.from <= moment && moment <= known.to) return known.ahead
  const found = aheadOf(moment, format(moment * 1_000))
  // No zone changes its offset and changes it back within a day.
  const [from, to] = known?.ahead === found ? [Math.min(known.from, moment), Math.max(known.to, moment)] : [moment, moment]
  if (days.size === MOST_DAYS) days.clear()
  days.set(day, { from, to, ahead: found })
  return found
}

/** The offset of a zone at a moment. `clock`: its day of the month and time then, as in '31, 23:59:59'. */
function aheadOf(moment: number, clock: string): number {
  const end = clock.length
  const ofDay = Number(clock.slice(end - 8, end - 6)) * 3_600 + Number(clock.slice(end - 5, end - 3)) * 60 + Number(clock.slice(end - 2))
  const day = Number(clock.slice(0, end - 10))
  const days = Math.floor(moment / DAY)
  const further = dayAt(days)[2] === day ? 0 : dayAt(days + 1)[2] === day ? 1 : -1
  return (days + further) * DAY + ofDay - moment
}

/** What is known of a zone. */
interface Clock {
  readonly format: (milliseconds: number) => string
  /** By UTC day: a part of the day with a known offset. `from` and `to` in seconds since 1970, `ahead` in seconds. */
  readonly days: Map<number, { readonly from: number; readonly to: number; readonly ahead: number }>
}

/** The most days that are remembered. */
const MOST_DAYS = 10_000

const clocks = new Map<string, Clock>()

function clockOf(timeZone: string): Clock {
  let clock = clocks.get(timeZone)
  if (!clock) {
    const { format } = new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      // Without month and year, which would double the time.
      day: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    })
    clocks.set(timeZone, (clock = { format, days: new Map() }))
  }
  return clock
}

/** `form`: of a value that is shown. */
export function timeSchema(form: string, { min, max }: FieldSettings): ValueSchema {
  const said = [...(min === undefined ? [] : [`Not before ${min}.`]), ...(max === undefined ? [] : [`Not after ${max}.`])].join(' ')
  const description = said === '' ? {} : { description: said }
  return {
    shown: { type: 'string', pattern: `^${form}$`, ...description },
    sent: { type: 'string', maxLength: LONGEST_TIME, ...description },
  }
}

/** @throws `field.invalid_value` for a time before `min` or after `max`. */
export function mustLieBetween(stored: string, { min, max }: FieldSettings, read: (bound: string) => string): void {
  if (min !== undefined && stored < read(min)) throw fail('field.invalid_value', { why: `The time is before ${min}.` })
  if (max !== undefined && stored > read(max)) throw fail('field.invalid_value', { why: `The time is after ${max}.` })
}
