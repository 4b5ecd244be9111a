import { limits } from '../limits.ts'
import type { FieldSettings, FieldType } from './field-type.ts'
import { exactNumber } from './forms/numbers.ts'

const DEFAULT_SCALE = 2

const scaleOf = (settings: FieldSettings): number => settings.scale ?? DEFAULT_SCALE

/** An exact number, stored as a whole number of units of 10^-scale, so that no engine rounds it (DECISIONS R20). */
export const decimal: FieldType = {
  ...exactNumber(scaleOf),
  name: 'decimal',
  says: 'An exact number with a fixed number of digits after the point, at most 18 digits in all.',
  settings: ['scale', 'min', 'max'],
  canBeUnique: true,
  guess: { value: /^-?(0|[1-9]\d*)(\.\d{1,9})?$/, order: 30 },
  scale: scaleOf,
  settingsFor: (texts) => ({ scale: texts.reduce((most, text) => Math.max(most, digitsAfterPoint(text)), DEFAULT_SCALE) }),
  examples: [
    ['0', '0.00'],
    ['', '0.00'],
    ['1.5', '1.50'],
    ['-0.05', '-0.05'],
    ['-0', '0.00'],
    ['007.500', '7.50'],
    ['1234567890123456.99', '1234567890123456.99'],
    ['-9999999999999999.99', '-9999999999999999.99'],
  ],
  rejects: [
    'abc',
    '1.234',
    '1e3',
    '0x10',
    '12345678901234567',
    '1,5',
    '.',
    '-',
    '.5',
    '5.',
    '+5',
    '1 000',
    ' 1',
    '1\n',
    'NaN',
    'Infinity',
    '--1',
    '١',
    `0.${'0'.repeat(100_000)}1`,
  ],
}

/** Digits after the point of a written number, at most those a field can have. */
const digitsAfterPoint = (text: string): number => Math.min(limits.scale.most, (text.split('.')[1] ?? '').length)
