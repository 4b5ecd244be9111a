import Papa from 'papaparse'
import { encodingOf } from './encoding.ts'
import { armed } from './formulas.ts'
import { namedColumns, type Headers } from './headers.ts'

/** The most characters of one line, so that a missing closing quote does not fill the memory. */
export const LONGEST_LINE = 8_388_608
/** The fewest characters that are parsed at once. */
const CHUNK = 65_536

/** One line of a CSV file after the header. */
export interface Line {
  /** Where it begins in the file, from 1; lines inside quotes count. */
  readonly number: number
  readonly values: readonly string[]
  /** What was wrong with its quotes, if anything. */
  readonly fault?: string
  /** The places of columns that the line says nothing of; a line of CSV says something of all. */
  readonly absent?: ReadonlySet<number>
}

export interface CsvFile extends Headers {
  /** JSON lines, where null alone is no value (read-json-lines.ts). */
  readonly json?: true
  readonly delimiter: string
  readonly encoding: string
  /** Lines in batches of a few hundred to a few thousand. */
  batches(): AsyncGenerator<readonly Line[]>
  /** Bytes read so far. */
  read(): number
}

export interface CsvOptions {
  /** A label of the Encoding Standard, such as utf-8 or windows-1251; found from the first bytes where it is left out. */
  readonly encoding?: string
  /** The delimiter; guessed from the header where it is left out. */
  readonly delimiter?: string
  /** Written by `export --defuse` (formulas.ts). */
  readonly defused?: boolean
  /** JSON lines instead of CSV. */
  readonly json?: boolean
  /** Line ends within quotes do not count for the numbers of lines. */
  readonly countsRows?: boolean
}

/** The file is invalid; the message is a sentence for the user, `typed` one more for who typed flags of the command. */
export class Unreadable extends Error {
  readonly typed: string
  constructor(message: string, typed = '') {
    super(message)
    this.typed = typed
  }
}

/**
 * Reads a CSV file as a stream, in constant memory.
 * @throws Unreadable, also while its lines are read.
 */
export async function readCsv(
  input: AsyncIterable<Uint8Array>,
  { encoding: said, delimiter, defused = false, countsRows = false }: CsvOptions,
): Promise<CsvFile> {
  const begin = await begun(input[Symbol.asyncIterator](), said === undefined)
  const [encoding, chunks] = [said ?? encodingOf(begin.bytes), begin.all()]
  const decode = decoderOf(encoding)
  let [bytes, text, ended] = [0, '', false]
  const more = async () => {
    const { value, done } = await chunks.next()
    if (done) {
      ended = true
      text += decode()
    } else {
      bytes += value.length
      text += decode(value)
    }
  }
  while (!ended && text.length < CHUNK) await more()
  const told = toldDelimiter(text)
  text = text.slice(told.length)
  const separator = delimiter ?? told.delimiter ?? guessDelimiter(text)
  const { newline, carriage } = guessLineEnd(text)
  let lineNumber = told.length === 0 ? 1 : 2
  const take = (): Line[] => {
    const { data, errors, meta } = new Papa.Parser({ delimiter: separator, newline }).parse(text, 0, !ended) as Papa.ParseResult<string[]>
    text = ended ? '' : text.slice(meta.cursor)
    const lines = linesOf(data, errors, { carriage, defused, countsRows }, lineNumber)
    lineNumber = lines.next
    return lines.found
  }
  let first = take()
  const next = async () => {
    if (text.length > LONGEST_LINE)
      throw new Unreadable(`Line ${lineNumber} is longer than ${LONGEST_LINE} characters; is a quote left open?`)
    // An incomplete line is parsed again with more text: each time with twice as much, so that the time does not grow with its square.
    const enough = Math.min(Math.max(CHUNK, text.length * 2), LONGEST_LINE + 1)
    while (!ended && text.length < enough) await more()
    return take()
  }
  while (first.length === 0 && !ended) first = await next()
  return {
    ...namedColumns(first.shift()?.values ?? []),
    delimiter: separator,
    encoding,
    read: () => bytes,
    async *batches() {
      let batch = first
      for (;;) {
        if (batch.length > 0) yield batch
        if (ended && text === '') return
        batch = await next()
      }
    },
  }
}

/** What was parsed, without empty lines. `next`: the number of the line after them. */
function linesOf(
  data: readonly string[][],
  errors: readonly Papa.ParseError[],
  { carriage, defused, countsRows }: { carriage: boolean; defused: boolean; countsRows: boolean },
  begin: number,
): { found: Line[]; next: number } {
  const faults = new Map(errors.map((error) => [error.row, error.message]))
  let next = begin
  const found = data.flatMap((parts, i) => {
    const cells = carriage ? withoutCarriage(parts) : parts
    const values = defused ? cells.map(armed) : cells
    const number = next
    next += countsRows ? 1 : 1 + lineEndsIn(values)
    if (values.every(isBlank)) return []
    const fault = faults.get(i)
    return [fault === undefined ? { number, values } : { number, values, fault }]
  })
  return { found, next }
}

/** The delimiter that a first line tells Excel, sep=; and the length of that line, 0 for none. */
function toldDelimiter(text: string): { readonly delimiter: string | undefined; readonly length: number } {
  const [line = '', , delimiter] = /^("?)sep=([^\r\n])\1(?:\r\n|\r|\n)/i.exec(text) ?? []
  return { delimiter, length: line.length }
}

const lineEndsIn = (values: readonly string[]): number =>
  values.reduce((sum, value) => sum + (value.includes('\n') ? value.split('\n').length - 1 : 0), 0)

const isBlank = (value: string): boolean => value === ''

/** The first bytes, and all again. `looks`: at least as many bytes as an encoding is told from, where there are so many. */
async function begun(chunks: AsyncIterator<Uint8Array>, looks: boolean): Promise<{ bytes: Uint8Array; all(): AsyncIterator<Uint8Array> }> {
  const first: Uint8Array[] = []
  let size = 0
  while (looks && size < CHUNK) {
    const { value, done } = await chunks.next()
    if (done) break
    first.push(value)
    size += value.length
  }
  return {
    bytes: first.length === 1 ? first[0]! : Buffer.concat(first),
    async *all() {
      yield* first
      for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value
    },
  }
}

/** Decodes the next bytes; without bytes, the end of the text. */
export function decoderOf(encoding: string): (bytes?: Uint8Array) => string {
  try {
    const decoder = new TextDecoder(encoding, { fatal: true })
    return (bytes) => {
      try {
        return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode()
      } catch (error) {
        if (!(error instanceof TypeError)) throw error
        throw new Unreadable(`The file is not written in ${encoding}: it has another encoding.`, 'Name it with --encoding.')
      }
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new Unreadable(`There is no encoding '${encoding}'; most files are utf-8 or windows-1251.`)
  }
}

/** The candidate that splits the first line into the most columns. */
function guessDelimiter(text: string): string {
  const head = text.slice(0, (text.search(/[\r\n]/) + 1 || text.length + 1) - 1)
  const columns = (delimiter: string) => Papa.parse<string[]>(head, { delimiter }).data[0]?.length ?? 0
  return [',', ';', '\t', '|'].reduce((best, candidate) => (columns(candidate) > columns(best) ? candidate : best))
}

/** The line end of the file. Text in quotes is ignored, as it may have other line ends. */
function guessLineEnd(text: string): { newline: '\n' | '\r'; carriage: boolean } {
  const outside = text.split('"').filter((_, i) => i % 2 === 0)
  const holds = (end: string) => outside.some((part) => part.includes(end))
  return { newline: holds('\n') || !holds('\r') ? '\n' : '\r', carriage: holds('\r\n') }
}

/** Cuts off the CR of a CR LF, which the parser leaves at the end of the last value. */
function withoutCarriage(values: string[]): string[] {
  const last = values.at(-1)
  return last?.endsWith('\r') ? [...values.slice(0, -1), last.slice(0, -1)] : values
}
