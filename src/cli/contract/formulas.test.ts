import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { describe, it } from 'node:test'
import Papa from 'papaparse'
import { armed, defused } from './formulas.ts'
import { readCsv } from '../commands/import/read-csv.ts'
import * as fc from '../../../test/support/fast-check.ts'

/** What begins a formula, what hides it, and what else may stand there. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom("'", '=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠', '"', ',', ';', '0', '1', '.', ' ', 'a', 'ё'),
      fc.constantFrom('=1+1', "'=1", '-5', '+49 30', "=cmd|'/C calc'!A0", '\r\n'),
      fc.string({ unit: 'grapheme' }),
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(''))

describe('defused cells', () => {
  it('begin with nothing that a spreadsheet takes as a formula, unless they are numbers', () => {
    fc.assert(
      fc.property(hostile, (cell) => {
        const written = defused(cell)
        assert.ok(!/^[=+\-@\t\r\n＝＋－＠]/.test(written) || /^[+-]?\d+(\.\d+)?$/.test(written), JSON.stringify(written))
      }),
      { numRuns: 5_000 },
    )
    assert.deepEqual(['=1+1', '-5', '+4930', '-5,2', '@SUM(A1)', "'=x", 'a=b', "it's"].map(defused), [
      "'=1+1",
      '-5',
      '+4930',
      "'-5,2",
      "'@SUM(A1)",
      "''=x",
      'a=b',
      "it's",
    ])
  })

  it('come back exactly as they were, and no two are written alike', () => {
    fc.assert(
      fc.property(hostile, (cell) => assert.equal(armed(defused(cell)), cell)),
      { numRuns: 20_000 },
    )
  })

  it('come back through a CSV file, header and all', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(hostile, hostile), { minLength: 1, maxLength: 5 }), async (rows) => {
        const csv = Papa.unparse(
          [["'=name", '-other'], ...rows].map((row) => row.map(defused)),
          { newline: '\n' },
        )
        const file = await readCsv(Readable.from([Buffer.from(csv.toWellFormed())]), { encoding: 'utf-8', delimiter: ',', defused: true })
        assert.deepEqual(file.header, ["'=name", '-other'])
        const read: (readonly string[])[] = []
        for await (const lines of file.batches()) for (const { values } of lines) read.push(values)
        assert.deepEqual(
          read,
          rows.map((row) => row.map((cell) => cell.toWellFormed())),
        )
      }),
      { numRuns: 300 },
    )
  })
})
