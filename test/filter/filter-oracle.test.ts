import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { fieldTypes } from '../../src/fields/index.ts'
import { filterFunctions } from '../../src/filter/functions.ts'
import { answers, holds, sorted, write, type Question } from '../support/oracle/answer.ts'
import { hostileColumns, hostileQuestion, labels, hostileRecord, phoneColumn, systemColumns } from '../support/oracle/hostile.ts'
import { across, engineTable, joined, world, type Subject } from '../support/oracle/engine-table.ts'
import { cluster } from '../support/scratch-database.ts'
import * as fc from '../support/fast-check.ts'
import { seed } from '../support/seed.ts'

/*
 * Random filters over all field types and functions: the database, the test in memory and the oracle must select the same records.
 * ORACLE_RUNS: filters in all (default 8,000).
 */

const runs = Number(process.env['ORACLE_RUNS'] ?? (process.env['KARTOTEKA_TEST_QUICK'] ? 1_000 : 8_000))
const TABLES = 4
const RECORDS = 40
const columns = [...systemColumns, ...hostileColumns]
/** By function, an attribute and values with which it selects some records and not all. */
const telling: Readonly<Record<string, readonly [attribute: string, ...values: string[]]>> = {
  eq: ['id', '7'],
  ne: ['id', '7'],
  gt: ['id', '7'],
  gte: ['id', '7'],
  lt: ['id', '7'],
  lte: ['id', '7'],
  in: ['id', '7', '8'],
  nin: ['id', '7', '8'],
  between: ['id', '7', '9'],
  starts_with: ['id', '1'],
  ends_with: ['id', '1'],
  contains: ['id', '1'],
  has: ['f11', labels[0]!.label],
  is_empty: ['f9'],
}

describe('the oracle', () => {
  it('knows every function', () => assert.deepEqual(Object.keys(answers).sort(), Object.keys(filterFunctions).sort()))
  it('knows every field type', () =>
    assert.deepEqual([...new Set(hostileColumns.map(({ type }) => type))].sort(), fieldTypes.map(({ name }) => name).sort()))
})

for (let table = 0; table < TABLES; table++) {
  const random = fc.sample(hostileRecord([...hostileColumns, ...systemColumns]), { numRuns: RECORDS, seed: seed + table })
  // So that `telling` does, whatever the others are.
  const records = [...random, { ...random[0]!, f9: '', f11: '' }, { ...random[0]!, f9: '1', f11: labels[0]!.label }]

  describe(`${cluster === undefined ? 'SQLite' : 'PostgreSQL'} answers as the oracle does, table ${table}`, () => {
    let subject: Subject
    before(async () => {
      subject = await engineTable(columns, records)
    })
    after(() => subject.close())

    it('on random filters, and under not() the rest', async () => {
      await fc.assert(
        fc.asyncProperty(hostileQuestion([...columns, ...across(fewer(columns))], joined(subject.rows)), async (question) => {
          const filter = write(question)
          const wanted = joined(subject.rows)
            .filter((row) => holds(question, row, world))
            .map((row) => Number(row['id']))
          const found = await subject.select(filter)
          assert.deepEqual(found, wanted, explain(question, subject, found, wanted))
          // A record in memory does not have the one that it names.
          for (const [form, tested] of Object.entries(filter.includes('f12.') ? {} : subject.test(filter)))
            assert.deepEqual(tested, wanted, `in memory, ${form}: ${explain(question, subject, tested, wanted)}`)
          const rest = await subject.select(`not(${filter})`)
          assert.deepEqual(
            [...found, ...rest].sort((a, b) => a - b),
            subject.rows.map((row) => Number(row['id'])),
          )
        }),
        { numRuns: Math.ceil(runs / TABLES), seed: seed + table },
      )
    })

    it('every function tells some records from others', async () => {
      assert.deepEqual(Object.keys(telling).sort(), Object.keys(answers).sort())
      for (const [fn, [name, ...values]] of Object.entries(telling)) {
        const column = columns.find((one) => one.name === name)!
        const question: Question = { is: 'ask', fn, column, values, bare: false, upper: false, blank: '' }
        const wanted = subject.rows.filter((row) => holds(question, row, world)).map((row) => Number(row['id']))
        assert.ok(wanted.length > 0 && wanted.length < subject.rows.length, write(question))
        assert.deepEqual(await subject.select(write(question)), wanted, write(question))
        assert.deepEqual(subject.test(write(question)), { parsed: wanted, read: wanted }, write(question))
      }
    })

    it('on random sort orders', () => {
      const keys = fc
        .shuffledSubarray(columns, { minLength: 1, maxLength: 4 })
        .chain((chosen) =>
          fc
            .array(fc.boolean(), { minLength: chosen.length, maxLength: chosen.length })
            .map((down) => chosen.map((column, i) => ({ column, descending: down[i]! }))),
        )
      return fc.assert(
        fc.asyncProperty(keys, async (keys) => {
          const sort = keys.map(({ column, descending }) => (descending ? '-' : '') + column.name).join(',')
          assert.deepEqual(
            await subject.order(sort),
            sorted(subject.rows, keys, world).map((row) => Number(row['id'])),
            sort,
          )
        }),
        { numRuns: Math.ceil(runs / TABLES / 4), seed: seed + table },
      )
    })
  })
}

describe('telephone numbers of an installation with a country', () => {
  const phones = [phoneColumn('f201', 'RU'), phoneColumn('f202', 'DE')]
  const records = fc.sample(hostileRecord([...phones, ...systemColumns]), { numRuns: 3 * RECORDS, seed })
  let subject: Subject
  before(async () => {
    subject = await engineTable([...systemColumns, ...phones], records)
  })
  after(() => subject.close())

  it('are found as the oracle finds them', () =>
    fc.assert(
      fc.asyncProperty(hostileQuestion([...systemColumns, ...phones], subject.rows), async (question) => {
        const filter = write(question)
        const wanted = subject.rows.filter((row) => holds(question, row, world)).map((row) => Number(row['id']))
        const found = await subject.select(filter)
        assert.deepEqual(found, wanted, explain(question, subject, found, wanted))
        assert.deepEqual(subject.test(filter), { parsed: wanted, read: wanted }, filter)
      }),
      { numRuns: Math.ceil(runs / TABLES), seed },
    ))

  it('are sorted as the oracle sorts them', async () => {
    for (const column of phones)
      assert.deepEqual(
        await subject.order(column.name),
        sorted(subject.rows, [{ column, descending: false }], world).map((row) => Number(row['id'])),
      )
  })
})

/** Of other records fewer questions are asked. */
const fewer = <T>(all: readonly T[]): readonly T[] => all.filter((_, i) => i % 3 === seed % 3)

/** The filter, and what the records are like that only one of the two selects. */
function explain(question: Question, { rows }: Subject, found: readonly number[], wanted: readonly number[]): string {
  const differing = rows.filter((row) => found.includes(Number(row['id'])) !== wanted.includes(Number(row['id'])))
  if (write(question).includes('search(')) return `${write(question)}\n${JSON.stringify(differing[0])}`
  const named = [...write(question).matchAll(/\(\s*([\w.]+)\s*,?/g)].map(([, name]) => name!)
  return `${write(question)}\n${differing
    .slice(0, 3)
    .map((row) => JSON.stringify(Object.fromEntries(named.map((name) => [name, row[name]]))))
    .join('\n')}`
}
