import { fail } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { FieldSettings, FieldType, Stored, ValueSchema } from '../field-type.ts'
import { quoted } from './quoted.ts'

const MOST_DIGITS = limits.digits.most

/** The most UTF-16 code units of a written number. */
export const LONGEST_NUMBER = limits.writtenNumber.most

/** The column of whole numbers and of decimals in units. */
export const wholeColumn = { sqlite: 'INTEGER', postgres: 'bigint' } as const

/** A written number in units of 10^-scale, exactly. @throws `field.invalid_value` */
export function toUnits(text: string, scale: number): bigint {
  const [, sign, whole, fraction = ''] = (text.length <= LONGEST_NUMBER && /^(-?)(\d+)(?:\.(\d+))?$/.exec(text)) || []
  if (whole === undefined) throw fail('field.invalid_value', { why: `${quoted(text)} is not a ${scale === 0 ? 'whole ' : ''}number.` })
  const significant = fraction.endsWith('0') ? fraction.replace(/0+$/, '') : fraction
  if (significant.length > scale) {
    const why =
      scale === 0
        ? `${quoted(text)} is not a whole number.`
        : `${quoted(text)} has more than ${scale} ${scale === 1 ? 'digit' : 'digits'} after the point.`
    throw fail('field.invalid_value', { why })
  }
  const digits = whole + significant.padEnd(scale, '0')
  // 15 digits are exact in a number, which is faster than a bigint.
  if (digits.length <= 15) return BigInt(Number(sign + digits))
  const counted = digits.replace(/^0+(?=\d)/, '')
  if (counted.length > MOST_DIGITS) {
    const room = scale === 0 ? `${MOST_DIGITS} digits` : `${MOST_DIGITS - scale} digits before the point and ${scale} after it`
    throw fail('field.invalid_value', { why: `${quoted(text)} is too large: there is room for ${room}.` })
  }
  return BigInt(sign + counted)
}

/** Units of 10^-scale as a number with `scale` digits after the point. */
export function fromUnits(stored: Stored, scale: number): string {
  const text = String(stored)
  if (scale === 0) return text
  const negative = text.startsWith('-')
  const digits = (negative ? text.slice(1) : text).padStart(scale + 1, '0')
  return `${negative ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

/** @throws `field.invalid_value` for less than `min` or more than `max`. */
function mustLieWithin(units: bigint, { min, max }: FieldSettings, scale: number): void {
  if (min !== undefined && units < toUnits(min, scale)) throw fail('field.invalid_value', { why: `The number is less than ${min}.` })
  if (max !== undefined && units > toUnits(max, scale)) throw fail('field.invalid_value', { why: `The number is greater than ${max}.` })
}

/** A number as text of decimal digits; requests may send JSON numbers too. */
function numberSchema(scale: number, { min, max }: FieldSettings): ValueSchema {
  const fraction = scale === 0 ? '' : `\\.\\d{${scale}}`
  const said = [...(min === undefined ? [] : [`at least ${min}`]), ...(max === undefined ? [] : [`at most ${max}`])].join(', ')
  const description = said === '' ? {} : { description: `${said[0]!.toUpperCase()}${said.slice(1)}.` }
  return {
    shown: { type: 'string', format: scale === 0 ? 'int64' : 'decimal', pattern: `^-?\\d{1,${MOST_DIGITS}}${fraction}$`, ...description },
    sent: { type: ['string', 'number'], pattern: '^(-?\\d+(\\.\\d+)?)?$', maxLength: LONGEST_NUMBER, ...description },
  }
}

type ScaleOf = (settings: FieldSettings) => number

/**
 * What types share that hold an exact number, stored in units of 10^-scale. `scaleOf`: digits after the point under these settings. A type
 * whose numbers may have a fraction adds the member `scale`.
 */
export const exactNumber = (scaleOf: ScaleOf) =>
  ({
    kind: 'number',
    widget: 'number',
    column: wholeColumn,
    maxUnits: LONGEST_NUMBER,
    empty: 0,
    hasEmpty: false,
    exact: true,
    schema: (settings: FieldSettings): ValueSchema => numberSchema(scaleOf(settings), settings),
    parse(value: string, settings: FieldSettings): Stored {
      if (value === '') return 0n
      const units = toUnits(value, scaleOf(settings))
      mustLieWithin(units, settings, scaleOf(settings))
      return units
    },
    literal: (value: string, settings: FieldSettings): Stored => (value === '' ? 0n : toUnits(value, scaleOf(settings))),
    format: (stored: Stored, settings: FieldSettings): string => fromUnits(stored, scaleOf(settings)),
  }) as const satisfies Partial<FieldType>
