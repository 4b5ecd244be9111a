import { namedColumns } from './headers.ts'
import { decoderOf, LONGEST_LINE, Unreadable, type CsvFile, type Line } from './read-csv.ts'

/*
 * JSON lines: each line of a file is an object whose keys are the columns, as `export --format jsonl` writes it. An import reads them as the lines
 * of a CSV file, with two differences: a key that an object lacks leaves the field as it is, and null alone is no value.
 */

/** Lines whose keys are the columns, where there are so many. */
const LOOKED_AT = 1_000
/** Characters of these lines, about. */
const LOOKED_AT_CHARACTERS = 1_048_576
/** Characters up to which the depth of a line needs no look before it is parsed. */
const SHORT = 65_536
const DEEPEST = 2
/** Lines of a batch. */
const BATCH = 1_000

/** Whether a file begins as JSON lines do. */
export const isJsonLines = (begin: Uint8Array): boolean =>
  /^(?:\u00ef\u00bb\u00bf)?\s*\{\s*["}]/.test(Buffer.from(begin.subarray(0, 200)).toString('latin1'))

interface Read {
  readonly number: number
  readonly object: Readonly<Record<string, unknown>>
  readonly fault?: string
}

/** Reads JSON lines as a stream, in constant memory. @throws Unreadable, also while its lines are read */
export async function readJsonLines(input: AsyncIterable<Uint8Array>, encoding = 'utf-8'): Promise<CsvFile> {
  let bytes = 0
  const counted = async function* () {
    for await (const chunk of input) {
      bytes += chunk.length
      yield chunk
    }
  }
  const rest = linesOf(counted(), encoding)
  const first: Read[] = []
  let ended = false
  for (let characters = 0; !ended && first.length < LOOKED_AT && characters < LOOKED_AT_CHARACTERS;) {
    const { value, done } = await rest.next()
    if (done) ended = true
    else {
      first.push(read(value))
      characters += value.text.length
    }
  }
  const keys = [...new Set(first.flatMap(({ object }) => Object.keys(object)))]
  const places = new Map(keys.map((key, i) => [key, i]))
  return {
    ...namedColumns(keys),
    json: true,
    delimiter: '',
    encoding,
    read: () => bytes,
    async *batches() {
      if (first.length > 0) yield first.map((one) => lineOf(one, places))
      let batch: Line[] = []
      for await (const line of rest) {
        batch.push(lineOf(read(line), places))
        if (batch.length < BATCH) continue
        yield batch
        batch = []
      }
      if (batch.length > 0) yield batch
    },
  }
}

interface Text {
  readonly number: number
  readonly text: string
}

/** The lines that are not empty. */
async function* linesOf(input: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<Text> {
  const decode = decoderOf(encoding)
  let number = 0
  /** Of the line that is not whole yet. */
  let begun: string[] = []
  let length = 0
  const whole = (end: string): Text[] => {
    const text = begun.length === 0 ? end : [...begun, end].join('')
    begun = []
    length = 0
    number++
    return text.trim() === '' ? [] : [{ number, text }]
  }
  for await (const chunk of input) {
    const parts = decode(chunk).split('\n')
    for (const part of parts.slice(0, -1)) yield* whole(part)
    begun.push(parts.at(-1)!)
    length += parts.at(-1)!.length
    if (length > LONGEST_LINE) throw new Unreadable(`Line ${number + 1} is longer than ${LONGEST_LINE} characters.`)
  }
  yield* whole(decode())
}

function read({ number, text }: Text): Read {
  const none = { number, object: {} }
  if (text.length > SHORT && depthOf(text) > DEEPEST) return { ...none, fault: 'The line has objects or arrays within others.' }
  let object: unknown
  try {
    // Numbers stay as they are written: JavaScript would round long ones.
    object = HOLDS_NUMBER.test(text) ? JSON.parse(text, asWritten) : JSON.parse(text)
  } catch (error) {
    // RangeError: too deep.
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error
    return { ...none, fault: 'The line is no JSON.' }
  }
  if (typeof object !== 'object' || object === null || Array.isArray(object)) return { ...none, fault: 'The line is no JSON object.' }
  return { number, object: object as Read['object'] }
}

const HOLDS_NUMBER = /[:[,]\s*-?\d/
const asWritten = (_: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === 'number' && context?.source !== undefined && !/e/i.test(context.source) ? context.source : value

/** How deep objects and arrays are within each other. */
function depthOf(text: string): number {
  let [depth, deepest, quoted] = [0, 0, false]
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (quoted && unit === BACKSLASH) i++
    else if (unit === QUOTE) quoted = !quoted
    else if (quoted) continue
    else if (unit === BRACE || unit === BRACKET) deepest = Math.max(deepest, ++depth)
    else if (unit === BRACE + 2 || unit === BRACKET + 2) depth--
  }
  return deepest
}
const [QUOTE, BACKSLASH, BRACE, BRACKET] = [0x22, 0x5c, 0x7b, 0x5b]

function lineOf({ number, object, fault }: Read, places: ReadonlyMap<string, number>): Line {
  const values = Array.from({ length: places.size }, () => '')
  if (fault !== undefined) return { number, values, fault }
  const absent = new Set(values.keys())
  for (const [key, value] of Object.entries(object)) {
    const place = places.get(key)
    if (place === undefined) return { number, values, fault: `The key '${key.slice(0, 100)}' is in none of the first ${LOOKED_AT} lines.` }
    const text = textOf(value)
    if (text === undefined) return { number, values, fault: `The value of '${key.slice(0, 100)}' is an object or an array of those.` }
    values[place] = text
    absent.delete(place)
  }
  return absent.size === 0 ? { number, values } : { number, values, absent }
}

/** As requests send it: the members of a set are lines. */
function textOf(value: unknown): string | undefined {
  if (value === null) return ''
  if (!Array.isArray(value)) return typeof value === 'object' ? undefined : String(value)
  return value.some((one) => typeof one === 'object') ? undefined : value.map(String).join('\r\n')
}
