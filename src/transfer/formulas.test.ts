import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { describe, it } from 'node:test'
import Papa from 'papaparse'
import { armed, csvLine, defused } from './formulas.ts'
import { readCsv } from './read-csv.ts'
import * as fc from '../../test/support/fast-check.ts'

/** What begins a formula, what hides it, and what else may stand there. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "'",
        '=',
        '+',
        '-',
        '@',
        '\t',
        '\r',
        '\n',
        '＝',
        '＋',
        '－',
        '＠',
        '"',
        ',',
        ';',
        '|',
        '(',
        '!',
        '0',
        '1',
        '.',
        ' ',
        'a',
        'ё',
      ),
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

  it('have no formula behind a character at which a spreadsheet may begin another cell, whatever it takes quotes for', () => {
    const pieces = (line: string) => line.split(/[;|\t\r\n]/).map((piece) => piece.replace(/^"*/, ''))
    fc.assert(
      fc.property(hostile, (cell) => {
        const line = csvLine(['first', cell, 'last'])
        assert.ok(!pieces(line).some((piece) => /^[=＝]/.test(piece)), JSON.stringify(line))
      }),
      { numRuns: 5_000 },
    )
    assert.deepEqual(
      ["x;=cmd|' /C calc'!A0", 'a\n"=1', '1;-2;+SUM(A1)', "x;-2+cmd|'x'!A0", '- one\n- two\n@anna', 'x|＝1', "x;'=1"].map(defused),
      ["x;'=cmd|' /C calc'!A0", 'a\n\'"=1', "1;-2;'+SUM(A1)", "x;'-2+cmd|'x'!A0", "'- one\n- two\n@anna", "x|'＝1", "x;''=1"],
    )
  })

  it('come back exactly as they were, and no two are written alike', () => {
    fc.assert(
      fc.property(hostile, (cell) => assert.equal(armed(defused(cell)), cell)),
      { numRuns: 20_000 },
    )
  })

  it('come back through a CSV file, header and all', async () => {
    // A line of empty values is skipped.
    const row = fc.tuple(hostile, hostile).filter((cells) => cells.some((cell) => cell !== ''))
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 5 }), async (rows) => {
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
