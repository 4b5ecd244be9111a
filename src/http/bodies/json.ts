import { isUtf8 } from 'node:buffer'
import { fail, type Failure } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { escaped } from '../routing/source.ts'
import { scanJson, type JsonLimits, type Scanned } from './scan-json.ts'

/** The limits of a body with a token. */
const usual: JsonLimits = { members: limits.jsonMembers, longNumbers: limits.jsonLongNumbers, values: limits.jsonValues }
/** The limits of a body without a token. */
export const open: JsonLimits = {
  members: limits.openJsonMembers,
  longNumbers: limits.openJsonLongNumbers,
  values: limits.openJsonValues,
}

/**
 * The value of a body, undefined for an empty one. A number that a double cannot represent exactly becomes its text. The failure
 * quotes nothing of the body, which may contain a password.
 * @throws `body.malformed`
 */
export function parseJson(bytes: Uint8Array, most = usual): unknown {
  if (bytes.length === 0) return undefined
  if (!isUtf8(bytes)) throw notUtf8()
  return readJson(bytes, undefined, most).value
}

export const notUtf8 = (): Failure => malformed('The body is not UTF-8.')

/**
 * The value of bytes of UTF-8, and the text that it was parsed from, in which long numbers are strings. `placeInBody`: where these bytes
 * are not the whole body, the place in the body of a place in them; in code units, without a byte order mark.
 * @throws `body.malformed`
 */
export function readJson(
  bytes: Uint8Array,
  placeInBody = (place: number) => place,
  most = usual,
): { readonly text: string; readonly value: unknown } {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const { begin, longNumbers, beyond, path } = scanJson(bytes, most)
  if (beyond === 'members') throw crowded(path ?? [], most)
  if (beyond) throw malformed(tooMuch(beyond, most))
  const text = longNumbers.length === 0 ? buffer.toString('utf8', begin) : withExactNumbers(buffer, begin, longNumbers)
  try {
    return { text, value: JSON.parse(text) }
  } catch (error) {
    // The engine's own message quotes the body.
    const [, place] = /at position (\d+)/.exec((error as Error).message) ?? []
    const isKnown = place !== undefined && longNumbers.length === 0
    throw malformed(isKnown ? `The body is not JSON: it breaks off at position ${placeInBody(Number(place))}.` : 'The body is not JSON.')
  }
}

function tooMuch(beyond: Exclude<NonNullable<Scanned['beyond']>, 'members'>, { values, longNumbers }: JsonLimits): string {
  if (beyond === 'depth') return `The JSON of the body is nested more than ${limits.jsonDepth.most} deep.`
  if (beyond === 'values') return `The JSON of the body holds more than ${values.most} values.`
  if (beyond === 'number') return `The JSON of the body holds a number of more than ${limits.jsonNumber.most} characters.`
  return `The JSON of the body holds more than ${longNumbers.most} numbers of more than 15 digits or with an exponent.`
}

/** The failure of an object of too many members; `path`: the names that lead to it, as they are written. */
function crowded(path: readonly string[], { members }: JsonLimits): Failure {
  const names = path.map(nameIn)
  const pointer = names.map((name) => `/${escaped(name)}`).join('')
  const must = `an object of at most ${members.most} members`
  return fail('document.invalid_member', { name: (names.at(-1) ?? 'The document').slice(0, 100), must }, { source: { pointer } })
}

function nameIn(source: string): string {
  try {
    return String(JSON.parse(source))
  } catch {
    return ''
  }
}

const malformed = (why: string): Failure => fail('body.malformed', { why }, { source: { pointer: '' } })

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** The text of a body with each number that a double would round as a string. `spans`: begin and end of each, one after the other. */
function withExactNumbers(buffer: Buffer, begin: number, spans: readonly number[]): string {
  const pieces: string[] = []
  let done = begin
  for (let i = 0; i < spans.length; i += 2) {
    const [from, to] = [spans[i]!, spans[i + 1]!]
    const source = buffer.toString('latin1', from, to)
    if (!NUMBER.test(source)) continue
    const held = String(Number(source))
    if (held === source) continue
    const plain = plainNumber(source)
    if (plain === plainNumber(held)) continue
    pieces.push(buffer.toString('utf8', done, from), `"${plain}"`)
    done = to
  }
  return pieces.join('') + buffer.toString('utf8', done)
}

/** Longer numbers stay as they were sent: no field accepts so many digits. */
const LARGEST_EXPONENT = limits.jsonNumber.most

/** The text of a JSON number without exponent and without needless zeros: 1.50e3 is 1500, -0.0 is 0. */
export function plainNumber(source: string): string {
  const [, sign, whole, fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(source) ?? []
  if (whole === undefined || Math.abs(Number(exponent)) > LARGEST_EXPONENT) return source
  const shift = Number(exponent)
  const digits = whole + fraction
  const point = whole.length + shift
  const integer = point <= 0 ? '' : digits.slice(0, point).padEnd(point, '0')
  const rest = withoutLastZeros(point <= 0 ? '0'.repeat(-point) + digits : digits.slice(point))
  const plain = `${integer.replace(/^0+(?=\d)/, '') || '0'}${rest && `.${rest}`}`
  return plain === '0' ? '0' : `${sign}${plain}`
}

/** Cuts zeros off the end. The pattern /0+$/ would be tried at every zero, which takes the square of their number. */
function withoutLastZeros(digits: string): string {
  let end = digits.length
  while (end > 0 && digits[end - 1] === '0') end--
  return digits.slice(0, end)
}
