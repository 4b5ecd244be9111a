import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { holds, sorted, type Question, type Shown, type World } from '../support/oracle/answer.ts'
import { hostileColumns, hostileQuestion, hostileRecord, systemColumns, type HostileColumn } from '../support/oracle/hostile.ts'
import { shownOf } from '../support/oracle/shown.ts'
import { admissible, beside, exact, type Page } from './judge.ts'
import { Model } from './model.ts'
import { verdict } from './verdict.ts'
import * as fc from '../support/fast-check.ts'
import { seed } from '../support/seed.ts'

/* The long run of lists beside writes (docs/lists-soak.md) is given answers that are wrong, and must find each of them. */

const world: World = { hoursAhead: 0, now: '2024-05-15 09:30:15' }
const columns: readonly HostileColumn[] = [...hostileColumns, ...systemColumns]
const records = fc.sample(hostileRecord(columns), { numRuns: 120, seed })
const rows: readonly Shown[] = records.map((record, i) => {
  const texts = columns.map((column) => [column.name, shownOf(column, record[column.name]!) ?? record[column.name]!] as const)
  return { ...Object.fromEntries(texts), id: String(i + 1) }
})
const model = new Model(rows)
const names = ['f1', 'f3']
const ask = (name: string, fn: string, ...values: string[]): Question => {
  const { type } = columns.find((column) => column.name === name)!
  return { is: 'ask', fn, column: { name, type }, values, bare: false, upper: false, blank: '' }
}

describe('what the long run of lists compares with', () => {
  it('is the oracle, of which it asks each term once for each different value', () =>
    fc.assert(
      fc.property(hostileQuestion(columns, rows.slice(0, 40)), fc.shuffledSubarray([...columns], { maxLength: 3 }), (question, chosen) => {
        const keys = chosen.map((column, i) => ({ column, descending: i % 2 === 1 }))
        const matching = sorted(
          rows.filter((row) => holds(question, row, world)),
          keys,
          world,
        )
        const { total, rows: page } = model.list([question], keys, 2, 10, world)
        assert.deepEqual([total, page.map(({ id }) => id)], [matching.length, matching.slice(2, 12).map(({ id }) => id)])
      }),
      { numRuns: 300 },
    ))
})

describe('the judge of the long run of lists', () => {
  const question = ask('f3', 'gte', '0')
  const keys = [{ column: columns.find(({ name }) => name === 'f3')!, descending: true }]
  const expected = model.list([question], keys, 0, 10, world)
  const right: Page = { total: expected.total, rows: expected.rows }
  const [first, second, ...others] = right.rows as [Shown, Shown, ...Shown[]]
  const hidden = rows.find((row) => !holds(question, row, world))!

  const asked = { questions: [question], rules: [], keys, offset: 0, limit: 10 }
  it('finds nothing wrong with what is right', () => {
    assert.equal(exact(right, expected, names), undefined)
    assert.equal(beside(right, asked, [world]), undefined)
  })

  const planted: readonly [what: string, said: RegExp, page: Page][] = [
    ['a total is one too many', /wrong total/, { ...right, total: expected.total + 1 }],
    ['a record is missing', /wrong page/, { ...right, rows: [first, ...others] }],
    ['two records are in the wrong order', /wrong page/, { ...right, rows: [second, first, ...others] }],
    ['a record has an old value', /f1 of/, { ...right, rows: [{ ...first, f1: 'old' }, second, ...others] }],
    ['a record is there that does not match', /wrong page/, { ...right, rows: [hidden, second, ...others] }],
  ]
  for (const [what, said, page] of planted)
    it(`finds, of a table that nobody writes to, that ${what}`, () => assert.match(exact(page, expected, names) ?? '', said))

  const last = rows.toSorted((one, other) => Number(BigInt(one['f3']!) - BigInt(other['f3']!)))[0]!
  const plantedBeside: readonly [what: string, said: RegExp, page: Page, rules?: readonly Question[]][] = [
    ['a record does not match', /does not match/, { ...right, rows: [hidden, second, ...others] }],
    ['a record is hidden from the reader', /is hidden/, right, [ask('f3', 'lt', '-1000'), ask('id', 'eq', '0')]],
    ['a record is missing', /wrong total/, { ...right, rows: [first, ...others] }],
    ['the total is too small', /wrong total/, { ...right, total: 3 }],
    ['a record is there twice', /twice/, { ...right, rows: [first, first, ...others] }],
  ]
  for (const [what, said, page, rules = []] of plantedBeside)
    it(`finds beside writes that ${what}`, () => assert.match(beside(page, { ...asked, rules }, [world]) ?? '', said))
  it('finds beside writes that two records are in the wrong order', () => {
    const page = { total: 2, rows: [last, first] }
    assert.match(beside(page, { ...asked, questions: [] }, [world]) ?? '', /before/)
  })

  const states = [[], ['1'], ['1', '2'], ['2'], ['2', '3']]
  it('finds an answer that is of no state of the table, or of one before it was asked', () => {
    const seen = { from: 2, total: 1, ids: ['2'], descending: false }
    assert.equal(admissible(seen, states), undefined)
    assert.equal(admissible({ from: 0, total: 2, ids: ['2', '1'], descending: true }, states), undefined)
    assert.match(admissible({ ...seen, ids: ['1'] }, states) ?? '', /state 1 of 5, asked for in 2/)
    assert.match(admissible({ ...seen, total: 2, ids: ['1', '3'] }, states) ?? '', /never so/)
    assert.match(admissible({ ...seen, total: 2 }, states) ?? '', /never so/)
  })
})

describe('the verdict on a long run of lists', () => {
  const well = { wrong: [], counted: { sets: 900, sql: 100, dropped: 5, read: 50 }, memory: 8, failed: [], said: '' }
  it('finds nothing wrong where nothing is', () => assert.deepEqual(verdict(well).wrong, []))
  const planted: readonly [what: string, said: RegExp, given: Partial<Parameters<typeof verdict>[0]>][] = [
    ['one page was wrong', /0 wrong totals, 1 wrong pages/, { wrong: [{ what: 'wrong page: 1 instead of 2' }] }],
    ['most lists were answered by SQL', /from sets/, { counted: { ...well.counted, sets: 90 } }],
    ['nothing was dropped in little memory', /0 dropped/, { counted: { ...well.counted, dropped: 0 } }],
    ['a request failed', /1 answers 5xx/, { failed: ['GET data1: 500'] }],
    ['the service found its sets wrong', /1 faults of sets/, { said: 'the sets of a table were not those of its records' }],
  ]
  for (const [what, said, given] of planted)
    it(`finds it where ${what}`, () => {
      const { wrong } = verdict({ ...well, ...given })
      assert.equal(wrong.length, 1, wrong.join('; '))
      assert.match(wrong[0]!, said)
    })
})
