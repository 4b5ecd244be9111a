/* Dates as people write them. Values have no zone: YYYY-MM-DD, and YYYY-MM-DD HH:MM:SS. */

const LONGEST = 60

/** Words for days near today. */
const WORDS: Readonly<Record<string, number>> = {
  today: 0,
  tomorrow: 1,
  yesterday: -1,
  сегодня: 0,
  завтра: 1,
  вчера: -1,
  послезавтра: 2,
  позавчера: -2,
}

/** Days of the week by the ways in which they are written, from Sunday on. */
const WEEK = [
  ['sunday', 'sun', 'воскресенье', 'вс'],
  ['monday', 'mon', 'понедельник', 'пн'],
  ['tuesday', 'tue', 'вторник', 'вт'],
  ['wednesday', 'wed', 'среда', 'среду', 'ср'],
  ['thursday', 'thu', 'четверг', 'чт'],
  ['friday', 'fri', 'пятница', 'пятницу', 'пт'],
  ['saturday', 'sat', 'суббота', 'субботу', 'сб'],
]

/** `today`: of the person, YYYY-MM-DD. Undefined: it is no date. '' is empty. */
export function readDate(text: string, locale: string, today: string): string | undefined {
  if (text.length > LONGEST) return undefined
  // Spreadsheets and bookkeeping programs copy a day with its midnight.
  const written = text
    .trim()
    .toLowerCase()
    .replace(/[\s,]+0?0:00(?::00)?$/, '')
  if (written === '') return ''
  const days = WORDS[written] ?? ofSteps(written) ?? untilDayOfWeek(written, today)
  if (days !== undefined) return moved(today, days)
  const [, y, m, d] = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(written) ?? []
  if (y) return dayOf(Number(y), Number(m), Number(d))
  const [, first, second, third] = /^(\d{1,2})[./\-\s](\d{1,2})(?:[./\-\s](\d{4}|\d{2}))?$/.exec(written) ?? []
  if (first) {
    const [day, month] = isMonthFirst(locale) ? [Number(second), Number(first)] : [Number(first), Number(second)]
    return dayOf(yearOf(third, today), month, day) ?? (isMonthFirst(locale) ? dayOf(yearOf(third, today), day, month) : undefined)
  }
  return named(written, locale, today)
}

const TIME = /(?:^|[\sT,]+)(?:(?:at|в)\s+)?(\d{1,2}):(\d{2})(?::(\d{2}))?\s*([ap]m)?$/i
/** Read only where the text is no date. */
const DOTTED = /(?:^|[\s,]+)(?:(?:at|в)\s+)?(\d{1,2})\.(\d{2})$/i

/** The day of a text that may be a time as well, such as 9.10: which of them is meant is not guessed. */
export function dayOrTime(text: string, locale: string, now: string): string | undefined {
  const [, hour] = /^(\d{1,2})\.\d{2}$/.exec(text.trim()) ?? []
  return hour !== undefined && Number(hour) < 24 ? readDate(text, locale, now.slice(0, 10)) : undefined
}

/** The same with a time, HH:MM or HH:MM:SS; without one it is midnight. `now`: YYYY-MM-DD HH:MM:SS. */
export function readDateTime(text: string, locale: string, now: string): string | undefined {
  const written = text.trim()
  if (written === '') return ''
  if (written.length > LONGEST || dayOrTime(written, locale, now)) return undefined
  if (/^(now|сейчас)$/i.test(written)) return now
  const at = TIME.exec(written) ?? (readDate(written, locale, now.slice(0, 10)) === undefined ? DOTTED.exec(written) : null)
  const date = readDate(at ? written.slice(0, at.index) || 'today' : written, locale, now.slice(0, 10))
  if (!date) return undefined
  if (!at) return `${date} 00:00:00`
  const [, hour = '0', minute = '0', second = '0', half] = at
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0)
  if (hours > 23 || Number(minute) > 59 || Number(second) > 59 || (half !== undefined && (Number(hour) < 1 || Number(hour) > 12)))
    return undefined
  return `${date} ${[hours, Number(minute), Number(second)].map((one) => String(one).padStart(2, '0')).join(':')}`
}

/** As it is typed: all of it in figures, in the order of the language. */
export function writtenDate(text: string, locale: string): string {
  const [, y, m, d] = /^(\d{4})-(\d\d)-(\d\d)/.exec(text) ?? []
  if (!y || text.startsWith('0000-00-00')) return ''
  const day = locale.startsWith('ru') ? `${d}.${m}.${y}` : isMonthFirst(locale) ? `${m}/${d}/${y}` : `${d}/${m}/${y}`
  const time = text.slice(11)
  return time === '' ? day : `${day} ${time.endsWith(':00') ? time.slice(0, 5) : time}`
}

/** Milliseconds of a value as if it were of the zone UTC; undefined where it is empty or no date. */
export function timeOf(text: string): number | undefined {
  if (text.startsWith('0000-00-00')) return undefined
  const time = Date.parse(`${text.replace(' ', 'T')}${text.length === 10 ? 'T00:00:00' : ''}Z`)
  return Number.isNaN(time) ? undefined : time
}

/** Now, where the person is: YYYY-MM-DD HH:MM:SS. */
export function nowHere(): string {
  const now = new Date()
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 19).replace('T', ' ')
}

const isMonthFirst = (locale: string) => locale === 'en-US'

/** `+3`, `in 3 days`, `через неделю`, `2 дня назад`. */
function ofSteps(written: string): number | undefined {
  const [, sign, count] = /^(?:today|сегодня)?\s*([-+])\s*(\d{1,5})$/.exec(written) ?? []
  if (count !== undefined) return Number(`${sign}${count}`)
  const [, into, number, day, week, ago] =
    /^(?:(in|через)\s+)?(?:(\d{1,4}|an?)\s+)?(?:(days?|день|дня|дней)|(weeks?|неделю|недели|недель))(?:\s+(ago|назад))?$/.exec(written) ??
    []
  // «Через день» may be every other day.
  if ((into === undefined) === (ago === undefined) || (day !== undefined && number === undefined)) return undefined
  return Number(number?.replace(/^a.*/, '1') ?? 1) * (week === undefined ? 1 : 7) * (ago === undefined ? 1 : -1)
}

/** Days until the next one of a name; today is none. */
function untilDayOfWeek(written: string, today: string): number | undefined {
  const name = written.replace(/^(?:on|во?)\s+/, '')
  const day = WEEK.findIndex((names) => names.includes(name))
  return day === -1 ? undefined : ((day + 6 - new Date(`${today}T00:00:00Z`).getUTCDay()) % 7) + 1
}

const yearOf = (written: string | undefined, today: string) =>
  written === undefined
    ? Number(today.slice(0, 4))
    : written.length === 4
      ? Number(written)
      : 2000 + Number(written) - (Number(written) > 69 ? 100 : 0)

/** `31 Dec 2026`, `31 декабря`, `31-дек-26`: a month by the first letters of its name. */
function named(written: string, locale: string, today: string): string | undefined {
  const [, day, letters, year] = /^(\d{1,2})[\s.-]\s*(\p{L}{3,12})(?:[\s.,-]+(\d{4}|\d{2})(?:\s*г\.?)?|\.)?$/u.exec(written) ?? []
  if (!letters) return undefined
  const months = Array.from({ length: 12 }, (_, i) =>
    ['en', 'ru', locale].map((language) =>
      new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long', timeZone: 'UTC' }).format(Date.UTC(2024, i, 1)).toLowerCase(),
    ),
  )
  const month = months.findIndex((texts) => texts.some((text) => text.split(/[\s.]+/).some((word) => word.startsWith(letters.slice(0, 3)))))
  return month === -1 ? undefined : dayOf(yearOf(year, today), month + 1, Number(day))
}

function dayOf(year: number, month: number, day: number): string | undefined {
  const time = new Date(0)
  time.setUTCFullYear(year, month - 1, day)
  return year >= 1 && year <= 9999 && time.getUTCMonth() === month - 1 && time.getUTCDate() === day
    ? time.toISOString().slice(0, 10)
    : undefined
}

function moved(today: string, days: number): string | undefined {
  const time = new Date(`${today}T00:00:00Z`)
  time.setUTCDate(time.getUTCDate() + days)
  return dayOf(time.getUTCFullYear(), time.getUTCMonth() + 1, time.getUTCDate())
}
