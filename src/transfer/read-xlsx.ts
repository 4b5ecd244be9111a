import { posix } from 'node:path'
import { SaxesParser } from 'saxes'
import { limits } from '../limits.ts'
import { opened, type Archive } from './archive.ts'
import { Unreadable } from './read-csv.ts'
import { longer, sharedStrings, type SharedStrings } from './shared-strings.ts'
import { columnOf, formatShows, numberText, type Shows, timeText, unescaped } from './spreadsheet-values.ts'

/*
 * The rows of a sheet of a workbook (ECMA-376), as a stream, in constant memory. Formulas are not calculated: their cells hold the value
 * that the program which wrote the file has calculated.
 */

/** Bytes of a part, unpacked; a sheet of 1,048,576 rows with ten columns has about 500 MB. */
const LARGEST_PART = 4_294_967_296
/** Bytes of the texts that cells share, on the disk. */
const MOST_TEXTS = 1_073_741_824
const MOST_COLUMNS = 2_000
/** Characters of the values of a row, as in a line of CSV. */
const LONGEST_ROW = 8_388_608

/** Which sheet is read: by its name; default: the first one that is shown. */
export interface WorkbookOptions {
  readonly sheet?: string
}

/** The bytes of the file, and an empty file for the texts of the workbook. */
export interface WorkbookFiles {
  readonly descriptor: number
  readonly texts: number
}

/** Nobody wants the rows any longer. */
export class Ended extends Error {}

/** Rows in batches, from the first one; rows that are not there, or are empty, have no values. `isEnded`: asked for each chunk of a part. @throws Unreadable, Ended */
export async function* readXlsx(
  files: WorkbookFiles,
  { sheet: wanted }: WorkbookOptions,
  named: (sheets: readonly string[]) => void = () => {},
  isEnded: () => boolean = () => false,
): AsyncGenerator<readonly (readonly string[])[]> {
  const zip = { ...(await opened(files.descriptor)), isEnded }
  const workbook = await readWorkbook(zip)
  const { sheets } = workbook
  named(sheets.map(({ name }) => name))
  const sheet = wanted === undefined ? (sheets.find(({ isHidden }) => !isHidden) ?? sheets[0]) : sheets.find(({ name }) => name === wanted)
  if (!sheet) {
    const names = sheets.map(({ name }) => `'${name}'`).join(', ')
    throw new Unreadable(
      wanted === undefined ? 'The workbook has no sheet.' : `The workbook has no sheet '${wanted}'. Its sheets: ${names}.`,
    )
  }
  const texts = sharedStrings(files.texts, MOST_TEXTS, () => new Unreadable('The texts of the workbook are too long. Save it as CSV.'))
  if (workbook.texts !== undefined) for await (const some of items(zip, workbook.texts, 'si')) for (const text of some) texts.add(text)
  const shows = workbook.styles === undefined ? [] : await readStyles(zip, workbook.styles)
  yield* rowsOf(zip, sheet.path, { texts, shows, is1904: workbook.is1904 })
}

/** Called for each element that begins, with its name without prefix and its attributes, and for each that ends, with its own text. */
interface Reading {
  begin(name: string, attributes: Readonly<Record<string, string>>): void
  end(name: string, text: string): void
}

/** Parses a part of the workbook. Between chunks, what has been read is yielded. @throws Unreadable, Ended */
async function* parsed<T>(zip: Archive, path: string, reading: Reading, take: () => T): AsyncGenerator<T> {
  const entry = zip.entries.get(path.toLowerCase())
  if (!entry) throw new Unreadable(`The workbook has no part ${path}.`)
  const parser = new SaxesParser({ position: false })
  let text = ''
  /** Bytes since the parser last told of something: it gathers a tag, a text or a comment until its end. */
  let gathered = 0
  const told = () => void (gathered = 0)
  parser.on('comment', told)
  parser.on('processinginstruction', told)
  parser.on('opentag', ({ name, attributes }) => {
    told()
    text = ''
    reading.begin(local(name), attributes as Record<string, string>)
  })
  const add = (more: string) => {
    told()
    text = longer(text, more)
  }
  parser.on('text', add)
  parser.on('cdata', add)
  parser.on('doctype', () => {
    throw new Unreadable('The workbook has a document type, which no program writes.')
  })
  parser.on('closetag', ({ name }) => {
    told()
    reading.end(local(name), text)
    text = ''
  })
  parser.on('error', (error) => {
    throw new Unreadable(`The part ${path} of the workbook is not XML: ${error.message}`)
  })
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const stream = await zip.open(entry)
  let bytes = 0
  try {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      if (zip.isEnded()) throw new Ended()
      if ((bytes += chunk.length) > LARGEST_PART) throw new Unreadable(`The part ${path} of the workbook is too large.`)
      if ((gathered += chunk.length) > limits.workbookPiece.most)
        throw new Unreadable(`The part ${path} of the workbook has a tag or a text of more than ${limits.workbookPiece.most} bytes.`)
      parser.write(decoder.decode(chunk, { stream: true }))
      yield take()
    }
    parser.write(decoder.decode()).close()
  } catch (error) {
    // What zlib and the decoder throw has no class of its own.
    if (error instanceof Unreadable || error instanceof Ended || !(error instanceof Error)) throw error
    throw Object.assign(new Unreadable(`The part ${path} of the workbook is damaged: ${error.message}.`), { cause: error })
  }
  yield take()
}

/** Styles of cells, and formats of numbers: Excel has at most 65,490. */
const MOST_STYLES = 100_000

const local = (name: string): string => name.slice(name.indexOf(':') + 1)

/** Reads a small part to its end. */
async function whole(zip: Archive, path: string, reading: Reading): Promise<void> {
  for await (const _ of parsed(zip, path, reading, () => undefined));
}

interface Workbook {
  readonly sheets: readonly { readonly name: string; readonly path: string; readonly isHidden: boolean }[]
  readonly texts: string | undefined
  readonly styles: string | undefined
  readonly is1904: boolean
}

async function readWorkbook(zip: Archive): Promise<Workbook> {
  const office = await relations(zip, '_rels/.rels', '')
  const path = office.find(({ type }) => type === 'officeDocument')?.path ?? 'xl/workbook.xml'
  const folder = posix.dirname(path)
  const parts = await relations(zip, `${folder}/_rels/${posix.basename(path)}.rels`, folder)
  const of = (wanted: string) => parts.find(({ type }) => type === wanted)?.path
  const sheets: { name: string; path: string; isHidden: boolean }[] = []
  let is1904 = false
  await whole(zip, path, {
    begin(name, attributes) {
      if (name === 'workbookPr') is1904 = /^(1|true|on)$/.test(attributes['date1904'] ?? '')
      if (name !== 'sheet') return
      const id = Object.entries(attributes).find(([key]) => local(key) === 'id')?.[1]
      const part = parts.find((one) => one.id === id && one.type === 'worksheet')
      if (part) sheets.push({ name: attributes['name'] ?? '', path: part.path, isHidden: (attributes['state'] ?? 'visible') !== 'visible' })
    },
    end() {},
  })
  return { sheets, texts: of('sharedStrings'), styles: of('styles'), is1904 }
}

async function relations(zip: Archive, path: string, folder: string): Promise<{ id: string; type: string; path: string }[]> {
  const found: { id: string; type: string; path: string }[] = []
  await whole(zip, path, {
    begin(name, { Id, Type, Target }) {
      if (name !== 'Relationship' || Id === undefined || Type === undefined || Target === undefined) return
      const target = Target.startsWith('/') ? Target.slice(1) : posix.join(folder, Target)
      found.push({ id: Id, type: Type.slice(Type.lastIndexOf('/') + 1), path: target })
    },
    end() {},
  })
  return found
}

/** By the number of a style, what its cells show. */
async function readStyles(zip: Archive, path: string): Promise<(Shows | undefined)[]> {
  const codes = new Map<number, string>()
  const shows: (Shows | undefined)[] = []
  let isInCells = false
  await whole(zip, path, {
    begin(name, attributes) {
      if (name === 'numFmt') codes.set(Number(attributes['numFmtId']), attributes['formatCode'] ?? '')
      if (name === 'cellXfs') isInCells = true
      const id = Number(attributes['numFmtId'] ?? 0)
      if (name === 'xf' && isInCells) shows.push(formatShows(id, codes.get(id)))
      if (shows.length > MOST_STYLES || codes.size > MOST_STYLES) throw new Unreadable('The workbook has too many styles.')
    },
    end(name) {
      if (name === 'cellXfs') isInCells = false
    },
  })
  return shows
}

/** The texts of all elements of a name, which may be in parts; how they are pronounced (`rPh`) is left out. */
async function* items(zip: Archive, path: string, of: string): AsyncGenerator<readonly string[]> {
  let found: string[] = []
  let item = ''
  let sounds = 0
  const reading: Reading = {
    begin(name) {
      if (name === of) item = ''
      if (name === 'rPh') sounds++
    },
    end(name, text) {
      if (name === 't' && sounds === 0) item = longer(item, text)
      if (name === 'rPh') sounds--
      if (name === of) found.push(unescaped(item))
    },
  }
  yield* parsed(zip, path, reading, () => {
    const taken = found
    found = []
    return taken
  })
}

interface Meaning {
  readonly texts: SharedStrings
  readonly shows: readonly (Shows | undefined)[]
  readonly is1904: boolean
}

async function* rowsOf(zip: Archive, path: string, meaning: Meaning): AsyncGenerator<readonly (readonly string[])[]> {
  let rows: (readonly string[])[] = []
  let [row, column] = [0, 0]
  let values: string[] = []
  let cell: { type: string; style: number } = { type: 'n', style: 0 }
  let value = ''
  let sounds = 0
  let characters = 0
  const reading: Reading = {
    begin(name, attributes) {
      if (name === 'row') {
        characters = 0
        const next = Number(attributes['r'] ?? row + 1)
        if (!(next > row) || next > ROWS) throw new Unreadable(`Row ${attributes['r']} of the sheet is out of order.`)
        // Rows that are not there count for the numbers of the others.
        for (row++; row < next; row++) rows.push(NONE)
        values = []
        column = 0
      } else if (name === 'c') {
        column = columnOf(attributes['r']) ?? column + 1
        if (column > MOST_COLUMNS) throw new Unreadable(`The sheet has more than ${MOST_COLUMNS} columns.`)
        cell = { type: attributes['t'] ?? 'n', style: Number(attributes['s'] ?? 0) }
        value = ''
      } else if (name === 'rPh') sounds++
    },
    end(name, text) {
      if (name === 'v' || (name === 't' && sounds === 0)) value = longer(value, text)
      else if (name === 'rPh') sounds--
      else if (name === 'c') {
        if (value === '') return
        while (values.length < column - 1) values.push('')
        const shown = (values[column - 1] = valueOf(cell, value, meaning))
        if ((characters += shown.length) > LONGEST_ROW)
          throw new Unreadable(`Row ${row} of the sheet is longer than ${LONGEST_ROW} characters.`)
      } else if (name === 'row') rows.push(values.every((one) => one === '') ? NONE : values)
    },
  }
  for await (const some of parsed(zip, path, reading, () => {
    const taken = rows
    rows = []
    return taken
  }))
    if (some.length > 0) yield some
}

const NONE: readonly string[] = []
const ROWS = 1_048_576

function valueOf({ type, style }: { type: string; style: number }, value: string, { texts, shows, is1904 }: Meaning): string {
  if (type === 's') return texts.at(Number(value))
  if (type === 'n') {
    const shown = shows[style]
    const serial = Number(value)
    return (shown && Number.isFinite(serial) ? timeText(serial, shown, is1904) : undefined) ?? numberText(value)
  }
  if (type === 'd') return value.replace('T', ' ')
  // In words, as spreadsheets show it, so that it is not guessed to be a number.
  if (type === 'b') return value === '1' ? 'true' : 'false'
  return unescaped(value)
}
