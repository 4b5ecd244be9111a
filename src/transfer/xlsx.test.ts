import assert from 'node:assert/strict'
import { closeSync, openSync, rmSync, writeFileSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { ZipFile } from 'yazl'
import * as fc from '../../test/support/fast-check.ts'
import { limits } from '../limits.ts'
import { Unreadable } from './read-csv.ts'
import { Ended, readXlsx, type WorkbookOptions } from './read-xlsx.ts'
import { sharedStrings } from './shared-strings.ts'
import { formatShows, numberText, serialOf, timeText, TooLong } from './spreadsheet-values.ts'
import { writeXlsx, type SheetColumn } from './write-xlsx.ts'

const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const REL = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

describe('workbooks', () => {
  let folder: string
  let made = 0
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'kartoteka-xlsx-'))
  })
  after(() => rmSync(folder, { recursive: true }))

  async function read(bytes: Uint8Array, options: WorkbookOptions = {}, isEnded?: () => boolean): Promise<string[][]> {
    const [file, texts] = [join(folder, `${made++}`), join(folder, `${made++}`)]
    writeFileSync(file, bytes)
    const files = { descriptor: openSync(file, 'r'), texts: openSync(texts, 'w+') }
    const rows: string[][] = []
    try {
      for await (const some of readXlsx(files, options, undefined, isEnded)) rows.push(...some.map((row) => [...row]))
    } finally {
      closeSync(files.descriptor)
      closeSync(files.texts)
    }
    return rows
  }
  async function* batches(rows: readonly (readonly string[])[]) {
    yield rows
  }
  const written = (columns: readonly SheetColumn[], rows: readonly (readonly string[])[]) => buffer(writeXlsx(columns, batches(rows)))

  /** A workbook as other programs write it: texts shared, styles of their own, a folder of their own. */
  async function foreign(sheet: string, more: Record<string, string> = {}): Promise<Buffer> {
    const parts: Record<string, string> = {
      '_rels/.rels': `<Relationships><Relationship Id="a" Type="${REL}/officeDocument" Target="/book/workbook.xml"/></Relationships>`,
      'book/workbook.xml': `<x:workbook xmlns:x="m" xmlns:r="r"><x:workbookPr date1904="0"/><x:sheets><x:sheet name="Notes" r:id="n" state="hidden"/><x:sheet name="Data" r:id="d"/></x:sheets></x:workbook>`,
      'book/_rels/workbook.xml.rels': `<Relationships><Relationship Id="d" Type="${REL}/worksheet" Target="sheets/one.xml"/><Relationship Id="n" Type="${REL}/worksheet" Target="sheets/two.xml"/><Relationship Id="s" Type="${REL}/sharedStrings" Target="texts.xml"/><Relationship Id="t" Type="${REL}/styles" Target="styles.xml"/></Relationships>`,
      'book/texts.xml': `<sst ${MAIN}><si><t>Ёлкина &amp; Co</t></si><si><r><t>rich </t></r><r><rPr><b/></rPr><t xml:space="preserve">text </t></r><rPh sb="0"><t>spoken</t></rPh></si><si><t>two&#10;lines_x000D__x005F_x0041_</t></si></sst>`,
      'book/styles.xml': `<styleSheet ${MAIN}><numFmts><numFmt numFmtId="164" formatCode="dd.mm.yyyy\\ hh:mm"/><numFmt numFmtId="165" formatCode="#,##0.00\\ &quot;days&quot;"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="20"/><xf numFmtId="165"/></cellXfs></styleSheet>`,
      'book/sheets/one.xml': `<worksheet ${MAIN}><sheetData>${sheet}</sheetData></worksheet>`,
      'book/sheets/two.xml': `<worksheet ${MAIN}><sheetData><row><c t="str"><v>hidden</v></c></row></sheetData></worksheet>`,
      ...more,
    }
    const zip = new ZipFile()
    for (const [name, text] of Object.entries(parts)) zip.addBuffer(Buffer.from(text), name)
    zip.end()
    return buffer(zip.outputStream as NodeJS.ReadableStream)
  }

  it('of other programs: shared and rich texts, dates by their formats, numbers as they were typed, gaps', async () => {
    const cells = [
      '<c r="A2" t="s"><v>0</v></c><c r="C2" t="s"><v>1</v></c><c r="D2" t="s"><v>2</v></c>',
      '<c r="A4" s="1"><v>45292</v></c><c r="B4" s="2"><v>45292.75</v></c><c r="C4" s="3"><v>0.5</v></c><c r="D4" s="4"><v>1234.5</v></c>',
      '<c><v>0.30000000000000004</v></c><c><v>1E-7</v></c><c><v>1.5e+18</v></c><c><v>12</v></c><c t="b"><v>1</v></c><c t="e"><v>#N/A</v></c><c t="d"><v>2024-05-06T07:08:09</v></c>',
      '<c><f>A1+1</f><v>7</v></c><c t="str"><f>A1&amp;"x"</f><v>ax</v></c><c t="inlineStr"><is><t>in</t></is></c>',
    ]
    const bytes = await foreign(
      `<row r="2">${cells[0]}</row><row r="4">${cells[1]}</row><row>${cells[2]}</row><row>${cells[3]}</row><row/>`,
    )
    assert.deepEqual(await read(bytes), [
      [],
      ['Ёлкина & Co', '', 'rich text ', 'two\nlines\r_x0041_'],
      [],
      ['2024-01-01', '2024-01-01 18:00:00', '12:00:00', '1234.5'],
      ['0.3', '0.0000001', '1500000000000000000', '12', 'true', '#N/A', '2024-05-06 07:08:09'],
      ['7', 'ax', 'in'],
      [],
    ])
    assert.deepEqual(await read(bytes, { sheet: 'Notes' }), [['hidden']])
    await assert.rejects(read(bytes, { sheet: 'Nowhere' }), /no sheet 'Nowhere'. Its sheets: 'Notes', 'Data'/)
  })

  it('that are damaged, hostile or none are refused with a sentence', async () => {
    const good = await foreign('<row><c t="s"><v>0</v></c></row>')
    const hostile = [
      Buffer.from('name,phone\n'),
      Buffer.alloc(0),
      good.subarray(0, good.length - 30),
      await foreign('<row><c t="s"><v>99</v></c></row>'),
      await foreign('<row r="5"/><row r="4"/>'),
      await foreign('<row r="9999999"/>'),
      await foreign('<row><c r="ZZZ1"><v>1</v></c></row>'),
      await foreign('<row><c></row>'),
      await foreign('', {
        'book/sheets/one.xml': '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><worksheet>&b;</worksheet>',
      }),
      await foreign('', { 'book/workbook.xml': '<workbook/>' }),
      // Small archives of much: each part of a text counts, in cells and in shared texts, also where it is CDATA.
      await foreign(`<row><c t="str"><v><![CDATA[${'x'.repeat(2_000_000)}]]></v></c></row>`),
      await foreign(`<row><c t="inlineStr"><is>${'<t>xxxxxxxxxx</t>'.repeat(120_000)}</is></c></row>`),
      await foreign('<row><c t="s"><v>0</v></c></row>', { 'book/texts.xml': `<sst><si>${'<t>xxxxxxxxxx</t>'.repeat(120_000)}</si></sst>` }),
      await foreign('<row/>', { 'book/styles.xml': `<styleSheet><cellXfs>${'<xf/>'.repeat(100_001)}</cellXfs></styleSheet>` }),
    ]
    for (const [i, bytes] of hostile.entries()) await assert.rejects(read(bytes), Unreadable, `number ${i}`)
  })

  it('a tag, a text or a comment that does not end is refused before it takes memory', async () => {
    const { most } = limits.workbookPiece
    // Reading ends with the part, or with the refusal: chunks that were unpacked are counted.
    const chunks = async (sheet: string) => {
      let asked = 0
      const error = await read(await foreign(sheet), {}, () => ++asked < 0).then(
        () => undefined,
        (one: unknown) => one,
      )
      return { asked, error }
    }
    const long = 'x'.repeat(4 * most)
    for (const sheet of [`<row a="${long}"/>`, `<row>${long}</row>`, `<!--${long}-->`, `<row><![CDATA[${long}]]></row>`]) {
      const { asked, error } = await chunks(sheet)
      assert.ok(error instanceof Unreadable && error.message.includes(String(most)), `${error}`)
      assert.ok(asked < most / 8_192, `${asked} chunks`)
    }
    const some = 'x'.repeat(most / 2)
    assert.equal((await chunks(`<!--${some}--><row a="${some}"/><!--${some}-->`)).error, undefined)
  })

  it('are read no further when nobody wants them any longer, also where no row comes', async () => {
    for (const part of ['book/sheets/one.xml', 'book/texts.xml']) {
      const bytes = await foreign('<row/>', { [part]: `<any>${'<empty/>'.repeat(500_000)}</any>` })
      let [asked, most] = [0, Infinity]
      await read(bytes, {}, () => ++asked > most)
      const all = asked
      ;[asked, most] = [0, 10]
      await assert.rejects(
        read(bytes, {}, () => ++asked > most),
        Ended,
      )
      assert.ok(asked === 11 && all > 30, `${asked} of ${all}`)
    }
  })

  it('have so many texts, and empty ones take no memory', async () => {
    const file = openSync(join(folder, 'texts'), 'w+')
    try {
      const few = sharedStrings(file, 1_000, () => new Unreadable('too many'), 3)
      for (const text of ['', 'a', '']) few.add(text)
      assert.throws(() => few.add(''), Unreadable)
      assert.deepEqual([few.at(0), few.at(1), few.at(2)], ['', 'a', ''])
      const many = sharedStrings(file, 1_000, () => new Unreadable('too many'))
      const held = () => process.memoryUsage().heapUsed + process.memoryUsage().external
      const before = held()
      for (let i = 0; i < 1_000_000; i++) many.add('')
      assert.ok(held() - before < 64 << 20, `${(held() - before) >> 20} MiB`)
    } finally {
      closeSync(file)
    }
  })

  it('hold texts of the longest length, whatever is in them', async () => {
    const longest = 'ab\r\n'.repeat(32_767 / 4)
    assert.deepEqual(await read(await written([{ header: 'Text', holds: 'text' }], [[longest]])), [['Text'], [longest]])
  })

  it('that were written are read back as they were, whatever their texts hold', async () => {
    const columns: SheetColumn[] = [
      { header: 'Text & <more>', holds: 'text' },
      { header: 'Number', holds: 'number', scale: 2 },
      { header: 'Yes', holds: 'boolean' },
      { header: 'Time', holds: 'time' },
    ]
    const text = fc.string({
      unit: fc.oneof(
        fc.constantFrom('<', '&', '_x0041_', '_', 'x', '\n', '\r', '\t', '\u0001', '\u000b', '\uffff', '=', '"', '😀'),
        fc.string({ unit: 'binary', maxLength: 1 }),
      ),
    })
    const time = fc
      .integer({ min: Date.UTC(1900, 2, 1) / 1000, max: Date.UTC(9999, 11, 31, 23, 59, 59) / 1000 })
      .map((seconds) => new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' '))
    const number = fc.integer({ min: -1e14, max: 1e14 }).map((units) => (units / 100).toFixed(2))
    const row = fc.tuple(
      text,
      fc.oneof(number, fc.constantFrom('123456789012345678', '0.00')),
      fc.constantFrom('0', '1'),
      fc.oneof(
        time,
        time.map((one) => one.slice(0, 10)),
        fc.constantFrom('0001-01-01', '1900-02-28'),
      ),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 20 }), async (rows) => {
        const [header, ...found] = await read(await written(columns, rows))
        assert.deepEqual(
          header,
          columns.map((one) => one.header),
        )
        // Trailing zeros are in the format of a cell, where a workbook keeps all digits.
        const number = (digits: string) => (digits.replace(/\D/g, '').length > 15 ? digits : String(Number(digits)))
        const moment = (time: string) => time.replace(/ 00:00:00$/, '')
        const same = (all: readonly (readonly string[])[]) =>
          all.map(([words, digits, yes, time]) => [words, number(digits!), yes, moment(time!)])
        const inWords = rows.map(([words, digits, yes, time]) => [words, digits, yes === '1' ? 'true' : 'false', time])
        assert.deepEqual(same(found), same(inWords))
      }),
      { numRuns: 25 },
    )
  })

  it('with more rows than a sheet holds have several; a text that no cell holds is refused', async () => {
    async function* many() {
      for (let i = 0; i < 4; i++) yield Array.from({ length: 3 }, (_, n) => [`${i * 3 + n}`])
    }
    const bytes = await buffer(writeXlsx([{ header: 'h', holds: 'text' }], many(), 6))
    const sheets = await Promise.all(['1', '2', '3'].map((sheet) => read(bytes, { sheet })))
    assert.deepEqual(
      sheets.map((rows) => rows.flat().join(' ')),
      ['h 0 1 2 3 4', 'h 5 6 7 8 9', 'h 10 11'],
    )
    await assert.rejects(written([{ header: 'h', holds: 'text' }], [['x'.repeat(32_768)]]), TooLong)
  })

  it('have their numbers and days as people typed them', () => {
    assert.deepEqual(['1.1000000000000001', '-2.5E-3', '1e21', '5', '123456789.12'].map(numberText), [
      '1.1',
      '-0.0025',
      '1000000000000000000000',
      '5',
      '123456789.12',
    ])
    assert.equal(serialOf('1900-02-28'), undefined)
    assert.equal(timeText(59, { day: true, time: false }, false), '1900-02-28')
    assert.equal(timeText(61, { day: true, time: false }, false), '1900-03-01')
    assert.equal(timeText(0, { day: true, time: false }, true), '1904-01-01')
    const day = { day: true, time: false }
    assert.deepEqual(formatShows(170, 'yyyy"m"'), day)
    assert.deepEqual(formatShows(170, '[$-419]d mmm yyyy;@'), day)
    assert.deepEqual(formatShows(170, '[h]:mm'), { day: false, time: true })
    assert.equal(formatShows(170, '[Red]0.00 "days"'), undefined)
    assert.equal(formatShows(0, undefined), undefined)
  })
})
