import type { Readable } from 'node:stream'
import Papa from 'papaparse'

/** Characters of one line, at most: a quote left open must not fill the memory. */
const LONGEST = 8_388_608

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
  /** Found from the header where it is left out. */
  readonly delimiter?: string
}

/**
 * Reads a CSV file as a stream, in constant memory.
 * @throws RangeError for an encoding nobody knows; TypeError where the bytes are not of that encoding.
 */
export async function readCsv(input: Readable, { encoding, delimiter }: CsvOptions): Promise<CsvFile> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  const chunks = input[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let bytes = 0
  let text = ''
  let ended = false
  const more = async () => {
    const { value, done } = await chunks.next()
    if (done) {
      ended = true
      text += decoder.decode()
    } else {
      bytes += value.length
      text += decoder.decode(value, { stream: true })
    }
  }
  while (!ended && text.length < 65_536) await more()
  const separator = delimiter ?? guessDelimiter(text)
  const parser = { delimiter: separator, newline: guessNewline(text) }
  let lineNumber = 1
  const take = (): Line[] => {
    const { data, errors, meta } = new Papa.Parser(parser).parse(text, 0, !ended) as Papa.ParseResult<string[]>
    const faults = new Map(errors.map((error) => [error.row, error.message]))
    text = ended ? '' : text.slice(meta.cursor)
    return data.flatMap((values, i) => {
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
        if (text.length > LONGEST) throw new RangeError(`Line ${lineNumber} is longer than ${LONGEST} characters; is a quote left open?`)
        do await more()
        while (!ended && text.length < 65_536)
        batch = take()
      }
    },
  }
}

/** The candidate that splits the first line into the most columns. */
function guessDelimiter(text: string): string {
  const head = text.slice(0, (text.search(/[\r\n]/) + 1 || text.length + 1) - 1)
  const columns = (delimiter: string) => (Papa.parse<string[]>(head, { delimiter }).data[0]?.length ?? 0)
  return [',', ';', '\t', '|'].reduce((best, candidate) => (columns(candidate) > columns(best) ? candidate : best))
}

const guessNewline = (text: string): '\r\n' | '\n' | '\r' => {
  const outside = text.slice(0, 65_536)
  if (outside.includes('\r\n')) return '\r\n'
  return outside.includes('\n') || !outside.includes('\r') ? '\n' : '\r'
}
