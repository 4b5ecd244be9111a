/*
 * The oracle: what a filter must select and how a list must be sorted, said a second time in plain JavaScript. It
 * answers from the texts that responses show, and shares no code with src/: its own folding, its own comparisons.
 */

import { phoneBegins, phoneKey, type PhoneCountry } from './phones.ts'

/** An attribute as the oracle knows it. */
export interface Column {
  readonly name: string
  /** The `field_type`, or that of a system attribute. */
  readonly type: string
  /** Labels of a list, those removed since marked. */
  readonly options?: readonly { readonly label: string; readonly removed: boolean }[]
  /** Of a phone: that of the installation, if it has one. */
  readonly country?: PhoneCountry
}

/** A record by the texts a response shows, `id` among them. */
export type Shown = Readonly<Record<string, string>>

/** What is asked of records. `bare`, `upper` and `blank` are spelling and change no answer. */
export type Question =
  | {
      readonly is: 'ask'
      readonly fn: string
      readonly column: Column
      readonly values: readonly string[]
      readonly bare: boolean
      readonly upper: boolean
      readonly blank: string
    }
  | { readonly is: 'and' | 'or'; readonly of: readonly Question[] }
  | { readonly is: 'not'; readonly of: Question }
  | { readonly is: 'search'; readonly text: string; readonly columns: readonly Column[] }

/** How far the service's clock is ahead of UTC, in hours: date-times may be asked with an offset. */
export interface World {
  readonly hoursAhead: number
  /** What the service's clock shows, YYYY-MM-DD HH:MM:SS: `today` and `now` may be asked for. */
  readonly now: string
}

/** Whether a value is a bare word, such as today-30. */
export const isRelative = ({ type }: Column, value: string): boolean => isTime(type) && RELATIVE.test(value)

const RELATIVE = /^(today|now|week|week_friday|week_saturday|week_sunday|month|year)([+-]\d+)?$/
const isTime = (type: string): boolean => type === 'date' || type === 'datetime'

/** The text that a value stands for. */
function resolved({ type }: Column, value: string, { now }: World): string {
  const [, word, days = '0'] = (isTime(type) && RELATIVE.exec(value)) || []
  if (word === undefined) return value
  const [, begin] = /^(?:week|week_(friday|saturday|sunday))$/.exec(word) ?? []
  const moment = new Date(`${now.replace(' ', 'T')}Z`)
  if (word === 'year') moment.setUTCFullYear(moment.getUTCFullYear() + Number(days), 0, 1)
  else if (word === 'month') moment.setUTCMonth(moment.getUTCMonth() + Number(days), 1)
  else moment.setUTCDate(moment.getUTCDate() + Number(days) * (word.startsWith('week') ? 7 : 1))
  if (word.startsWith('week')) {
    const first = { friday: 5, saturday: 6, sunday: 0 }[begin ?? ''] ?? 1
    while (moment.getUTCDay() !== first) moment.setUTCDate(moment.getUTCDate() - 1)
  }
  const moved = moment.toISOString()
  return word !== 'now' || type === 'date' ? moved.slice(0, 10) : `${moved.slice(0, 10)} ${moved.slice(11, 19)}`
}

export function holds(question: Question, row: Shown, world: World): boolean {
  switch (question.is) {
    case 'and':
      return question.of.every((one) => holds(one, row, world))
    case 'or':
      return question.of.some((one) => holds(one, row, world))
    case 'not':
      return !holds(question.of, row, world)
    case 'search':
      return isFound(question.text, question.columns, row)
    case 'ask': {
      // An attribute of a record that is not there, or that is not to be seen.
      if (question.column.name.includes('.') && row[question.column.name] === undefined) return false
      const answer = answers[question.fn]
      if (!answer) throw new Error(`the oracle does not know ${question.fn}`)
      const values = question.values.map((value) => resolved(question.column, value, world))
      return answer(row[question.column.name]!, values, question.column, world)
    }
  }
}

/** DECISIONS Q14. */
function isFound(text: string, columns: readonly Column[], row: Shown): boolean {
  const wanted = words(folded(text))
  const within = columns.flatMap(({ name, type }) => (name === 'id' || type === 'phone' ? [] : words(folded(row[name]!))))
  const phones = columns.filter(({ type }) => type === 'phone')
  const isPhone = (word: string) =>
    phones.some(({ name, country }) => {
      const key = phoneKey(country, row[name]!)
      return phoneBegins(country, key, word) || (word.length >= 4 && key.endsWith(word))
    })
  const number = wanted.every((word) => /^[0-9]+$/.test(word)) ? wanted.join('') : undefined
  // What begins another word is found with it, also where a phone is found by a prefix that the shorter one does not have whole.
  const longest = wanted.filter((word) => !wanted.some((other) => other !== word && other.startsWith(word)))
  return (
    longest.every((word) => within.some((one) => one.startsWith(word)) || (/^[0-9]+$/.test(word) && isPhone(word))) ||
    (number !== undefined && isPhone(number))
  )
}

/** Runs of what is neither punctuation nor a symbol, a blank or a control character. */
export const words = (text: string): string[] => text.split(/[\p{P}\p{S}\p{Z}\p{Cc}\p{Cf}\p{Co}]+/u).filter((word) => word !== '')

type Answer = (shown: string, values: readonly string[], column: Column, world: World) => boolean

const compared =
  (meets: (order: number) => boolean): Answer =>
  (shown, [value], column, world) =>
    meets(compare(column, shown, value!, world))

/** `ofPhone`: what else holds for the key of a phone. */
const pieces =
  (
    meets: (text: string, part: string) => boolean,
    ofPhone: (country: PhoneCountry | undefined, key: string, part: string) => boolean = phoneBegins,
  ): Answer =>
  (shown, [part], { type, country }) => {
    if (type !== 'phone') return meets(folded(shown), folded(part!))
    const key = phoneKey(country, shown)
    return meets(key, digits(part!)) || ofPhone(country, key, part!)
  }

/** By function; the test compares the names with those of the service. */
export const answers: Readonly<Record<string, Answer>> = {
  eq: compared((order) => order === 0),
  ne: compared((order) => order !== 0),
  gt: compared((order) => order > 0),
  gte: compared((order) => order >= 0),
  lt: compared((order) => order < 0),
  lte: compared((order) => order <= 0),
  in: (shown, values, column, world) => values.some((value) => compare(column, shown, value, world) === 0),
  nin: (shown, values, column, world) => values.every((value) => compare(column, shown, value, world) !== 0),
  between: (shown, [low, high], column, world) => compare(column, shown, low!, world) >= 0 && compare(column, shown, high!, world) <= 0,
  starts_with: pieces((text, part) => text.startsWith(part)),
  ends_with: pieces(
    (text, part) => text.endsWith(part),
    (country, key, part) => key === phoneKey(country, part),
  ),
  contains: pieces((text, part) => text.includes(part)),
  has: (shown, [member], column) => members(column, shown).includes(memberForm(column, member!)),
  is_empty: (shown, _, column, world) => shown === emptyText(column, shown, world),
}

/** Negative, zero or positive: two texts of one attribute, each shown by a response or written by a client. */
export function compare(column: Column, left: string, right: string, world: World): number {
  const [a, b] = [meant(column, left, world), meant(column, right, world)]
  if (typeof a === 'bigint' && typeof b === 'bigint') return a < b ? -1 : a > b ? 1 : 0
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)))
}

/** What a text stands for: a number in units of 10^-9, or a text that sorts by its bytes. */
function meant(column: Column, text: string, { hoursAhead }: World): bigint | string {
  switch (column.type) {
    case 'integer':
    case 'decimal':
    case 'boolean':
    case 'autonumber':
    case 'reference':
    case 'user':
    case 'group':
      return billionths(text)
    case 'datetime':
      return wallClock(text, hoursAhead)
    case 'date':
      return text === '' ? '0000-00-00' : text.slice(0, 10)
    case 'references':
    case 'users':
      return [...new Set(idsIn(text))].map((id, i) => (i === 0 ? `-${id}-` : `${id}-`)).join('')
    case 'multilist':
      return [
        ...new Set(
          text
            .split(/\r?\n/)
            .filter((label) => label !== '')
            .map((label) => spelled(column, label)),
        ),
      ]
        .map(folded)
        .join('\r\n')
    case 'phone':
      return phoneKey(column.country, text)
    case 'text':
    case 'longtext':
    case 'email':
    case 'url':
    case 'list':
    case 'file':
    case 'image':
      return folded(text)
    default:
      throw new Error(`the oracle does not know the type ${column.type}`)
  }
}

function billionths(text: string): bigint {
  const word = text.toLowerCase()
  if (word === '' || word === 'false') return 0n
  if (word === 'true') return 1_000_000_000n
  const [whole = '', fraction = ''] = text.replace('-', '').split('.')
  const size = BigInt(whole) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0').slice(0, 9))
  return text.startsWith('-') ? -size : size
}

function wallClock(text: string, hoursAhead: number): string {
  if (text === '' || text.startsWith('0000')) return '0000-00-00 00:00:00'
  if (text.length <= 19) return `${text.slice(0, 10)} ${text.slice(11) || '00:00:00'}`
  return new Date(Date.parse(text) + hoursAhead * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
}

const idsIn = (text: string): bigint[] =>
  text
    .split('-')
    .filter((id) => id !== '')
    .map(BigInt)
const digits = (text: string): string => [...text].filter((character) => character >= '0' && character <= '9').join('')

/** The label that a text means: spelled just so, else but for case, and then rather one that was not removed. */
function spelled({ options = [] }: Column, text: string): string {
  const labels = [...options].sort((a, b) => Number(a.removed) - Number(b.removed)).map(({ label }) => label)
  return labels.find((label) => label === text) ?? labels.find((label) => folded(label) === folded(text)) ?? text
}

function members({ type }: Column, shown: string): string[] {
  if (shown === '') return []
  return type === 'references' || type === 'users' ? idsIn(shown).map(String) : shown.split('\r\n').map(folded)
}

const memberForm = ({ type }: Column, member: string): string =>
  type === 'references' || type === 'users' ? String(BigInt(member)) : folded(member)

function emptyText(column: Column, shown: string, world: World): string {
  if (column.type === 'datetime') return '0000-00-00 00:00:00'
  if (column.type === 'date') return '0000-00-00'
  // As many digits as this value has after its point.
  if (typeof meant(column, shown, world) === 'bigint') return shown.replaceAll(/[1-9-]/g, '0').replace(/^0+(?=\d)/, '')
  return ''
}

/** DECISIONS Q3: NFC, lower case code point by code point, NFC again, ё as е with no second diaeresis, ς as σ. */
export function folded(text: string): string {
  let form = forms.get(text)
  if (form === undefined) {
    if (forms.size >= FORMS) forms.clear()
    forms.set(text, (form = fold(text)))
  }
  return form
}

/** Long tests ask for the same texts again and again. */
const forms = new Map<string, string>()
const FORMS = 50_000

function fold(text: string): string {
  const lower = Array.from(text.normalize('NFC'), (character) => character.toLowerCase())
    .join('')
    .normalize('NFC')
  let form = ''
  let afterYo = false
  for (const character of lower) {
    const mark = /\p{M}/u.test(character)
    if (!(afterYo && character === '\u0308')) form += character === 'ё' ? 'е' : character === 'ς' ? 'σ' : character
    afterYo = character === 'ё' || (afterYo && mark)
  }
  return form.normalize('NFC')
}

/** The records in the order that `keys` ask for; the id decides between equals. */
export const sorted = (
  rows: readonly Shown[],
  keys: readonly { readonly column: Column; readonly descending: boolean }[],
  world: World,
): Shown[] =>
  [...rows].sort((left, right) => {
    for (const { column, descending } of keys) {
      const order = compare(column, left[column.name]!, right[column.name]!, world)
      if (order !== 0) return descending ? -order : order
    }
    return Number(left['id']) - Number(right['id'])
  })

/** The text of a question, as a client may write it. */
export function write(question: Question): string {
  switch (question.is) {
    case 'and':
    case 'or':
      return `${question.is}(${question.of.map(write).join(',')})`
    case 'not':
      return `not(${write(question.of)})`
    case 'search':
      return `search('${question.text.replaceAll("'", "''")}')`
    case 'ask': {
      const { fn, column, values, bare, upper, blank } = question
      const written = values.map((value) =>
        (bare && /^-?\d+(\.\d+)?$/.test(value)) || isRelative(column, value) ? value : `'${value.replaceAll("'", "''")}'`,
      )
      return `${blank}${upper ? fn.toUpperCase() : fn}${blank}(${[column.name, ...written].join(`${blank},${blank}`)}${blank})${blank}`
    }
  }
}
