import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { escaped, isExact, LONGEST_CELL, serialOf, TooLong } from './spreadsheet-values.ts'

/*
 * A workbook (ECMA-376) as a stream, in constant memory. Texts are in their cells, as texts: no program runs them as formulas.
 */

/** How the cells of a column show their values. `time`: YYYY-MM-DD, perhaps with HH:MM:SS; days 0000-00-00 are left out. */
export interface SheetColumn {
  readonly header: string
  readonly holds: 'text' | 'number' | 'boolean' | 'time'
  /** Digits after the point. */
  readonly scale?: number
}

/** Rows of a sheet, the header included (Excel's limit). */
const ROWS = 1_048_576
/** Of the styles below. */
const [HEADER, DAY, TIME, SCALED] = [1, 2, 3, 4]
const SCALES = 9

/** `rows`: the values of the columns, as records show them. `most`: rows of a sheet. @throws TooLong while it is read */
export function writeXlsx(columns: readonly SheetColumn[], rows: AsyncIterator<readonly (readonly string[])[]>, most = ROWS): Readable {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  const letters = columns.map((_, i) => columnName(i))
  let waiting: readonly (readonly string[])[] = []
  let sheets = 0
  const addSheet = () => {
    sheets++
    const sheet = Readable.from(sheetText(), { objectMode: false })
    sheet.once('error', (error) => output.destroy(error))
    zip.addReadStream(sheet, `xl/worksheets/sheet${sheets}.xml`)
  }
  async function* sheetText(): AsyncGenerator<string> {
    yield `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>`
    yield `<row r="1">${columns.map(({ header }, i) => textCell(`${letters[i]}1`, header, HEADER)).join('')}</row>`
    let row = 1
    for (;;) {
      const batch = waiting.length > 0 ? waiting : await next()
      waiting = []
      if (batch.length === 0) break
      const some = batch.slice(0, most - row)
      waiting = batch.slice(some.length)
      yield some.map((values) => rowText(++row, values)).join('')
      if (waiting.length > 0) break
    }
    yield '</sheetData></worksheet>'
    if (waiting.length > 0) addSheet()
    else finish()
  }
  const next = async (): Promise<readonly (readonly string[])[]> => {
    for (;;) {
      const { value, done } = await rows.next()
      if (done) return []
      if (value.length > 0) return value
    }
  }
  const rowText = (row: number, values: readonly string[]): string =>
    `<row r="${row}">${values.map((value, i) => cellText(`${letters[i]}${row}`, value, columns[i]!)).join('')}</row>`
  const finish = () => {
    for (const [name, text] of Object.entries(partsOf(sheets))) zip.addBuffer(Buffer.from(HEAD + text), name)
    zip.end()
  }
  addSheet()
  return output
}

/** A, B, …, Z, AA, … */
const columnName = (index: number): string =>
  index < 26 ? String.fromCharCode(65 + index) : columnName(Math.floor(index / 26) - 1) + columnName(index % 26)

function cellText(place: string, value: string, { holds, scale }: SheetColumn): string {
  if (value === '' || (holds === 'time' && value.startsWith('0000-00-00'))) return ''
  if (holds === 'number' && isExact(value)) return `<c r="${place}"${scale ? ` s="${SCALED + scale - 1}"` : ''}><v>${value}</v></c>`
  if (holds === 'boolean') return `<c r="${place}" t="b"><v>${value}</v></c>`
  const serial = holds === 'time' ? serialOf(value) : undefined
  if (serial !== undefined) return `<c r="${place}" s="${value.length > 10 ? TIME : DAY}"><v>${serial}</v></c>`
  return textCell(place, value)
}

function textCell(place: string, value: string, style?: number): string {
  const text = escaped(value)
  if (value.length > LONGEST_CELL)
    throw new TooLong(`A value has ${value.length} characters; a cell of a workbook holds ${LONGEST_CELL}. Export as CSV instead.`)
  return `<c r="${place}"${style === undefined ? '' : ` s="${style}"`} t="inlineStr"><is><t xml:space="preserve">${markup(text)}</t></is></c>`
}

const markup = (text: string): string =>
  /[&<>]/.test(text) ? text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;') : text

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** The other files of a workbook, by their names. */
function partsOf(sheets: number): Record<string, string> {
  const numbers = Array.from({ length: sheets }, (_, i) => i + 1)
  const scales = Array.from({ length: SCALES }, (_, i) => i + 1)
  const formats = scales.map((scale) => `<numFmt numFmtId="${170 + scale}" formatCode="0.${'0'.repeat(scale)}"/>`)
  const style = (format: number, font = 0) =>
    `<xf numFmtId="${format}" fontId="${font}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`
  return {
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/>${numbers.map((n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${TYPE}.worksheet+xml"/>`).join('')}</Types>`,
    '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${numbers.map((n) => `<sheet name="${n}" sheetId="${n}" r:id="rId${n}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships">${numbers.map((n) => `<Relationship Id="rId${n}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${n}.xml"/>`).join('')}<Relationship Id="rId0" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': `<styleSheet xmlns="${MAIN}"><numFmts count="${SCALES + 1}"><numFmt numFmtId="170" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/>${formats.join('')}</numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="${SCALES + 4}">${style(0)}${style(0, 1)}${style(14)}${style(170)}${scales.map((scale) => style(170 + scale)).join('')}</cellXfs></styleSheet>`,
  }
}
