import { limits } from '../limits.ts'
import type { FieldSettings, FieldType } from './field-type.ts'
import { LONGEST_NUMBER, fromUnits, mustLieWithin, toUnits, wholeColumn } from './forms/numbers.ts'

const DEFAULT_SCALE = 2

/** An exact number, stored as a whole number of units of 10^-scale, so that no engine rounds it (DECISIONS R20). */
export const decimal: FieldType = {
  name: 'decimal',
  kind: 'number',
  widget: 'number',
  says: 'An exact number with a fixed number of digits after the point, at most 18 digits in all.',
  column: wholeColumn,
  maxUnits: LONGEST_NUMBER,
  settings: ['scale', 'min', 'max'],
  empty: 0,
  hasEmpty: false,
  exact: true,
  canBeUnique: true,
  guess: { value: /^-?(0|[1-9]\d*)(\.\d{1,9})?$/, order: 30 },
  scale: (settings) => scaleOf(settings),
  settingsFor: (texts) => ({ scale: texts.reduce((most, text) => Math.max(most, digitsAfterPoint(text)), DEFAULT_SCALE) }),
  parse(value, settings) {
    if (value === '') return 0n
    const units = toUnits(value, scaleOf(settings))
    mustLieWithin(units, settings, scaleOf(settings))
    return units
  },
  literal: (value, settings) => (value === '' ? 0n : toUnits(value, scaleOf(settings))),
  format: (stored, settings) => fromUnits(stored, scaleOf(settings)),
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

const scaleOf = (settings: FieldSettings): number => settings.scale ?? DEFAULT_SCALE
