import { isUtf8 } from 'node:buffer'
import { fail } from '../errors.ts'

// After a colon, comma or bracket: sixteen digits or an exponent. Only such texts can hold a number that would be rounded.
const MAY_ROUND = /[:[,]\s*-?(?:[0-9.]{16,}|[0-9.]+[eE])/

/**
 * The value of a body, undefined for an empty one. A number that a double does not hold exactly becomes its text.
 * @throws `body.malformed`
 */
export function parseJson(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return undefined
  if (!isUtf8(bytes)) throw fail('body.malformed', { why: 'The body is not UTF-8.' }, atDocument)
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
  try {
    return MAY_ROUND.test(text) ? JSON.parse(text, exact as (key: string, value: unknown) => unknown) : JSON.parse(text)
  } catch (error) {
    // JSON.parse says where the fault is; a RangeError means a nesting that nobody needs.
    const why =
      error instanceof SyntaxError ? `The body is not JSON: ${error.message.slice(0, 200)}.` : 'The JSON of the body is nested too deeply.'
    throw fail('body.malformed', { why }, atDocument)
  }
}

const atDocument = { source: { pointer: '' } }

function exact(_: string, value: unknown, { source }: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || source === undefined) return value
  const plain = plainNumber(source)
  return plain === plainNumber(String(value)) ? value : plain
}

/** Longer numbers stay as they were written: nothing here takes so many digits. */
const LONGEST = 400

/** The text of a JSON number without exponent and without zeros that say nothing: 1.50e3 is 1500, -0.0 is 0. */
export function plainNumber(source: string): string {
  const [, sign, whole, fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(source) ?? []
  if (whole === undefined || Math.abs(Number(exponent)) > LONGEST) return source
  const shift = Number(exponent)
  const digits = whole + fraction
  const point = whole.length + shift
  const integer = point <= 0 ? '' : digits.slice(0, point).padEnd(point, '0')
  const rest = point <= 0 ? '0'.repeat(-point) + digits : digits.slice(point)
  const trimmed = rest.replace(/0+$/, '')
  const plain = `${integer.replace(/^0+(?=\d)/, '') || '0'}${trimmed && `.${trimmed}`}`
  return plain === '0' ? '0' : `${sign}${plain}`
}
