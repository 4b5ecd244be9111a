/*
 * Values as cells of a workbook (ECMA-376, part 1) hold them. A date is the number of days since 1899-12-30, a time the part of a day; in
 * workbooks of the date system 1904, days count from 1904-01-01.
 */

/** Characters of a cell (Excel's limit). */
export const LONGEST_CELL = 32_767

/** A value does not fit into a cell; the message is a sentence for people. */
export class TooLong extends Error {}

/** Milliseconds. */
const DAY = 86_400_000
/** The day 0, from 1970-01-01. */
const EPOCH = -25_569
/** Days between the two date systems. */
const SYSTEM_1904 = 1_462
/** Before 1900-03-01 programs count differently: some have a 29 February 1900. */
const FIRST = 61
/** 9999-12-31. */
const LAST = 2_958_465

/** The number of a cell for YYYY-MM-DD or YYYY-MM-DD HH:MM:SS; undefined: a workbook has no such date, it is shown as text. */
export function serialOf(text: string): number | undefined {
  const [, year, month, day, hour = '0', minute = '0', second = '0'] = /^(\d{4})-(\d\d)-(\d\d)(?: (\d\d):(\d\d):(\d\d))?$/.exec(text) ?? []
  // Date.UTC takes a year below 100 for one of the 20th century.
  if (year === undefined || Number(year) < 1900) return undefined
  const days = Date.UTC(Number(year), Number(month) - 1, Number(day)) / DAY - EPOCH
  if (days < FIRST || days > LAST) return undefined
  return days + (Number(hour) * 3600 + Number(minute) * 60 + Number(second)) / 86_400
}

/** What a number format shows of a number: a day, a time of the day, or both; undefined: the number itself. */
export interface Shows {
  readonly day: boolean
  readonly time: boolean
}

/** YYYY-MM-DD, HH:MM:SS or both, to the second; undefined: no date has this number. */
export function timeText(serial: number, shows: Shows, is1904: boolean): string | undefined {
  const seconds = Math.round((serial + (is1904 ? SYSTEM_1904 : 0)) * 86_400)
  let days = Math.floor(seconds / 86_400)
  const rest = seconds - days * 86_400
  // In the system 1900, the numbers up to 59 count from 1899-12-31.
  if (shows.day && days < FIRST - 1 && days > 0) days++
  if (days < 0 || days > LAST) return undefined
  const time = [Math.floor(rest / 3600), Math.floor(rest / 60) % 60, rest % 60].map((part) => String(part).padStart(2, '0')).join(':')
  if (!shows.day) return time
  const day = new Date((days + EPOCH) * DAY).toISOString().slice(0, 10)
  return shows.time || rest !== 0 ? `${day} ${time}` : day
}

/** The number formats without a code of their own that show times (18.8.30). */
const builtIn = (id: number): Shows | undefined => {
  if ((id >= 14 && id <= 17) || (id >= 27 && id <= 31) || id === 36 || (id >= 50 && id <= 58)) return { day: true, time: false }
  if ((id >= 18 && id <= 21) || (id >= 32 && id <= 35) || (id >= 45 && id <= 47)) return { day: false, time: true }
  return id === 22 ? { day: true, time: true } : undefined
}

/** What a number format shows, by its id and its code, such as `dd.mm.yyyy hh:mm`. */
export function formatShows(id: number, code: string | undefined): Shows | undefined {
  if (code === undefined) return builtIn(id)
  // Texts in quotes, single characters after \, _ and *, and what is in brackets, such as colours and locales; [h] is a time.
  const letters = code.replace(/\[(h+|m+|s+)\]/gi, '$1').replace(/"[^"]*"|[\\_*].|\[[^\]]*\]/g, '')
  const [day, time] = [/[yd]/i.test(letters), /[hs]/i.test(letters)]
  if (/general/i.test(letters)) return undefined
  return day || time || /m/i.test(letters) ? { day: day || !time, time } : undefined
}

/** The most digits that a number of a workbook keeps. */
const DIGITS = 15

/** Whether a workbook keeps all digits of a decimal number. */
export const isExact = (text: string): boolean => /^-?\d+(\.\d+)?$/.test(text) && text.replace(/^-?0*\.?0*|\./g, '').length <= DIGITS

/** A number of a workbook, without the digits by which it differs from the decimal that was typed, and without an exponent. */
export function numberText(text: string): string {
  if (isExact(text)) return text
  const rounded = Number(Number(text).toPrecision(DIGITS))
  if (!Number.isFinite(rounded)) return text
  const [, sign = '', whole = '', part = '', exponent] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(rounded)) ?? []
  if (exponent === undefined) return String(rounded)
  const shift = Number(exponent)
  const digits = whole + part
  return shift < 0 ? `${sign}0.${'0'.repeat(-shift - 1)}${digits}` : `${sign}${digits.padEnd(whole.length + shift, '0')}`
}

/** Characters that XML cannot hold are written _xHHHH_ (22.4.2.4, `xstring`), and so is what looks like that. */
export const escaped = (text: string): string =>
  text
    .replace(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_')
    .replace(NOT_XML, (one) => `_x${one.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)

// oxlint-disable-next-line no-control-regex -- these are the characters that are meant
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000d\u000e-\u001f\ufffe\uffff]/g

export const unescaped = (text: string): string =>
  text.includes('_x') ? text.replace(/_x([0-9a-f]{4})_/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16))) : text

/** The number of the column of a cell, such as 28 of AB7. */
export function columnOf(place: string | undefined): number | undefined {
  const letters = place === undefined ? undefined : /^[A-Z]{1,3}/.exec(place)?.[0]
  return letters === undefined ? undefined : [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)
}
