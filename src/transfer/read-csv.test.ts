import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { describe, it } from 'node:test'
import Papa from 'papaparse'
import { readCsv, type CsvOptions } from './read-csv.ts'
import * as fc from '../../test/support/fast-check.ts'

const read = async (bytes: Uint8Array | string, options: Partial<CsvOptions> = {}, chunk = 7) => {
  const all = Buffer.from(bytes)
  const chunks = Array.from({ length: Math.ceil(all.length / chunk) }, (_, i) => all.subarray(i * chunk, (i + 1) * chunk))
  const csv = await readCsv(Readable.from(chunks), { encoding: 'utf-8', ...options })
  const lines = []
  for await (const batch of csv.batches()) lines.push(...batch)
  return { header: csv.header, delimiter: csv.delimiter, lines, values: lines.map(({ values }) => values) }
}

describe('reading CSV', () => {
  it('reads quotes, blank lines and line ends of all kinds', async () => {
    for (const end of ['\n', '\r\n', '\r']) {
      const { header, values } = await read(['a,b', '1,"x ""y"", z"', '', '2,', '"3","4"', ''].join(end))
      assert.deepEqual(header, ['a', 'b'])
      assert.deepEqual(values, [
        ['1', 'x "y", z'],
        ['2', ''],
        ['3', '4'],
      ])
    }
  })

  it('is not misled by line ends inside quotes', async () => {
    const { values } = await read('a,b\n"one\r\ntwo",1\n"three\r\nfour",2\n')
    assert.deepEqual(values, [
      ['one\r\ntwo', '1'],
      ['three\r\nfour', '2'],
    ])
    assert.deepEqual((await read('a\r\n"one\ntwo"\r\n')).values, [['one\ntwo']])
  })

  it('reads a first line of any length that a line may have', async () => {
    const names = Array.from({ length: 1_500 }, (_, i) => `${i} `.padEnd(60, 'x'))
    const { header, values } = await read(`${names.join(',')}\n${names.map(() => '1').join(',')}\n`, {}, 4_096)
    assert.deepEqual([header.length, values[0]!.length], [1_500, 1_500])
    await assert.rejects(read('x'.repeat(9_000_000), {}, 65_536), /Line 1 is longer than 8388608 characters/)
  })

  it('counts the lines of the file, also those inside quotes', async () => {
    const { lines } = await read('a,b\n1,2\n"x\ny\nz",3\n4,5\n')
    assert.deepEqual(
      lines.map(({ number }) => number),
      [2, 3, 6],
    )
  })

  it('finds the delimiter from the header, and skips a byte order mark', async () => {
    for (const delimiter of [',', ';', '\t', '|']) {
      const found = await read(`\u{feff}имя${delimiter}"a,b;c"${delimiter}z\n1${delimiter}2${delimiter}3`)
      assert.equal(found.delimiter, delimiter)
      assert.deepEqual(found.header, ['имя', 'a,b;c', 'z'])
    }
  })

  it('reads other encodings, and refuses bytes that are not of the one named', async () => {
    const cyrillic = Buffer.concat([Buffer.from('a\n'), Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2])])
    assert.deepEqual((await read(cyrillic, { encoding: 'windows-1251' })).values, [['Привет']])
    await assert.rejects(read(cyrillic), /not written in utf-8/)
    await assert.rejects(read('a', { encoding: 'klingon' }), /no encoding/)
  })

  it('tells a quote that is left open, and one in the middle of a value', async () => {
    const { lines } = await read('a,b\n1,"x\n2,y')
    assert.match(lines.at(-1)!.fault!, /quote/i)
  })

  it('does not fill the memory with a quote that is never closed', async () => {
    const endless = async function* () {
      yield Buffer.from('a\n"')
      for (let i = 0; i < 100_000; i++) yield Buffer.alloc(1_000, 'x')
    }
    const csv = await readCsv(Readable.from(endless()), { encoding: 'utf-8' })
    await assert.rejects(async () => {
      for await (const _ of csv.batches());
    }, /longer than/)
  })

  it('gives back whatever was written, in pieces of any size', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', 'Ж', '🚀', ' ', ',', ';', '"', '\n', '\r\n', '0') })
    const rows = fc.array(
      fc.tuple(cell, cell, cell).filter((row) => row.some((value) => value !== '')),
      { minLength: 1 },
    )
    await fc.assert(
      fc.asyncProperty(rows, fc.integer({ min: 1, max: 50 }), fc.constantFrom('\n', '\r\n'), async (table, chunk, newline) => {
        const text = Papa.unparse([['first', 'second', 'third'], ...table], { newline })
        const { values, lines } = await read(text, { delimiter: ',' }, chunk)
        assert.deepEqual(values, table)
        assert.ok(lines.every(({ fault }) => fault === undefined))
      }),
      { numRuns: process.env.KARTOTEKA_TEST_QUICK ? 50 : 500 },
    )
  })
})
