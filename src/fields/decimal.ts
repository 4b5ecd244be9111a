import { fail } from '../errors.ts'
import type { FieldType } from './field-type.ts'

const DEFAULT_SCALE = 2

/** Exact amounts, held as whole units of 10^-scale, so that no engine rounds (decisions section 1.8). */
export const decimal: FieldType = {
  name: 'decimal',
  kind: 'number',
  widget: 'number',
  says: 'An exact number with a fixed count of digits after the point, at most 18 digits in all.',
  column: { sqlite: 'INTEGER', postgres: 'bigint' },
  settings: ['scale', 'min', 'max'],
  empty: 0,
  hasEmpty: false,
  exact: true,
  parse(value, settings) {
    const scale = settings.scale ?? DEFAULT_SCALE
    const units = toUnits(value === '' ? '0' : value, scale)
    if (settings.min !== undefined && units < toUnits(settings.min, scale)) throw fail('field.invalid_value', { why: `The number is less than ${settings.min}.` })
    if (settings.max !== undefined && units > toUnits(settings.max, scale)) throw fail('field.invalid_value', { why: `The number is greater than ${settings.max}.` })
    return units
  },
  format(stored, settings) {
    const scale = settings.scale ?? DEFAULT_SCALE
    const text = String(stored)
    if (scale === 0) return text
    const negative = text.startsWith('-')
    const digits = (negative ? text.slice(1) : text).padStart(scale + 1, '0')
    return `${negative ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
  },
  examples: [['0', '0.00'], ['', '0.00'], ['1.5', '1.50'], ['-0.05', '-0.05'], ['1234567890123456.99', '1234567890123456.99']],
  rejects: ['abc', '1.234', '1e3', '0x10', '12345678901234567', '1,5', '.', '-'],
}

function toUnits(text: string, scale: number): bigint {
  const [, sign, whole, fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  if (whole === undefined) throw fail('field.invalid_value', { why: `'${text}' is not a number.` })
  const significant = fraction.replace(/0+$/, '')
  if (significant.length > scale) throw fail('field.invalid_value', { why: `'${text}' has more than ${scale} digits after the point.` })
  const digits = whole.replace(/^0+(?=\d)/, '') + significant.padEnd(scale, '0')
  if (digits.replace(/^0+/, '').length > 18) throw fail('field.invalid_value', { why: `'${text}' has more than 18 digits.` })
  return sign ? -BigInt(digits) : BigInt(digits)
}
