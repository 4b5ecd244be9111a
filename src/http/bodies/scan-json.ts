import { limits, type Limit } from '../../limits.ts'

/*
 * One pass over the bytes of a JSON text before it is parsed: its depth, the number of its values, and where its long numbers are.
 * Text that is not JSON is left to the parser.
 */

/** The limits that differ for bodies with and without a token. */
export interface JsonLimits {
  readonly members: Limit
  readonly longNumbers: Limit
  readonly values: Limit
}

export interface Scanned {
  /** Where the text begins, after a byte order mark. */
  readonly begin: number
  /** Begin and end of each number, one after the other, that a double may round. */
  readonly longNumbers: readonly number[]
  /** The limit that is exceeded; the scan ends there. */
  readonly beyond?: 'depth' | 'values' | 'number' | 'longNumbers' | 'members'
  /** For `members`: the names on the path to the object, as they are written. */
  readonly path?: readonly string[]
}

const [BLANK, QUOTE, COMMA, COLON, ESCAPE] = [0x20, 0x22, 0x2c, 0x3a, 0x5c]
const [BRACKET, BRACKET_END, BRACE, BRACE_END] = [0x5b, 0x5d, 0x7b, 0x7d]
/** Characters; a double may not represent longer numbers, or numbers with an exponent, exactly. */
const EXACT = 15

/** An open array or object: its first byte, the number of its values so far, and where the name of the member is that holds it. */
interface Open {
  readonly first: number
  values: number
  readonly name: readonly [from: number, to: number] | undefined
}

export function scanJson(bytes: Uint8Array, most: JsonLimits): Scanned {
  const begin = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  const longNumbers: number[] = []
  const open: Open[] = []
  const endOfString = stringReader(bytes)
  let string: readonly [from: number, to: number] = [0, 0]
  let values = 1
  // The last byte that was not white space; 0 at the beginning.
  let before = 0
  for (let i = begin; i < bytes.length; i++) {
    const byte = bytes[i]!
    if (byte <= BLANK) continue
    const container = open.at(-1)
    if (byte === QUOTE) {
      const end = endOfString(i + 1)
      string = [i, end + 1]
      i = end
    } else if (byte === BRACKET || byte === BRACE) {
      if (open.push({ first: byte, values: 1, name: before === COLON ? string : undefined }) > limits.jsonDepth.most)
        return { begin, longNumbers, beyond: 'depth' }
      values++
    } else if (byte === BRACKET_END || byte === BRACE_END) open.pop()
    else if (byte === COMMA) {
      values++
      if (container && ++container.values > most.members.most && container.first === BRACE)
        return { begin, longNumbers, beyond: 'members', path: open.slice(1).map(({ name }) => nameAt(bytes, name)) }
    } else if (isOfNumber(byte)) {
      const from = i
      let hasExponent = false
      const end = Math.min(bytes.length, from + limits.jsonNumber.most + 1)
      for (; i < end && isOfNumber(bytes[i]!); i++) hasExponent ||= (bytes[i]! | 0x20) === 0x65
      if (i - from > limits.jsonNumber.most) return { begin, longNumbers, beyond: 'number' }
      // In another place, such as the name of a member, a number is an error that the parser reports.
      const isValue = before === COLON || before === BRACKET || before === 0 || (before === COMMA && container?.first === BRACKET)
      if (isValue && (hasExponent || i - from > EXACT) && longNumbers.push(from, i) > 2 * most.longNumbers.most)
        return { begin, longNumbers, beyond: 'longNumbers' }
      i--
    }
    if (values > most.values.most) return { begin, longNumbers, beyond: 'values' }
    before = byte
  }
  return { begin, longNumbers }
}

/** The name as it is written; none for a member of an array. */
const nameAt = (bytes: Uint8Array, name: Open['name']): string => (name ? new TextDecoder().decode(bytes.subarray(...name)) : '""')

/** Digits, signs, the point and the exponent. */
const isOfNumber = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) || byte === 0x2d || byte === 0x2b || byte === 0x2e || byte === 0x45 || byte === 0x65

/** Bytes of a string that are compared one by one before the next quote is searched for with `indexOf`. */
const NEAR = 64

/** Finds the quote that ends a string, from a place on; the length of the text where there is none. */
function stringReader(bytes: Uint8Array): (from: number) => number {
  // The next quote and backslash that were found, so that no byte is searched twice.
  let quote = -1
  let escape = -1
  const next = (known: number, byte: number, from: number): number => {
    if (known >= from) return known
    const found = bytes.indexOf(byte, from)
    return found < 0 ? bytes.length : found
  }
  return (from) => {
    let i = from
    for (;;) {
      for (const near = Math.min(i + NEAR, bytes.length); i < near; i++) {
        if (bytes[i] === QUOTE) return i
        if (bytes[i] === ESCAPE) i++
      }
      if (i >= bytes.length) return bytes.length
      quote = next(quote, QUOTE, i)
      escape = next(escape, ESCAPE, i)
      if (quote < escape) return quote
      i = escape
    }
  }
}
