import Papa from 'papaparse'
import { armed } from '../../contract/formulas.ts'

/** The most characters of one line, so that a missing closing quote does not fill the memory. */
const LONGEST_LINE = 8_388_608
/** The fewest characters that are parsed at once. */
const CHUNK = 65_536

/** One line of a CSV file after the header. */
export interface Line {
  /** Where it begins in the file, from 1; lines inside quotes count. */
  readonly number: number
  readonly values: readonly string[]
  /** What was wrong with its quotes, if anything. */
  readonly fault?: string
}

export interface CsvFile {
  readonly header: readonly string[]
  readonly delimiter: string
  /** Lines in batches of a few hundred to a few thousand. */
  batches(): AsyncGenerator<readonly Line[]>
  /** Bytes read so far. */
  read(): number
}

export interface CsvOptions {
  /** A label of the Encoding Standard, such as utf-8 or windows-1251. */
  readonly encoding: string
  /** The delimiter; guessed from the header where it is left out. */
  readonly delimiter?: string
  /** Written by `export --defuse` (formulas.ts). */
  readonly defused?: boolean
}

/** The file is invalid; the message is a sentence for the user. */
export class Unreadable extends Error {}

/**
 * Reads a CSV file as a stream, in constant memory.
 * @throws Unreadable, also while its lines are read.
 */
export async function readCsv(input: AsyncIterable<Uint8Array>, { encoding, delimiter, defused = false }: CsvOptions): Promise<CsvFile> {
  const decode = decoderOf(encoding)
  const chunks = input[Symbol.asyncIterator]()
  let bytes = 0
  let text = ''
  let ended = false
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
  const separator = delimiter ?? guessDelimiter(text)
  const { newline, carriage } = guessLineEnd(text)
  let lineNumber = 1
  const take = (): Line[] => {
    const { data, errors, meta } = new Papa.Parser({ delimiter: separator, newline }).parse(text, 0, !ended) as Papa.ParseResult<string[]>
    const faults = new Map(errors.map((error) => [error.row, error.message]))
    text = ended ? '' : text.slice(meta.cursor)
    return data.flatMap((found, i) => {
      const cells = carriage ? withoutCarriage(found) : found
      const values = defused ? cells.map(armed) : cells
      const number = lineNumber
      lineNumber += 1 + values.reduce((sum, value) => sum + (value.includes('\n') ? value.split('\n').length - 1 : 0), 0)
      if (values.length === 1 && values[0] === '') return []
      const fault = faults.get(i)
      return [fault === undefined ? { number, values } : { number, values, fault }]
    })
  }
  const first = take()
  const header = (first.shift()?.values ?? []).map((name) => name.trim())
  return {
    header,
    delimiter: separator,
    read: () => bytes,
    async *batches() {
      let batch = first
      for (;;) {
        if (batch.length > 0) yield batch
        if (ended && text === '') return
        if (text.length > LONGEST_LINE)
          throw new Unreadable(`Line ${lineNumber} is longer than ${LONGEST_LINE} characters; is a quote left open?`)
        // An incomplete line is parsed again with more text: each time with twice as much, so that the time does not grow with its square.
        const enough = Math.max(CHUNK, text.length * 2)
        do await more()
        while (!ended && text.length < enough)
        batch = take()
      }
    },
  }
}

/** Decodes the next bytes; without bytes, the end of the text. */
function decoderOf(encoding: string): (bytes?: Uint8Array) => string {
  try {
    const decoder = new TextDecoder(encoding, { fatal: true })
    return (bytes) => {
      try {
        return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode()
      } catch {
        throw new Unreadable(`The file is not written in ${encoding}; name its encoding with --encoding.`)
      }
    }
  } catch {
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
