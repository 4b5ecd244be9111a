import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import * as fc from 'fast-check'
import { fieldTypes } from '../../src/fields/index.ts'
import { filterFunctions } from '../../src/filter/functions.ts'
import { answers, holds, sorted, write, type Question } from '../support/oracle/answer.ts'
import { hostileColumns, hostileQuestion, hostileRecord, systemColumns } from '../support/oracle/hostile.ts'
import { engineTable, world, type Subject } from '../support/oracle/engine-table.ts'
import { cluster } from '../support/scratch-database.ts'

/*
 * Random filters over every field type and every function, asked of a real database and of the oracle.
 * ORACLE_RUNS: filters in all (default 8,000); ORACLE_SEED: repeats a run.
 */

const runs = Number(process.env['ORACLE_RUNS'] ?? (process.env['KARTOTEKA_TEST_QUICK'] ? 1_000 : 8_000))
const seed = Number(process.env['ORACLE_SEED'] ?? Date.now() % 2 ** 31)
const TABLES = 4
const RECORDS = 40
const columns = [...systemColumns, ...hostileColumns]

describe('the oracle', () => {
  it('knows every function', () => assert.deepEqual(Object.keys(answers).sort(), Object.keys(filterFunctions).sort()))
  it('knows every field type', () =>
    assert.deepEqual([...new Set(hostileColumns.map(({ type }) => type))].sort(), fieldTypes.map(({ name }) => name).sort()))
})

for (let table = 0; table < TABLES; table++) {
  const records = fc.sample(hostileRecord([...hostileColumns, ...systemColumns]), { numRuns: RECORDS, seed: seed + table })

  describe(`${cluster === undefined ? 'SQLite' : 'PostgreSQL'} answers as the oracle does, seed ${seed}, table ${table}`, () => {
    let subject: Subject
    before(async () => {
      subject = await engineTable(columns, records)
    })
    after(() => subject.close())

    it('on random filters, and under not() the rest', async () => {
      const decided = new Set<string>()
      await fc.assert(
        fc.asyncProperty(hostileQuestion(columns, subject.rows), async (question) => {
          const filter = write(question)
          const wanted = subject.rows.filter((row) => holds(question, row, world)).map((row) => Number(row['id']))
          const found = await subject.select(filter)
          assert.deepEqual(found, wanted, explain(question, subject, found, wanted))
          const rest = await subject.select(`not(${filter})`)
          assert.deepEqual(
            [...found, ...rest].sort((a, b) => a - b),
            subject.rows.map((row) => Number(row['id'])),
          )
          if (question.is === 'ask' && found.length > 0 && rest.length > 0) decided.add(question.fn)
        }),
        { numRuns: Math.ceil(runs / TABLES), seed: seed + table },
      )
      if (runs >= 2_000) assert.deepEqual([...decided].sort(), Object.keys(answers).sort(), 'every function tells some records from others')
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

/** The filter, and what the records are like that only one of the two selects. */
function explain(question: Question, { rows }: Subject, found: readonly number[], wanted: readonly number[]): string {
  const differing = rows.filter((row) => found.includes(Number(row['id'])) !== wanted.includes(Number(row['id'])))
  const named = [...write(question).matchAll(/\(\s*(\w+)\s*,?/g)].map(([, name]) => name!)
  return `${write(question)}\n${differing
    .slice(0, 3)
    .map((row) => JSON.stringify(Object.fromEntries(named.map((name) => [name, row[name]]))))
    .join('\n')}`
}
