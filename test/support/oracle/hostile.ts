import type { PhoneCountry } from './phones.ts'
import { answers, folded, words, type Column, type Question, type Shown } from './answer.ts'
import * as fc from '../fast-check.ts'

/*
 * Values that engines are known to disagree about, and questions about them. Everything generated here is accepted by
 * the service; what it refuses has tests of its own.
 */

/** An attribute of the hostile table, and how values of it are made. */
export interface HostileColumn extends Column {
  readonly settings: { readonly scale?: number; readonly phoneCountry?: string }
  /** What a client writes into a record. */
  readonly value: fc.Arbitrary<string>
  /** What a client compares with. */
  readonly operand: fc.Arbitrary<string>
  /** What a client looks for in the shown value. */
  readonly part: fc.Arbitrary<string>
  readonly member?: fc.Arbitrary<string>
  /** Shown where it is named only; not searched, and no part of rules. */
  readonly onlyNamed?: true
}

/** Letters that go together: a word is made of one of these alphabets, so that words often meet. */
const alphabets: readonly (readonly string[])[] = [
  // wildcards and escapes
  [...'aAb%_*?\\'],
  // signs of SQL, JSON and arrays, and what looks like a number
  [...'\'"`,;{}[]01-. '],
  // letters with marks, in both forms; some are one code point in lower case alone
  ['J\u030c', 'ǰ', 'é', 'e\u0301', 'e', '\u0301', 'É', '\u0308', 'Å', '\u212b'],
  // ё is е, with one diaeresis or two
  [...'ЁёЕеЙй', 'е\u0308', '\u0308', '\u0306'],
  // cases that change length or depend on neighbours
  [...'ßẞİiıI№NΣσς', '\u212a', 'k', '\u2126', 'ω'],
  // ligatures, and letters with three cases
  [...'ſsSﬁFfiǅǆǄᾼᾳ', '\u0345'],
  // what terminals, editors and protocols give a meaning
  ['\u0001', '\t', '\u000b', '\u001b', '\u001f', '\u007f', '\u0085', '\u00a0', '\u2028', '\ufeff', 'a', 'A'],
  // both sides of the surrogates, pairs with the last unit of their kind, and the last code point
  ['a', '\ud7ff', '\ue000', '\uff5e', '\ufffd', '\uffff', '😀', '\u{1f3ff}', '\u{10ffff}'],
]
const breaks = ['\r\n', '\n', '\r']
const size = { maxLength: 4 }
const word = (units: readonly string[], constraints: { minLength?: number; maxLength?: number } = size): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...units), ...constraints })
const oneLine = fc.oneof(...alphabets.map((letters) => word(letters)))
const anyText = fc.oneof(...alphabets.map((letters) => word([...letters, ...breaks])))
/** Neither separators of paths and addresses nor blanks, controls and marks. */
const inner = fc.oneof(
  ...alphabets.map((letters) =>
    word(
      letters.filter((letter) => !/[\s\p{Cc}"`,;[\]{}\\/\p{M}\uffff\u{10ffff}\ue000\ud7ff]/u.test(letter)),
      { minLength: 1, maxLength: 3 },
    ),
  ),
)

const number = fc.oneof(
  { weight: 4, arbitrary: fc.bigInt({ min: -30n, max: 30n }) },
  fc.constantFrom(100n, 101n, -100n, 9007199254740993n, 9007199254740992n, 999999999999999999n, -999999999999999999n),
)
const id = fc.constantFrom('1', '2', '4', '7', '12', '42', '9007199254740991')
const day = fc
  .tuple(fc.constantFrom('2023', '2024'), fc.constantFrom('01', '05', '12'), fc.constantFrom('01', '15', '28'))
  .map((parts) => parts.join('-'))
/** The first and the last there are, and days that not every year has. */
const limitDay = fc.constantFrom('0001-01-01', '9999-12-31', '2024-02-29', '1900-02-28', '1582-10-10')
const anyDay = fc.oneof({ weight: 4, arbitrary: day }, limitDay)
/** Days from 2024-05-15 that lead to such days, among others. */
// prettier-ignore
const relative = fc.constantFrom(
  'today', 'now', 'today-14', 'now-14', 'today+13', 'now-0', 'today-500', 'today+231',
  'week', 'week_sunday-2', 'week_saturday', 'week_friday+33', 'month', 'month-4', 'month+8', 'year', 'year-1', 'year+1',
)
const clock = fc.constantFrom('00:00:00', '00:00:01', '09:30:15', '23:59:59')
const phone = fc
  .string({ unit: fc.constantFrom(...'0123456789', '+7', '-', ' ', '(', ')'), maxLength: 6 })
  .filter((text) => text === '' || /\d/.test(text))
const fileName = inner.map((text) => `${text}.png`)

export const labels = [
  { label: 'a', removed: false },
  { label: 'A b', removed: false },
  { label: 'Ёж', removed: false },
  { label: '%', removed: false },
  { label: "o'k", removed: false },
  { label: '😀', removed: false },
  { label: '\uff5e', removed: false },
  { label: 'ß', removed: false },
  { label: 'Σς', removed: false },
  { label: 'e\u0301', removed: false },
  { label: 'Gone', removed: true },
  { label: 'ЕЖ', removed: true },
  { label: '10', removed: false },
  { label: '9', removed: false },
]
const label = fc.constantFrom(...labels.map((option) => option.label))
/** Names that differ for the eye. */
const distinct = (names: string[]): string[] => [...new Map(names.map((name) => [name.normalize('NFC'), name])).values()]

const changes: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.toUpperCase(),
  (text) => text.toLowerCase(),
  (text) => text.normalize('NFD'),
  (text) => text.replaceAll(/ё/gi, 'Е'),
]
/** The same to a reader who does not mind case; file names stay distinct. */
const recased = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(text, fc.constantFrom(...changes)).map(([text, change]) => {
    const changed = change(text)
    const names = changed.split('\r\n')
    return folded(changed) === folded(text) && distinct(names).length === names.length ? changed : text
  })
const subset = (of: readonly string[], most = 3) => fc.shuffledSubarray([...of], { maxLength: most })

const maybe = (value: fc.Arbitrary<string>, empty = ''): fc.Arbitrary<string> =>
  fc.oneof({ weight: 5, arbitrary: value }, fc.constant(empty))
const texts = (value: fc.Arbitrary<string>) => ({ settings: {}, value, operand: anyText, part: anyText })

/** A number of so many digits after the point, in one of the ways it may be written. */
const written = (scale: number, plain = false): fc.Arbitrary<string> =>
  fc.tuple(number, fc.boolean(), fc.constantFrom('', '00')).map(([units, short, zeros]) => {
    const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0')
    const whole = digits.slice(0, digits.length - scale)
    const fraction = digits.slice(digits.length - scale)
    const point = short ? fraction.replace(/0+$/, '') : fraction
    return `${units < 0n ? '-' : ''}${plain ? '' : zeros}${whole}${point === '' ? '' : `.${point}`}`
  })
const piecesOfNumbers = fc.oneof(word([...'-.01235'], { maxLength: 2 }), anyText)
const numbers = (scale: number, value = written(scale, true)) => ({
  settings: { scale },
  value: maybe(value),
  operand: maybe(written(scale)),
  part: piecesOfNumbers,
})
const ids = {
  settings: {},
  value: maybe(id, '0'),
  operand: fc.oneof(
    id,
    id.map((text) => `00${text}`),
    fc.constantFrom('', '0', '00'),
  ),
  part: piecesOfNumbers,
}
const idLists = {
  settings: {},
  value: subset(['1', '2', '4', '7', '12', '42']).map((list) => (list.length === 0 ? '' : `-${list.join('-')}-`)),
  operand: fc.oneof(
    fc.array(id, { minLength: 1, maxLength: 3 }).map((list) => `-${list.join('-')}-`),
    id,
    fc.constant(''),
  ),
  part: fc.oneof(word([...'-01247'], { maxLength: 4 }), anyText),
  member: fc.oneof(
    id,
    id.map((text) => `0${text}`),
  ),
}
const names = (most: number) => fc.array(fileName, { maxLength: most }).map((list) => distinct(list).join('\r\n'))
const files = { settings: {}, value: names(3), operand: recased(names(2)), part: anyText, member: recased(fileName) }
const times = (pieces: fc.Arbitrary<string>) => ({
  settings: {},
  part: fc.oneof(fc.constantFrom('2024', '2024-05', '-', ' 0', '0000', ':00', '15', '2024-05-01 09'), relative, pieces),
})
const moment = fc.tuple(day, clock).map(([date, time]) => `${date} ${time}`)
const anyMoment = fc.tuple(anyDay, clock).map(([date, time]) => `${date} ${time}`)

/** A decimal field with so many digits after the point. */
export const decimalColumn = (name: string, scale: number): HostileColumn => ({ name, type: 'decimal', ...numbers(scale) })

/** A phone of an installation with a country. */
export const phoneColumn = (name: string, country: PhoneCountry): HostileColumn => {
  const number = fc
    .tuple(
      fc.constantFrom('', '', '+', '8', '0', '00', '810', '8 10 ', '(0)', '+7', '+49', '+49 (0)', '0049', '007', '80', '7', '49'),
      fc.constantFrom(
        '',
        '9001234567',
        '900 123-45-67',
        '(495) 123-45-67',
        '30 12345',
        '7 900 1234567',
        '101',
        '44 (0)20 79460958',
        '4930 12345',
        '39 06 123456',
      ),
      fc.constantFrom('', '', '', ' ext 12', '#1', ', 2', ' доб. 12', '0'),
    )
    .map((parts) => parts.join(''))
  const value = fc.oneof({ weight: 4, arbitrary: number }, phone).filter((text) => text === '' || /\d/.test(text))
  return { name, type: 'phone', country, settings: { phoneCountry: country }, value, operand: value, part: fc.oneof(value, phone) }
}

export const hostileColumns: readonly HostileColumn[] = [
  { name: 'f1', type: 'text', ...texts(oneLine) },
  { name: 'f2', type: 'longtext', ...texts(anyText) },
  { name: 'f3', type: 'integer', ...numbers(0) },
  decimalColumn('f4', 2),
  decimalColumn('f5', 9),
  decimalColumn('f6', 0),
  {
    name: 'f7',
    type: 'datetime',
    ...times(anyText),
    value: maybe(anyMoment),
    operand: fc.oneof(
      anyMoment,
      anyDay,
      anyMoment.map((text) => text.replace(' ', 'T')),
      fc.tuple(moment, fc.constantFrom('Z', '+03:00', '-05:30')).map(([text, zone]) => text.replace(' ', 'T') + zone),
      fc.constantFrom('', '0000-00-00', '0000-00-00 00:00:00'),
      relative,
    ),
  },
  {
    name: 'f8',
    type: 'date',
    ...times(anyText),
    value: maybe(anyDay),
    operand: fc.oneof(
      anyDay,
      anyDay.map((text) => `${text} 00:00:00`),
      fc.constantFrom('', '0000-00-00'),
      relative,
    ),
  },
  {
    name: 'f9',
    type: 'boolean',
    settings: {},
    value: fc.constantFrom('', '0', '1', 'true'),
    operand: fc.constantFrom('', '0', '1', 'true', 'FALSE'),
    part: piecesOfNumbers,
  },
  { name: 'f10', type: 'list', settings: {}, options: labels, value: maybe(label), operand: maybe(recased(label)), part: anyText },
  {
    name: 'f11',
    type: 'multilist',
    settings: {},
    options: labels,
    part: anyText,
    member: recased(label),
    value: subset(labels.map((option) => option.label)).map((list) => list.join('\r\n')),
    operand: fc
      .tuple(fc.array(recased(label), { maxLength: 3 }), fc.constantFrom('\r\n', '\n'))
      .map(([list, between]) => list.join(between)),
  },
  { name: 'f12', type: 'reference', ...ids },
  { name: 'f13', type: 'references', ...idLists },
  { name: 'f14', type: 'user', ...ids },
  { name: 'f15', type: 'users', ...idLists },
  { name: 'f16', type: 'group', ...ids },
  { name: 'f17', type: 'file', ...files },
  { name: 'f18', type: 'image', ...files },
  { name: 'f19', type: 'email', ...texts(maybe(inner.map((text) => `${text}@a.ru`))) },
  { name: 'f20', type: 'phone', settings: {}, value: phone, operand: phone, part: phone },
  {
    name: 'f21',
    type: 'url',
    ...texts(maybe(fc.tuple(fc.constantFrom('http://x.ru/', 'a.ru/', 'HTTPS://a.b/'), inner).map((parts) => parts.join('')))),
  },
  { name: 'f22', type: 'autonumber', settings: {}, value: fc.nat(30).map(String), operand: maybe(written(0)), part: piecesOfNumbers },
]

/** What every record has besides its fields; the id is not written. */
export const systemColumns: readonly HostileColumn[] = [
  { name: 'id', type: 'integer', settings: {}, value: fc.constant(''), operand: fc.nat(45).map(String), part: piecesOfNumbers },
  { name: 'user_id', type: 'user', ...ids, value: fc.constantFrom('1', '2', '3') },
  { name: 'add_time', type: 'datetime', ...times(anyText), value: moment, operand: fc.oneof(moment, day, relative) },
  {
    name: 'status',
    type: 'integer',
    settings: {},
    value: fc.constantFrom('0', '1'),
    operand: fc.constantFrom('0', '1', '2', ''),
    part: piecesOfNumbers,
  },
]

/** When a record was last written. */
export const updateTime: HostileColumn = {
  ...systemColumns.find(({ name }) => name === 'add_time')!,
  name: 'update_time',
  onlyNamed: true,
}

/** Records by what a client writes into them. */
export const hostileRecord = (columns: readonly HostileColumn[] = hostileColumns): fc.Arbitrary<Record<string, string>> =>
  fc.record(Object.fromEntries(columns.map((column) => [column.name, column.value])))

const SETS: readonly string[] = ['multilist', 'references', 'users', 'file', 'image']
/** Where engines differ most. */
const MOSTLY: readonly string[] = ['text', 'longtext', 'list']
const ORDERED: readonly string[] = ['gt', 'gte', 'lt', 'lte', 'between']
const PIECES: readonly string[] = ['starts_with', 'ends_with', 'contains']

/** Questions about these columns, which are all that a record has. */
export function hostileQuestion(columns: readonly HostileColumn[], rows: readonly Shown[]): fc.Arbitrary<Question> {
  const question = anyQuestion(columns, rows)
  // The words of a record are its own, not those of the record that a reference names.
  const search = hostileSearch(
    columns.filter(({ name, onlyNamed }) => !name.includes('.') && !onlyNamed),
    rows,
  )
  const both = fc.record({ is: fc.constantFrom('and', 'or'), of: fc.tuple(search, question).map((two) => [...two]) })
  return fc.oneof(
    { weight: 12, arbitrary: question },
    { weight: 2, arbitrary: search },
    { weight: 1, arbitrary: fc.record({ is: fc.constant('not'), of: search }) },
    { weight: 1, arbitrary: both },
  )
}

/** Beginnings of words that records have, and others; as many as one search takes. */
function hostileSearch(columns: readonly HostileColumn[], rows: readonly Shown[]): fc.Arbitrary<Question> {
  const about: Column[] = columns.map(({ name, type, country }) => ({ name, type, ...(country && { country }) }))
  const shown = columns.filter(({ name }) => name !== 'id').flatMap(({ name }) => rows.map((row) => row[name]!))
  const there = recased(fc.constantFrom(...shown.filter((text) => text !== ''))).chain((text) =>
    fc.tuple(fc.constant([...text]), fc.nat(8), fc.nat(5)).map(([points, from, size]) => {
      const start = from > 4 ? 0 : from % points.length
      return points.slice(start, start + 1 + size).join('')
    }),
  )
  const numbers = columns.filter(({ type }) => type === 'phone').flatMap(({ name }) => rows.map((row) => row[name]!))
  const end = fc.tuple(fc.constantFrom('', ...numbers), fc.integer({ min: 3, max: 9 })).map(([text, size]) => text.slice(-size))
  const piece = fc.oneof({ weight: 4, arbitrary: there }, nearly(there), anyText, phone, end)
  return fc
    .tuple(fc.array(piece, { minLength: 1, maxLength: 3 }), fc.constantFrom(' ', ' ', '-', '\t', ''))
    .map(([pieces, between]) => pieces.join(between))
    .filter((text) => [1, 2, 3, 4, 5].includes(words(folded(text)).length) && text.isWellFormed())
    .map((text) => ({ is: 'search', text, columns: about }))
}

/** Questions about single columns; about half of the values come from the records, so that many questions meet some. */
function anyQuestion(columns: readonly HostileColumn[], rows: readonly Shown[]): fc.Arbitrary<Question> {
  const asked = fc.oneof(
    ...columns.map((column) => ({
      weight: MOSTLY.includes(column.type) ? 4 : 1,
      arbitrary: fc.oneof(
        ...Object.keys(answers).flatMap((fn) =>
          ask(column, fn, rows).map((arbitrary) => ({ weight: PIECES.includes(fn) ? 3 : 1, arbitrary })),
        ),
      ),
    })),
  )
  return fc.letrec<{ question: Question }>((tie) => ({
    question: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      { weight: 4, arbitrary: asked },
      {
        weight: 1,
        arbitrary: fc.record({ is: fc.constantFrom('and', 'or'), of: fc.array(tie('question'), { minLength: 1, maxLength: 3 }) }),
      },
      { weight: 1, arbitrary: fc.record({ is: fc.constant('not'), of: tie('question') }) },
    ),
  })).question
}

function ask(column: HostileColumn, fn: string, rows: readonly Shown[]): fc.Arbitrary<Question>[] {
  const isSet = SETS.includes(column.type)
  if (fn === 'has' ? !isSet : isSet && ORDERED.includes(fn)) return []
  const spelling = { bare: fc.boolean(), upper: fc.boolean(), blank: fc.constantFrom('', '', '', ' ', '\t\n ') }
  const { name, type, options, country } = column
  const about: Column = { name, type, ...(options && { options }), ...(country && { country }) }
  return [
    fc.record({ is: fc.constant('ask'), fn: fc.constant(fn), column: fc.constant(about), values: values(column, fn, rows), ...spelling }),
  ]
}

function values(column: HostileColumn, fn: string, rows: readonly Shown[]): fc.Arbitrary<string[]> {
  if (fn === 'is_empty') return fc.constant([])
  if (fn === 'has') return column.member!.map((member) => [member])
  const texts = rows.flatMap((row) => row[column.name] ?? [])
  const there = fc.constantFrom(...(texts.length > 0 ? texts : ['']))
  if (PIECES.includes(fn)) return piece(fn, there, column).map((part) => [part])
  const shown = FOLDED.includes(column.type) ? recased(there) : there
  const whole = FREE.includes(column.type) ? fc.oneof(column.operand, shown, nearly(there)) : fc.oneof(column.operand, shown)
  if (fn === 'in' || fn === 'nin')
    return fc.oneof(fc.array(whole, { minLength: 1, maxLength: 4 }), fc.array(whole, { minLength: 8, maxLength: 10 }))
  const bound = column.type === 'list' && ORDERED.includes(fn) ? fc.oneof(whole, anyText) : whole
  if (fn !== 'between') return bound.map((value) => [value])
  return fc.oneof(
    fc.tuple(bound, bound).map((both) => [...both]),
    bound.map((both) => [both, both]),
  )
}

/** A beginning, an end or a middle of a shown value, as the function looks for it; or something else. */
function piece(fn: string, there: fc.Arbitrary<string>, column: HostileColumn): fc.Arbitrary<string> {
  const shown = FOLDED.includes(column.type) ? recased(there) : there
  const cut = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
    fc.tuple(text, fc.nat(6), fc.nat(6)).map(([text, from, size]) => {
      const points = [...text]
      const start = fn === 'starts_with' ? 0 : from % (points.length + 1)
      return points.slice(start, fn === 'ends_with' ? undefined : start + size).join('')
    })
  const pieces = fc.oneof(column.part, cut(shown), nearly(cut(there)))
  return column.type === 'phone' ? pieces.filter((text) => text === '' || /\d/.test(text)) : pieces
}

/** With one letter changed for another. */
const nearly = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(text, fc.nat(6), fc.constantFrom(...alphabets.flat())).map(([text, at, letter]) => {
    const points = [...text]
    points[at % Math.max(points.length, 1)] = letter
    return points.join('')
  })

const FREE: readonly string[] = ['text', 'longtext', 'email', 'url']
const FOLDED: readonly string[] = [...FREE, 'list', 'file', 'image']
