import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { describe, it } from 'node:test'
import { readCsv } from '../../src/transfer/read-csv.ts'
import { guessType, looksLike } from '../../src/transfer/guess-type.ts'
import { Failure } from '../../src/errors.ts'
import { plain, type Attribute, type FieldType } from '../../src/fields/field-type.ts'
import { fold } from '../../src/fields/fold.ts'
import { fieldType, fieldTypes } from '../../src/fields/index.ts'
import { parseLiteral, parseValue } from '../../src/fields/value.ts'
import { check } from '../../src/filter/check.ts'
import { parseLegacy } from '../../src/filter/legacy.ts'
import { parse } from '../../src/filter/parse.ts'
import { finder } from '../../src/filter/piece-search.ts'
import { parseSort } from '../../src/filter/sort.ts'
import { isKnown } from '../../src/http/answers/etag.ts'
import { parseJson, plainNumber } from '../../src/http/bodies/json.ts'
import { mediaTypes, mustBeAcceptable } from '../../src/http/answers/negotiation.ts'
import { pathPattern } from '../../src/http/routing/paths.ts'
import { decodeQuery, readQuery } from '../../src/http/routing/query.ts'
import { contentDisposition } from '../../src/http/resources/file.ts'
import { routes } from '../../src/http/routes.ts'
import { sort } from '../../src/http/routing/readers.ts'
import { gramsOf, gramsWithin } from '../../src/sql/grams.ts'
import type { Field } from '../../src/store/model/catalogue.ts'
import { findAnyByKey } from '../../src/store/records/find-by-key.ts'
import { sqlite } from '../../src/sql/sqlite.ts'
import { membersOf } from '../../src/store/structure/convert-by-key.ts'

/*
 * Nothing that reads what a client sends takes longer than in proportion to its length. Each row makes an input of about n
 * characters, the worst we know of for one reader, and reads it; a refusal is an answer. A new reader is a new row.
 */

interface Row {
  /** What reads. */
  readonly reader: string
  /** What is bad about the input. */
  readonly of: string
  readonly input: (n: number) => string
  readonly read: (input: string) => unknown
}

const row = (reader: string, of: string, input: Row['input'], read: Row['read']): Row => ({ reader, of, input, read })
const times =
  (piece: string, before = '', after = ''): Row['input'] =>
  (n) =>
    before + piece.repeat(Math.ceil(n / piece.length)) + after

const context = { timeZone: 'UTC' }
const json = (text: string) => parseJson(Buffer.from(text))
const options = Array.from({ length: 1_000 }, (_, i) => ({ id: i + 1, label: `Option ${i}`, removed: false }))
const settingsOf = (type: FieldType) => ({ ...plain, ...type.exampleSettings, ...(type.settings.includes('options') && { options }) })
const attributes = new Map(
  fieldTypes.map((type): [string, Attribute] => [
    type.name,
    { name: type.name, column: type.name, ...(type.key && { keyColumn: `${type.name}k` }), type, settings: settingsOf(type) },
  ]),
)
const filter = (text: string) => check(parse(text, 1_048_576), { attributes, context })
const bearer = (text: string) => /^Bearer +(\S+) *$/i.exec(text)
const patterns = routes.map(({ path }) => pathPattern(path))
const list = { query: { sort }, legacyFilter: true, sparseFields: true } as const
const csv = async (text: string) => {
  const file = await readCsv(Readable.from([Buffer.from(text)]), { encoding: 'utf-8' })
  for await (const _ of file.batches()) void _
}

const key = { ...attributes.get('text')!, id: 1, tableId: 1 } as Field
const linesOf = (text: string) => membersOf(attributes.get('longtext')!, attributes.get('references')!, key, text)
const emptyStore = { db: { dialect: sqlite } as never, context: { ...context, now: () => '' } }
/** In a table without records. */
const byKey = (text: string) => findAnyByKey(emptyStore, { all: async () => [] }, key, text.split('\n'))
/** The ways of writing a word of 16 letters, as far as they go, one a line. */
const spellings = (n: number): string =>
  Array.from({ length: n / 4 }, (_, i) =>
    [...'abcdefghijklmnop'].map((letter, at) => ((i >> at) & 1 ? letter.toUpperCase() : letter)).join(''),
  ).join('\n')

const MARKS = '\u0301\u0316'

/** Texts that are bad for some pattern of some type; each type is given each. */
const hostile: readonly (readonly [of: string, input: Row['input']])[] = [
  ['letters', times('a')],
  ['letters with an end of another kind', times('a', '', '!')],
  ['marks', times(MARKS, 'a')],
  ['marks of which no run is too long', times(`a${MARKS.repeat(15)}`)],
  ['zeros', times('0', '0.', '1')],
  ['digits', times('1', '', 'x')],
  ['ids', times('-1', '', '-')],
  ['ids with a fault at the end', times('-1', '', '-x')],
  ['labels', times('a\r\n', 'x')],
  ['blanks', times(' ', '1', '1')],
  ['line breaks', times('\n', 'a', 'a')],
  ['labels of an address', times('a-', 'a@', '!')],
  ['dots', times('a.', 'a@', '!')],
  ['a host', times('a.', 'http://', ' ')],
  ['brackets and digits', times('1-', 'tel:', 'x')],
  ['letters of other scripts', times('Ёлка ')],
]

const rows: readonly Row[] = [
  row('body', 'zeros of a number', times('0', '[0.', '1]'), json),
  row('body', 'zeros at the end of a number', times('0', '[1.', ']'), json),
  row('body', 'zeros in the middle of a number', times('0', '[1.1', '1e5]'), json),
  row('body', 'long numbers', times('12345678901234567890,', '[', '1]'), json),
  row('body', 'numbers with an exponent', times('1e5,', '[', '1]'), json),
  row('body', 'empty objects', times('{},', '{"data":[', '{}]}'), json),
  row('body', 'arrays in each other', times('['), json),
  row('body', 'objects in each other', times('{"a":'), json),
  row('body', 'names', (n) => `{${Array.from({ length: Math.min(49_000, n / 8) }, (_, i) => `"${i}x":0`).join(',')}}`, json),
  row('body', 'a string of escapes', times('\\"', '"', '"'), json),
  row('body', 'a string that does not end', times('x\\\\', '"'), json),
  row('body', 'a string with an escape now and then', times(`${'x'.repeat(80)}\\"`, '"', '"'), json),
  row('body', 'blanks', times(' ', '[', ']'), json),
  row('body', 'commas', times(','), json),
  row('body', 'colons', times(':'), json),
  row('number', 'zeros', times('0', '0.', '1'), plainNumber),
  row('number', 'zeros and an exponent', times('0', '1.', '1e10'), plainNumber),

  row('fold', 'marks', times(MARKS, 'a'), fold),
  row('fold', 'marks of which no run is too long', times(`a${MARKS.repeat(15)}`), fold),
  row('fold', 'ё with diaereses', times('\u0308', 'ё'), fold),
  row('fold', 'capital letters', times('ЁΣİ'), fold),
  ...fieldTypes.flatMap((type) =>
    hostile.flatMap(([of, input]) => [
      row(`value of ${type.name}`, of, input, (text) => parseValue(type, text, settingsOf(type), context)),
      row(`literal of ${type.name}`, of, input, (text) => parseLiteral(type, text, settingsOf(type), context)),
    ]),
  ),
  ...hostile.flatMap(([of, input]) =>
    ['contains', 'has'].flatMap((fn) =>
      ['text', 'phone', 'list', 'multilist', 'file'].map((name) =>
        row(`operand of ${fn} on ${name}`, of, input, (text) => filter(`${fn}(${name},'${text}')`)),
      ),
    ),
  ),

  row('filter', 'brackets', times('not(', ''), filter),
  row('filter', 'functions', times("eq(text,'a'),", 'and(', "eq(text,'a'))"), filter),
  row('filter', 'values', times("'a',", 'in(text,', "'a')"), filter),
  row(
    'filter',
    'values of a list',
    (n) => `or(${times(`in(list,${"'Option 1',".repeat(900)}'Option 2'),`)(n)}eq(list,'Option 1'))`,
    filter,
  ),
  row('filter', 'quotes', times("''", "eq(text,'", "')"), filter),
  row('filter', 'blanks', times(' ', 'eq(', 'text)'), filter),
  row('filter', 'blanks before each mark', times(' ( '), filter),
  row('filter', 'digits', times('1', 'eq(integer,', 'x)'), filter),
  row('filter', 'a name', times('a', '', '('), filter),
  row('older filter', 'conditions', times('filter[id][]=1&'), (text) => parseLegacy(decodeQuery(text))),
  row('filter in memory', 'a piece that fails in its middle', times('a'), (text) => finder(`${text}b${text}`)(text.repeat(4))),
  row('filter in memory', 'a piece that fails at its end', times('a'), (text) => finder(`${text}b`)(text.repeat(4))),
  row('filter in memory', 'a piece that fails at its beginning', times('a'), (text) => finder(`b${text}`)(text.repeat(4))),
  row('sort', 'names', times('text,'), (text) => parseSort(text, attributes)),
  row('sort', 'a name', times('a'), (text) => parseSort(text, attributes)),
  row('query', 'parameters', times('a&'), (text) => readQuery(text, list)),
  row('query', 'parameters that are known', times('filter[a]=1&'), (text) => readQuery(text, list)),
  row('query', 'separators', times('&'), (text) => readQuery(text, list)),
  row('query', 'a name of brackets', times('[', 'fields[', ''), (text) => readQuery(text, list)),
  row('query', 'escapes', times('%D0%B0', 'sort='), (text) => readQuery(text, list)),
  row('query', 'blanks', times('+', 'sort='), (text) => readQuery(text, list)),

  row('Accept', 'commas', times(','), mustBeAcceptable),
  row('Accept', 'semicolons', times(';'), mediaTypes),
  row('Accept', 'a quote', times('a', 'a/b;c="'), mediaTypes),
  row('Accept', 'escapes in quotes', times('\\"', 'a/b;c="', '"'), mediaTypes),
  row('Accept', 'equal signs', times('=', 'a/b;c'), mediaTypes),
  row('Accept', 'blanks', times(' ', 'a/b;c=', 'd;e'), mediaTypes),
  row('If-None-Match', 'quotes', times('"'), (text) => isKnown(text, '"1"')),
  row('If-None-Match', 'tags', times('W/"1",', '', '"'), (text) => isKnown(text, '"1"')),
  row('If-None-Match', 'weak marks', times('W/'), (text) => isKnown(text, '"1"')),
  row('Authorization', 'blanks', times(' ', 'Bearer', 'a b'), bearer),
  row('Authorization', 'letters', times('a', 'Bearer ', ' b'), bearer),
  row('Authorization', 'blanks at the end', times(' ', 'Bearer a', 'b'), bearer),
  row('path', 'digits', times('1', '/api/dev/data', 'x'), (path) => patterns.map((one) => one.test(path))),
  row('path', 'slashes', times('/', '/api/dev'), (path) => patterns.map((one) => one.test(path))),
  row('path', 'a name of a file', times('a', '/api/dev/file/1/', '/1/'), (path) => patterns.map((one) => one.test(path))),
  row('Content-Disposition', 'letters of other scripts', times('ж'), (name) => contentDisposition('inline', name)),

  row('grams', 'of a text', times('ab1'), (text) => gramsOf(text)),
  row('grams', 'of a text of one letter', times('a'), (text) => gramsOf(text)),
  row('grams', 'of a needle', times('ab1'), gramsWithin),
  row('type of a CSV column', 'letters and digits', times('a1'), (text) => guessType('phone', [text], context)),
  row('type of a CSV column', 'digits', times('1', '', 'x'), (text) => fieldTypes.map(({ name }) => looksLike(name, text))),
  row('names of records', 'line breaks', times('\n', 'a', 'a'), linesOf),
  row('names of records', 'line breaks of both kinds', times('a\r\n\n'), linesOf),
  row('names of records', 'spellings of one key', spellings, byKey),
  row('CSV', 'quoted values of one line', times('"a",', 'a,b\n'), csv),
  row('CSV', 'quotes', times('"', 'a,b\n'), csv),
  row('CSV', 'a quote that stays open', times('a\n', 'a,b\n"'), csv),
  row('CSV', 'line ends', times('\n', 'a,b\n'), csv),
  row('CSV', 'columns', times('a,'), csv),
  row('CSV', 'quoted values with quotes in them', times('"a""b",', 'a,b\n'), csv),
]

/** Characters. */
const SMALL = 16_000
const LARGER = 4
/** How many times longer four times the input may take: 4 is linear, 16 the square; machines stumble. */
const MOST = 9
/** Milliseconds of processor time that nobody is to be blamed for. */
const NOISE = 4

/** Milliseconds of processor time, the best of some runs. */
async function cost({ read }: Row, input: string): Promise<number> {
  let best = Infinity
  for (let run = 0; run < 4 && best > NOISE / 2; run++) {
    const before = process.threadCpuUsage()
    try {
      await read(input)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
    }
    const { user, system } = process.threadCpuUsage(before)
    best = Math.min(best, (user + system) / 1000)
  }
  return best
}

describe('what reads a request takes time in proportion to its length', () => {
  for (const reader of new Set(rows.map((one) => one.reader))) {
    it(reader, async () => {
      for (const one of rows.filter((other) => other.reader === reader)) {
        const small = await cost(one, one.input(SMALL))
        const large = await cost(one, one.input(SMALL * LARGER))
        assert.ok(large <= MOST * Math.max(small, NOISE), `${one.of}: ${small} ms, and ${large} ms for ${LARGER} times as much`)
      }
    })
  }

  it('covers every field type', () => {
    const readers = new Set(rows.map((one) => one.reader))
    for (const { name } of fieldTypes) assert.ok(readers.has(`value of ${name}`) && fieldType(name), name)
  })
})
