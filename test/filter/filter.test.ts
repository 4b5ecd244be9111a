import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Failure } from '../../src/errors.ts'
import { limits } from '../../src/limits.ts'
import { plain, type Attribute, type FieldSettings } from '../../src/fields/field-type.ts'
import { fieldType, fieldTypes } from '../../src/fields/index.ts'
import { print, type Expression, type Node } from '../../src/filter/ast.ts'
import { check, type Scope } from '../../src/filter/check.ts'
import { compile, orderBy } from '../../src/filter/compile.ts'
import { filterFunctions } from '../../src/filter/functions.ts'
import { parseLegacy, type Entry } from '../../src/filter/legacy.ts'
import { mustFitBody, parse } from '../../src/filter/parse.ts'
import { parseSort } from '../../src/filter/sort.ts'
import type { Dialect } from '../../src/sql/dialect.ts'
import { postgres } from '../../src/sql/postgres.ts'
import { join, name, raw, render, sql, type Sql } from '../../src/sql/sql.ts'
import { sqlite } from '../../src/sql/sqlite.ts'
import { scratchDb } from '../support/scratch-db.ts'
import { longFilter } from '../support/long-filter.ts'
import * as fc from '../support/fast-check.ts'

const options = ['New', 'Won', 'Ёлка', 'Lost'].map((label, i) => ({ id: i + 3, label, removed: label === 'Lost' }))

function attribute(called: string, typeName: string, settings: Partial<FieldSettings> = {}): [string, Attribute] {
  const type = fieldType(typeName)!
  return [called, { name: called, column: called, type, settings: { ...plain, ...settings }, ...(type.key && { keyColumn: `${called}k` }) }]
}

const attributes = new Map([
  attribute('f1', 'text'),
  attribute('f2', 'decimal'),
  attribute('f3', 'references'),
  attribute('f4', 'list', { options }),
  attribute('f5', 'multilist', { options }),
  attribute('f6', 'datetime'),
  attribute('f7', 'integer'),
  attribute('f8', 'phone'),
  attribute('f9', 'reference'),
  attribute('f10', 'date'),
  attribute('f11', 'file'),
  attribute('f12', 'user'),
  attribute('f13', 'boolean'),
  attribute('status', 'integer'),
  attribute('id', 'integer'),
])
const saved = new Map([
  [1, "eq(f1,'a')"],
  [2, 'use_filter(1)'],
  [3, "eq(f99,'a')"],
  [4, 'eq(f12,current_user)'],
  [5, "eq(f1,'a"],
])
const scope: Scope = { attributes, context: { timeZone: 'UTC' }, savedFilter: (id) => saved.get(id) }

const compiled = (filter: string, dialect: Dialect = sqlite, within: Scope = scope) =>
  rendered(compile(check(parse(filter), within), dialect), dialect)
const rendered = (query: Sql, dialect: Dialect) => render(query, dialect.placeholder)

/** The failure that the work must end in. */
function failureOf(work: () => unknown): Failure {
  try {
    work()
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
  throw new Error('nothing was refused')
}

describe('a filter is refused', () => {
  /** ^ marks the offset that the failure must name. */
  const refused: [filter: string, code: string, detail: RegExp][] = [
    ['^', 'filter.syntax', /Expected a function\./],
    ['  ^', 'filter.syntax', /Expected a function\./],
    ['^f1', 'filter.syntax', /Expected a function\./],
    ["^'a'", 'filter.syntax', /Expected a function\./],
    [" ^eq f1,'a')", 'filter.syntax', /Expected a function\./],
    ["^=(f1,'a')", 'filter.syntax', /Expected a function\./],
    ["eq(f1,'a'^", 'filter.syntax', /',' or '\)'/],
    ["eq(f1,'a' ^]", 'filter.syntax', /',' or '\)'/],
    ["eq(f1 ^'a')", 'filter.syntax', /',' or '\)'/],
    ['eq(f7,12^abc)', 'filter.syntax', /',' or '\)'/],
    ['eq(f7,1^e3)', 'filter.syntax', /',' or '\)'/],
    ['eq(f7,1^.)', 'filter.syntax', /',' or '\)'/],
    ['eq(f1,^)', 'filter.syntax', /an argument/],
    ['eq(^)', 'filter.syntax', /an argument/],
    ["eq(^,'a')", 'filter.syntax', /an argument/],
    ['eq(f7,^+5)', 'filter.syntax', /an argument/],
    ['eq(f7,^.5)', 'filter.syntax', /an argument/],
    ['eq(f1,^"a")', 'filter.syntax', /an argument; a text stands in single quotes, as 'text'/],
    ['eq(f1,^“a”)', 'filter.syntax', /single quotes/],
    ['^"a"', 'filter.syntax', /Expected a function\./],
    ["eq(f1,'a)^", 'filter.syntax', /a closing quote/],
    ["eq(f1,'a\\'')^", 'filter.syntax', /a closing quote/],
    ["eq(f1,'😀', ^", 'filter.syntax', /an argument/],
    ["eq(f1,'a')^x", 'filter.syntax', /the end of the filter/],
    ["eq(f1,'a') ^eq(f1,'b')", 'filter.syntax', /the end of the filter/],
    ["eq(f1,'a')^)", 'filter.syntax', /the end of the filter/],
    ["eq(^'f1','a')", 'filter.syntax', /an attribute/],
    ["eq(^eq(f1,'a'),'a')", 'filter.syntax', /an attribute/],
    ['eq(f1,^f1)', 'filter.syntax', /a number or a text in quotes/],
    ['eq(f1,^active)', 'filter.syntax', /a number or a text in quotes/],
    ['eq(f12,^current_user)', 'filter.syntax', /a number or a text in quotes/],
    ["eq(f1,^lower('a'))", 'filter.syntax', /a number or a text in quotes/],
    ["and(eq(f1,'a'),^f1)", 'filter.syntax', /a function/],
    ["or(^'a')", 'filter.syntax', /a function/],
    ['not(^1)', 'filter.syntax', /a function/],
    ["^toString(f1,'a')", 'filter.unknown_function', /no function 'toString'/],
    ["^__proto__(f1,'a')", 'filter.syntax', /a function/],
    ["^constructor(f1,'a')", 'filter.unknown_function', /Known: eq, ne/],
    ["and(eq(f1,'a'), ^like(f1,'a'))", 'filter.unknown_function', /Known: .*and, or, not, .*use_filter/],
    ["eq(^f99,'a')", 'filter.unknown_attribute', /'f99'/],
    ["eq(^F1,'a')", 'filter.unknown_attribute', /'F1'/],
    ["eq(^constructor,'a')", 'filter.unknown_attribute', /'constructor'/],
    // As people call it; nothing is said of the others to who names a field.
    ["eq(^Name,'a')", 'filter.unknown_attribute', /no attribute 'Name' to filter by\. Fields have names such as f\d+ here\./],
    ["eq(^f98,'a')", 'filter.unknown_attribute', /no attribute 'f98' to filter by\.$/],
    ["has(^f1,'a')", 'filter.wrong_kind', /'has' does not apply to a text attribute/],
    ["gt(^f3,'-4-')", 'filter.wrong_kind', /'gt' does not apply to a references attribute/],
    ["^between(f2,'1')", 'filter.wrong_arity', /a lower and an upper value/],
    ["between(f2,'1','2',^'3')", 'filter.wrong_arity', /a lower and an upper value/],
    ['^eq(f1)', 'filter.wrong_arity', /one value/],
    ["EQ(f1,'a',^'b')", 'filter.wrong_arity', /'eq' takes an attribute and one value/],
    ['^in(f1)', 'filter.wrong_arity', /one or more values, at most 1000/],
    ["is_empty(f1,^'')", 'filter.wrong_arity', /no value/],
    ["not(eq(f1,'a'), ^eq(f1,'b'))", 'filter.wrong_arity', /'not' takes one expression/],
    ["eq(f2,^'abc')", 'filter.invalid_value', /'abc' is not a number/],
    ['eq(f2,^1.005)', 'filter.invalid_value', /more than 2 digits/],
    ['in(f7,1,2,^1.5)', 'filter.invalid_value', /'1\.5' is not a whole number/],
    ["gt(f7,^'1000000000000000000')", 'filter.invalid_value', /too large/],
    ["eq(f9,^'-4-')", 'filter.invalid_value', /not the id of a record/],
    ["eq(f13,^'yes')", 'filter.invalid_value', /'yes'/],
    ["gt(f6,^'2024-02-30')", 'filter.invalid_value', /no day 2024-02-30/],
    ["eq(f10,^'2024-05-01 10:00:00')", 'filter.invalid_value', /time of day/],
    ["eq(f4,^'Old')", 'filter.invalid_value', /no option 'Old'/],
    ["nin(f4,'won',^'Old')", 'filter.invalid_value', /no option 'Old'/],
    ["has(f5,^'Old')", 'filter.invalid_value', /no option 'Old'/],
    ["has(f3,^'x')", 'filter.invalid_value', /'x'/],
    ["has(f11,^'')", 'filter.invalid_value', /name of a file/],
    ["contains(f8,^'abc')", 'filter.invalid_value', /no digit/],
    ["eq(f1,^'a\0')", 'filter.invalid_value', /NUL/],
    ["contains(f1,^'\ud800')", 'filter.invalid_value', /well-formed/],
    ["has(f11,^'\udfff')", 'filter.invalid_value', /well-formed/],
    ['use_filter(^f1)', 'filter.syntax', /the id of a saved filter/],
    ['use_filter(^-1)', 'filter.syntax', /the id of a saved filter/],
    ['use_filter(^1.5)', 'filter.syntax', /the id of a saved filter/],
    ['use_filter(1,^1)', 'filter.wrong_arity', /the id of a saved filter/],
    ['use_filter(^77)', 'filter.unknown_saved_filter', /no saved filter 77/],
    ['use_filter(^999999999999999999999)', 'filter.syntax', /the id of a saved filter/],
    ["and(^use_filter(1),eq(f1,'a'))", 'filter.saved_filter_alone', /cannot be combined/],
    ['not(^USE_FILTER(1))', 'filter.saved_filter_alone', /cannot be combined/],
    ['use_filter(^2)', 'filter.saved_filter_invalid', /The saved filter 2 cannot be used: use_filter cannot be combined/],
    ['use_filter(^3)', 'filter.saved_filter_invalid', /'f99'/],
    ['use_filter(^4)', 'filter.saved_filter_invalid', /a number or a text in quotes/],
    ['use_filter(^5)', 'filter.saved_filter_invalid', /a closing quote/],
  ]
  for (const [marked, code, detail] of refused)
    it(`as in ${JSON.stringify(marked)}`, () => {
      const position = marked.indexOf('^')
      const failure = failureOf(() => compiled(marked.replace('^', '')))
      assert.deepEqual([failure.code, failure.status, failure.where.meta?.['position']], [code, 400, position], failure.message)
      assert.match(failure.message, detail)
      assert.equal(failure.where.expression, 'filter')
      assert.equal(typeof failure.where.meta?.['expected'], 'string')
    })
})

describe('limits of a filter', () => {
  const nested = (depth: number): string => `${'not('.repeat(depth - 1)}eq(f1,'a')${')'.repeat(depth - 1)}`
  const many = (functions: number, one = "eq(f1,'a')"): string => `and(${Array.from({ length: functions - 1 }, () => one).join(',')})`
  const long = (characters: number, letter = 'a'): string => longFilter(characters, 'f1', letter)
  const values = (count: number): string => `in(f7,${Array.from({ length: count }, (_, i) => i).join(',')})`

  const rows: [what: string, most: number, make: (size: number) => string, code: string][] = [
    ['functions in each other', limits.filterDepth.most, nested, 'filter.too_deep'],
    ['functions', limits.functionsPerFilter.most, (size) => many(size), 'filter.too_many_functions'],
    ['characters', limits.filter.most, (size) => long(size), 'filter.too_long'],
    ['characters beyond the basic plane', limits.filter.most, (size) => long(size, '😀'), 'filter.too_long'],
    ['values', 1_000, values, 'filter.wrong_arity'],
  ]
  for (const [what, most, make, code] of rows)
    it(`takes ${most - 1} and ${most} ${what}, not ${most + 1}`, () => {
      for (const size of [most - 1, most]) assert.equal(check(parse(make(size)), scope).is === undefined, false)
      const failure = failureOf(() => check(parse(make(most + 1)), scope))
      assert.equal(failure.code, code)
      assert.equal(failure.status, 400)
    })

  it('are those of DECISIONS Q10', () =>
    assert.deepEqual(
      [limits.filter.most, limits.postedFilter.most, limits.filterDepth.most, limits.functionsPerFilter.most],
      [8_192, 1_048_576, 32, 500],
    ))
  it('name the first character, function and depth too many', () => {
    const at = (filter: string) => failureOf(() => parse(filter)).where.meta?.['position']
    assert.equal(at(long(limits.filter.most + 1)), limits.filter.most)
    const astral = long(limits.filter.most + 1, '😀')
    assert.equal(at(astral), [...astral].slice(0, limits.filter.most).join('').length)
    assert.equal(at(nested(limits.filterDepth.most + 1)), 'not('.length * limits.filterDepth.most)
    assert.equal(at(many(limits.functionsPerFilter.most + 1)), many(limits.functionsPerFilter.most).length)
  })
  it('give way to a limit of the caller, for filters in a body', () => {
    assert.equal(parse(long(limits.postedFilter.most), limits.postedFilter.most).name, 'in')
    assert.equal(failureOf(() => parse(long(limits.postedFilter.most + 1), limits.postedFilter.most)).code, 'filter.too_long')
    assert.doesNotThrow(() => mustFitBody('ё'.repeat(524_288)))
    for (const [one, count] of [
      ['a', 1_048_577],
      ['ё', 524_289],
      ['한', 349_526],
      ['😀', 262_145],
    ] as const) {
      const { code, message } = failureOf(() => mustFitBody(one.repeat(count)))
      assert.deepEqual([code, message], ['filter.too_long', 'The filter is longer than 1048576 bytes.'])
    }
    assert.equal(failureOf(() => parse(`eq(f1,${"''".repeat(500_000)}`, limits.postedFilter.most)).code, 'filter.syntax')
    assert.equal(failureOf(() => parse('('.repeat(1_000_000), limits.postedFilter.most)).code, 'filter.syntax')
    assert.equal(failureOf(() => parse('a('.repeat(500_000), limits.postedFilter.most)).code, 'filter.too_deep')
  })

  it('count the values of all functions, at the first one too many', () => {
    const filter = (count: number) => `or(${Array.from({ length: 10 }, () => values(1_000)).join(',')},${values(count)})`
    const posted = (text: string) => parse(text, limits.postedFilter.most)
    assert.equal(limits.filterValues.most, 10_000)
    const full = filter(1).replace(/,in\(f7,0\)\)$/, ')')
    assert.equal(posted(full).args.length, 10)
    const failure = failureOf(() => posted(filter(1)))
    assert.deepEqual([failure.code, failure.where.meta?.['position']], ['filter.too_many_values', filter(1).length - '0))'.length])
    assert.equal(failureOf(() => posted(`in(f1,${'a,'.repeat(500_000)}a)`)).code, 'filter.too_many_values')
  })
  it('count the options that functions on lists look at; those looked up by their label cost nothing', () => {
    const many = Array.from({ length: 999 }, (_, i) => ({ id: i + 1, label: `Option ${i}`, removed: false }))
    const within: Scope = { ...scope, attributes: new Map([attribute('f4', 'list', { options: many })]) }
    const of = (count: number, one: string) => check(parse(`or(${Array(count).fill(one).join(',')})`, limits.postedFilter.most), within)
    assert.equal(of(100, "contains(f4,'7')").is, 'or')
    const failure = failureOf(() => of(101, "contains(f4,'7')"))
    const position = 'or('.length + 100 * "contains(f4,'7'),".length
    assert.deepEqual([failure.code, failure.where.meta?.['position']], ['filter.too_many_options', position])
    assert.equal(of(499, "eq(f4,'option 7')").is, 'or')
  })

  it('leave nothing that the engine could not run', async () => {
    const { db, remove } = await scratchDb()
    try {
      const columns = [...attributes.values()].flatMap(({ column, keyColumn, type }) => [
        sql`${name(column)} ${raw(type.column[db.dialect.engine])}`,
        ...(keyColumn ? [sql`${name(keyColumn)} ${db.dialect.text}`] : []),
      ])
      await db.write((tx) => tx.run(sql`CREATE TABLE r (${join(columns, ', ')})`))
      const list = values(900)
      const heavy = [
        many(limits.functionsPerFilter.most, "ends_with(f2,'1.5')"),
        many(limits.functionsPerFilter.most, "starts_with(f2,'1.5')"),
        many(limits.functionsPerFilter.most, "between(f1,'a','b')"),
        many(12, list),
        `${'not(or('.repeat(15)}${many(limits.functionsPerFilter.most - 30, "starts_with(f1,'a')")}${'))'.repeat(15)}`,
        `${'or('.repeat(30)}${many(limits.functionsPerFilter.most - 30, "eq(f4,'won')")}${')'.repeat(30)}`,
      ]
      for (const filter of heavy) {
        const where = compile(check(parse(filter, limits.postedFilter.most), scope), db.dialect)
        // A read filter, a write filter and the client's own may meet in one statement.
        assert.deepEqual(
          await db.read(sql`SELECT count(*) FROM r WHERE ${where} AND (${where}) AND ${where}`),
          [[[0]]],
          filter.slice(0, 60),
        )
      }
    } finally {
      await remove()
    }
  })
})

describe('a filter becomes SQL', () => {
  const json = '(SELECT value FROM json_each(?))'
  // Before a text that may be long is looked through.
  const timely = (column: string) => `(octet_length("${column}") < 4096 OR in_time(octet_length("${column}")))`
  const timelyThere = (column: string, condition: string) =>
    `CASE WHEN octet_length("${column}") >= 65536 AND pg_sleep(0) IS NULL THEN false ELSE ${condition} END`
  const golden: [filter: string, onSqlite: string, onPostgres: string, params: unknown[], onPostgresOnly?: unknown[]][] = [
    ["eq(f1,'ЁЖ')", '"f1k" = ?', '"f1k" COLLATE "C" = $1', ['еж']],
    ["ne(f1,'x''y')", '"f1k" <> ?', '"f1k" COLLATE "C" <> $1', ["x'y"]],
    ['eq(f2, 1.5)', '"f2" = ?', '"f2" = $1', [150n]],
    ["gt(f2,'-9999999999999999.99')", '"f2" > ?', '"f2" > $1', [-999999999999999999n]],
    ["GTE(f7,'999999999999999999')", '"f7" >= ?', '"f7" >= $1', [999999999999999999n]],
    ["lt(f6,'2024-05-01T02:00:00+03:00')", '"f6" < ?', '"f6" COLLATE "C" < $1', ['2024-04-30 23:00:00']],
    ["lte(f6,'2024-05-01')", '"f6" <= ?', '"f6" COLLATE "C" <= $1', ['2024-05-01 00:00:00']],
    ["eq(f6,'')", '"f6" = ?', '"f6" COLLATE "C" = $1', ['0000-00-00 00:00:00']],
    ["eq(f9,'')", '"f9" = ?', '"f9" = $1', [0n]],
    ['eq(status,1)', '"status" = ?', '"status" = $1', [1n]],
    ["between(f1,'a','b')", '"f1k" BETWEEN ? AND ?', '"f1k" COLLATE "C" BETWEEN $1 AND $2', ['a', 'b']],
    ["in(f1,'a','B')", '"f1k" IN (?, ?)', '"f1k" COLLATE "C" IN ($1, $2)', ['a', 'b']],
    ['nin(id,1,2,2)', 'NOT ("id" IN (?, ?, ?))', 'NOT ("id" IN ($1, $2, $3))', [1n, 2n, 2n]],
    [
      `in(f1,'a','B\\"'${",'c,'".repeat(7)})`,
      `"f1k" IN ${json}`,
      '"f1k" COLLATE "C" = ANY($1::text[])',
      [`["a","b\\\\\\""${',"c,"'.repeat(7)}]`],
      [`{"a","b\\\\\\""${',"c,"'.repeat(7)}}`],
    ],
    [
      `nin(id,1${',-2'.repeat(8)})`,
      `NOT ("id" IN ${json})`,
      'NOT ("id" = ANY($1::bigint[]))',
      [`[1${',-2'.repeat(8)}]`],
      [`{1${',-2'.repeat(8)}}`],
    ],
    ["starts_with(f1,'Ab')", '("f1k" >= ? AND "f1k" < ?)', '("f1k" COLLATE "C" >= $1 AND "f1k" COLLATE "C" < $2)', ['ab', 'ac']],
    ["starts_with(f6,'2024-05')", '("f6" >= ? AND "f6" < ?)', '("f6" COLLATE "C" >= $1 AND "f6" COLLATE "C" < $2)', ['2024-05', '2024-06']],
    ["starts_with(f1,'')", '"f1k" >= ?', '"f1k" COLLATE "C" >= $1', ['']],
    [
      "ends_with(f1,'%')",
      '(length(?) = 0 OR substr("f1k", -length(?)) = ?)',
      'right("f1k" COLLATE "C", length($1)) = $2',
      ['%', '%', '%'],
      ['%', '%'],
    ],
    ["contains(f3,'-4-')", `(${timely('f3')} AND instr("f3", ?) > 0)`, timelyThere('f3', 'strpos("f3" COLLATE "C", $1) > 0'), ['-4-']],
    ['contains(f7,7)', 'instr(CAST("f7" AS TEXT), ?) > 0', 'strpos(CAST("f7" AS text) COLLATE "C", $1) > 0', ['7']],
    ["eq(f8,'+7 (900) 1')", '"f8k" = ?', '"f8k" COLLATE "C" = $1', ['79001']],
    ["eq(f4,'won')", '"f4" IN (?)', '"f4" IN ($1)', [4]],
    ["ne(f4,'LOST')", '"f4" IN (?, ?, ?, ?)', '"f4" IN ($1, $2, $3, $4)', [0, 3, 4, 5]],
    ["lt(f4,'nothing')", '"f4" IN (?, ?, ?)', '"f4" IN ($1, $2, $3)', [0, 3, 6]],
    ["contains(f4,'zzz')", `"f4" IN ${json}`, '"f4" = ANY($1::bigint[])', ['[]'], ['{}']],
    ["eq(f5,'won\nNEW')", '"f5k" = ?', '"f5k" COLLATE "C" = $1', ['won\r\nnew']],
    [
      "has(f5,'ЕЛКА')",
      `(${timely('f5k')} AND instr((? || "f5k" || ?), ?) > 0)`,
      timelyThere('f5k', 'strpos(($1 || "f5k" || $2), $3) > 0'),
      ['\r\n', '\r\n', '\r\nелка\r\n'],
    ],
    ['has(f3,07)', `(${timely('f3')} AND instr("f3", ?) > 0)`, timelyThere('f3', 'strpos("f3", $1) > 0'), ['-7-']],
    ['is_empty(f1)', '"f1k" = ?', '"f1k" COLLATE "C" = $1', ['']],
    ['is_empty(f4)', '"f4" IN (?)', '"f4" IN ($1)', [0]],
    [
      "not(and(eq(f7,1),or(eq(f7,2),eq(f1,'a'))))",
      'NOT (("f7" = ? AND ("f7" = ? OR "f1k" = ?)))',
      'NOT (("f7" = $1 AND ("f7" = $2 OR "f1k" COLLATE "C" = $3)))',
      [1n, 2n, 'a'],
    ],
    [' Use_Filter ( 1 ) ', '"f1k" = ?', '"f1k" COLLATE "C" = $1', ['a']],
    ["use_filter('1')", '"f1k" = ?', '"f1k" COLLATE "C" = $1', ['a']],
  ]
  for (const [filter, onSqlite, onPostgres, params, onPostgresOnly] of golden)
    it(filter, () => {
      assert.deepEqual(compiled(filter), { text: onSqlite, params })
      assert.deepEqual(compiled(filter, postgres), { text: onPostgres, params: onPostgresOnly ?? params })
    })

  it('numbers as the response shows them', () => {
    const shown = `(CASE WHEN "f2" < 0 THEN '-' ELSE '' END || (abs("f2") / ?) || '.' || substr('00000000' || (abs("f2") % ?), ?))`
    assert.deepEqual(compiled("contains(f2,'.5')"), { text: `instr(${shown}, ?) > 0`, params: [100n, 100n, -2, '.5'] })
  })
  it('with current_user, where a group has a filter', () => {
    const group = { ...scope, words: { currentUser: 9, now: '2024-02-29 09:30:15' } }
    assert.deepEqual(compiled('eq(f12,current_user)', sqlite, group), { text: '"f12" = ?', params: [9n] })
    assert.deepEqual(compiled('in(f12,1,current_user)', sqlite, group), { text: '"f12" IN (?, ?)', params: [1n, 9n] })
    assert.equal(failureOf(() => compiled('eq(f12,someone)', sqlite, group)).code, 'filter.syntax')
    assert.equal(failureOf(() => compiled('eq(current_user,1)', sqlite, group)).code, 'filter.unknown_attribute')
  })

  describe('with dates from today', () => {
    const within = { ...scope, words: { currentUser: 9, now: '2024-02-29 09:30:15' } }
    const held = (filter: string) => compiled(filter, sqlite, within).params
    for (const [filter, ...params] of [
      ['gte(f6,today-30)', '2024-01-30 00:00:00'],
      ['gte(f6,now)', '2024-02-29 09:30:15'],
      ['between(f6,now-1,now + 366)', '2024-02-28 09:30:15', '2025-03-01 09:30:15'],
      ['in(f10,today,now,today+1)', '2024-02-29', '2024-02-29', '2024-03-01'],
      ['eq(f10,today-0)', '2024-02-29'],
      ['eq(f10,today+2913114)', '9999-12-31'],
      // 29 February 2024 is a Thursday.
      ['in(f10,week,week+1,week-52)', '2024-02-26', '2024-03-04', '2023-02-27'],
      ['in(f10,week_sunday,week_saturday-1,week_friday)', '2024-02-25', '2024-02-17', '2024-02-23'],
      ['and(gte(f6,week-1),lt(f6,week))', '2024-02-19 00:00:00', '2024-02-26 00:00:00'],
      ['in(f10,month,month+1,month-2,month-26)', '2024-02-01', '2024-03-01', '2023-12-01', '2021-12-01'],
      ['in(f10,year,year-1,year+7975,year-2023)', '2024-01-01', '2023-01-01', '9999-01-01', '0001-01-01'],
      ['between(f6,month,now)', '2024-02-01 00:00:00', '2024-02-29 09:30:15'],
    ] as const)
      it(filter, () => assert.deepEqual(held(filter), params))

    for (const [marked, code, why] of [
      ['eq(f10,^today+2913115)', 'filter.invalid_value', /years 1 to 9999/],
      ['eq(f10,^today-738945)', 'filter.invalid_value', /years 1 to 9999/],
      ['eq(f10,^year+7976)', 'filter.invalid_value', /years 1 to 9999/],
      ['eq(f10,^month-24290)', 'filter.invalid_value', /years 1 to 9999/],
      ['eq(f10,^week-999999)', 'filter.invalid_value', /years 1 to 9999/],
      ['eq(f10,^week_monday)', 'filter.syntax', /a number or a text in quotes/],
      ['eq(f7,^month)', 'filter.invalid_value', /is a date/],
      ['eq(f7,^today)', 'filter.invalid_value', /is a date/],
      ['starts_with(f1,^today)', 'filter.invalid_value', /is a date/],
      ['eq(f10,^tomorrow)', 'filter.syntax', /a number or a text in quotes/],
      ['eq(f10,^yesterday-1)', 'filter.syntax', /a number or a text in quotes/],
      ['eq(f12,^current_user+1)', 'filter.syntax', /a number or a text in quotes/],
      ['eq(^f10-1,today)', 'filter.syntax', /an attribute/],
      ['eq(f10,today^-1.5)', 'filter.syntax', /',' or '\)'/],
      ['eq(f10,today^-12345678)', 'filter.syntax', /',' or '\)'/],
      ['eq(f10,today ^30)', 'filter.syntax', /a \+ in an address is written %2B/],
      ['eq(f10,^Today)', 'filter.syntax', /a number or a text in quotes/],
    ] as const)
      it(`refuses ${marked}`, () => {
        const failure = failureOf(() => compiled(marked.replace('^', ''), sqlite, within))
        assert.deepEqual([failure.code, failure.where.meta?.['position']], [code, marked.indexOf('^')])
        assert.match(failure.message, why)
      })
  })
})

describe('the table of functions', () => {
  it('has the contract’s functions and the two added ones', () =>
    assert.equal(
      Object.keys(filterFunctions).sort().join(' '),
      'between contains ends_with eq gt gte has in is_empty lt lte ne nin starts_with',
    ))
  it('finds a way of naming a member in every type that is a set', () => {
    for (const type of fieldTypes) assert.equal(type.kind === 'set', type.member !== undefined, type.name)
  })
})

describe('the text of a filter', () => {
  const word = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_]{0,5}$/)
  const literal = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 6 }).map((text): Node => ({ is: 'literal', text, quoted: true, at: 0 })),
    fc.stringMatching(/^-?[0-9]{1,4}(\.[0-9]{1,3})?$/).map((text): Node => ({ is: 'literal', text, quoted: false, at: 0 })),
  )
  const tree = fc.letrec<{ call: Expression; node: Node }>((tie) => ({
    call: fc.record(
      { is: fc.constant('call'), name: word, args: fc.array(tie('node'), { minLength: 1, maxLength: 4 }), at: fc.constant(0) },
      { noNullPrototype: true },
    ),
    node: fc.oneof(
      { maxDepth: 4 },
      literal,
      word.map((called): Node => ({ is: 'name', name: called, at: 0 })),
      fc.tuple(word, fc.stringMatching(/^[+-][0-9]{1,7}$/)).map(([called, days]): Node => ({ is: 'name', name: called, days, at: 0 })),
      tie('call'),
    ),
  })).call
  const withoutOffsets = (node: Node): Node =>
    node.is === 'call' ? { ...node, at: 0, args: node.args.map(withoutOffsets) } : { ...node, at: 0 }

  it('is the same after it was read and printed', () =>
    fc.assert(
      fc.property(tree, (expression) => {
        const text = print(expression)
        assert.deepEqual(withoutOffsets(parse(text, limits.postedFilter.most)), expression)
        assert.equal(print(parse(text, limits.postedFilter.most)), text)
      }),
      { numRuns: 1_000 },
    ))
  it('may have blanks between all its marks', () => {
    const spread = "\n and ( eq ( f1 , 'a ''b' ) ,\t not( in( f7 , -1 , 2.0 ) ) ) "
    assert.equal(print(parse(spread)), "and(eq(f1,'a ''b'),not(in(f7,-1,2.0)))")
  })

  const pieces = [
    'eq',
    'AND',
    'not',
    'in',
    'between',
    'use_filter',
    'current_user',
    'is_empty',
    'f1',
    'f4',
    'f6',
    'id',
    '(',
    ')',
    ',',
    "'",
    "''",
    "'a'",
    "'won'",
    '-',
    '.',
    '1',
    ' ',
    'é',
    '\0',
    '\ud800',
    '%',
  ]
  const anything = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.constantFrom(...pieces), { maxLength: 30 }).map((all) => all.join('')),
    tree.map(print),
  )
  it('is accepted or refused with a Failure, whatever it is', () =>
    fc.assert(
      fc.property(anything, (text) => {
        try {
          compiled(text)
        } catch (error) {
          assert.ok(error instanceof Failure, String(error))
          assert.equal(error.status, 400)
          const position = error.where.meta?.['position']
          assert.ok(typeof position === 'number' && position >= 0 && position <= text.length)
        }
      }),
      { numRuns: 5_000 },
    ))
})

describe('any value for any type', () => {
  const everything = new Map(fieldTypes.map((type, i) => attribute(`f${i}`, type.name, type.exampleSettings)))
  const examples = fieldTypes.flatMap((type) => [...type.examples.flat(), ...type.rejects]).filter((text) => text.length < 1_000)
  const value = fc.oneof(fc.constantFrom(...examples), fc.string({ unit: 'binary', maxLength: 8 }), fc.stringMatching(/^-?[0-9.]{0,25}$/))
  const asked = fc.tuple(
    fc.constantFrom(...Object.keys(filterFunctions)),
    fc.constantFrom(...everything.keys()),
    fc.array(value, { minLength: 1, maxLength: 3 }),
  )

  it('becomes SQL or is refused with a Failure that names it', () =>
    fc.assert(
      fc.property(asked, ([fn, field, values]) => {
        const literals = values.map((text): Node => ({ is: 'literal', text, quoted: true, at: 0 }))
        const filter = print({ is: 'call', name: fn, args: [{ is: 'name', name: field, at: 0 }, ...literals], at: 0 })
        try {
          const { params } = compiled(filter, sqlite, { ...scope, attributes: everything })
          for (const param of params) assert.ok(typeof param !== 'bigint' || BigInt.asIntN(64, param) === param)
        } catch (error) {
          assert.ok(error instanceof Failure, String(error))
          assert.match(error.code, /^filter\.(invalid_value|wrong_kind|wrong_arity)$/)
        }
      }),
      { numRuns: 5_000 },
    ))
})

describe('the older form of filters', () => {
  const rows: [entries: Entry[], expression: string][] = [
    [[['filter[f38]', '<50']], "lt(f38,'50')"],
    [[['filter[f38]', '>50']], "gt(f38,'50')"],
    [[['filter[f38]', '<=50']], "lte(f38,'50')"],
    [[['filter[f38]', '>=50']], "gte(f38,'50')"],
    [[['filter[f38]', '=50']], "eq(f38,'50')"],
    [[['filter[f6400]', 'text']], "eq(f6400,'text')"],
    [[['filter[f6400]', "O'Hara"]], "eq(f6400,'O''Hara')"],
    [[['filter[f6400]', '']], "eq(f6400,'')"],
    [[['filter[f6400]', '==x']], "eq(f6400,'=x')"],
    [[['filter[f6400]', '=<x']], "eq(f6400,'<x')"],
    [[['filter[f6400]', ' <5']], "eq(f6400,' <5')"],
    [[['filter[status]', '0']], "eq(status,'0')"],
    [
      [
        ['filter[f38]', '>1'],
        ['filter[f38]', '<5'],
        ['filter[status]', '0'],
      ],
      "and(gt(f38,'1'),lt(f38,'5'),eq(status,'0'))",
    ],
    [
      [
        ['filter[id][]', '1'],
        ['filter[id][]', '2'],
      ],
      "in(id,'1','2')",
    ],
    [
      [
        ['filter[id][]', '1'],
        ['filter[status]', '0'],
        ['filter[id][]', '2'],
        ['filter[f1][]', '<x'],
      ],
      "and(in(id,'1','2'),eq(status,'0'),in(f1,'<x'))",
    ],
  ]
  for (const [entries, expression] of rows)
    it(entries.map(([parameter, value]) => `${parameter}=${value}`).join('&'), () => assert.equal(print(parseLegacy(entries)), expression))

  const malformed = [
    'filter[',
    'filter[]',
    'filter[f1',
    'filter[f1]]',
    'filter[f1][0]',
    'filter[f1][][]',
    'filter[f 1]',
    'filter[1]',
    'filter[f1]x',
    'Filter[f1]',
    'filter[ф1]',
    'filter[f1]\n',
  ]
  for (const parameter of malformed)
    it(`refuses ${JSON.stringify(parameter)}`, () => {
      const failure = failureOf(() =>
        parseLegacy([
          ['filter[f1]', 'a'],
          [parameter, '1'],
        ]),
      )
      assert.deepEqual([failure.code, failure.status, failure.where.expression], ['filter.malformed_parameter', 400, parameter])
    })

  const refused: [parameter: string, value: string, code: string, position: number][] = [
    ['filter[f99]', '1', 'filter.unknown_attribute', 0],
    ['filter[f7]', '>=abc', 'filter.invalid_value', 2],
    ['filter[f7]', '< 5', 'filter.invalid_value', 1],
    ['filter[f7]', 'current_user', 'filter.invalid_value', 0],
    ['filter[f3]', '>1', 'filter.wrong_kind', 0],
    ['filter[id][]', 'x', 'filter.invalid_value', 0],
    ['filter[use_filter]', '1', 'filter.unknown_attribute', 0],
  ]
  for (const [parameter, value, code, position] of refused)
    it(`names its own parameter in refusing ${parameter}=${value}`, () => {
      const failure = failureOf(() =>
        check(
          parseLegacy([
            ['filter[f1]', 'a'],
            [parameter, value],
          ]),
          { ...scope, words: { currentUser: 1, now: '2024-02-29 09:30:15' } },
        ),
      )
      assert.deepEqual([failure.code, failure.where.expression, failure.where.meta?.['position']], [code, parameter, position])
    })

  it('has the limits of the other form', () => {
    const entries = (count: number, parameter: string) => Array.from({ length: count }, (_, i): Entry => [parameter, String(i)])
    assert.equal(parseLegacy(entries(500, 'filter[f7]')).args.length, 500)
    assert.equal(failureOf(() => parseLegacy(entries(501, 'filter[f7]'))).code, 'filter.too_many_functions')
    assert.equal(check(parseLegacy(entries(1_000, 'filter[f7][]')), scope).is, 'apply')
    assert.equal(failureOf(() => check(parseLegacy(entries(1_001, 'filter[f7][]')), scope)).code, 'filter.wrong_arity')
  })
})

describe('sort', () => {
  const order = (text: string, dialect: Dialect = sqlite) => rendered(orderBy(parseSort(text, attributes), dialect), dialect)

  it('orders texts by their folded form, numbers and times by their column, either way round', () => {
    assert.deepEqual(order('-f1,f2,-f6,f5,id'), { text: '"f1k" DESC, "f2", "f6" DESC, "f5k", "id"', params: [] })
    assert.equal(order('-f1,f2,f6', postgres).text, '"f1k" COLLATE "C" DESC, "f2", "f6" COLLATE "C"')
  })
  it('orders a list by its labels', () =>
    assert.deepEqual(order('-f4'), {
      text: 'CASE "f4" WHEN 3 THEN 2 WHEN 4 THEN 3 WHEN 5 THEN 4 WHEN 6 THEN 1 ELSE 0 END DESC',
      params: [],
    }))
  it('asks for nothing when it is empty', () => assert.deepEqual(parseSort('', attributes), []))

  const refused: [marked: string, code: string][] = [
    ['^f99', 'sort.unknown_attribute'],
    ['f1,^F2', 'sort.unknown_attribute'],
    ['f1,^', 'sort.unknown_attribute'],
    ['^,f1', 'sort.unknown_attribute'],
    ['f1,^ f2', 'sort.unknown_attribute'],
    ['^--f1', 'sort.unknown_attribute'],
    ['^+f1', 'sort.unknown_attribute'],
    ['^-', 'sort.unknown_attribute'],
    ['f1;f2', 'sort.unknown_attribute'],
    ['^constructor', 'sort.unknown_attribute'],
    ['f1,f2,^f1', 'sort.repeated_attribute'],
    ['f1,^-f1', 'sort.repeated_attribute'],
  ]
  for (const [marked, code] of refused)
    it(`refuses ${marked}`, () => {
      const failure = failureOf(() => order(marked.replace('^', '')))
      assert.deepEqual([failure.code, failure.status, failure.where.expression], [code, 400, 'sort'])
      assert.equal(failure.where.meta?.['position'], Math.max(marked.indexOf('^'), 0))
    })
})
