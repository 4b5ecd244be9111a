import type { FieldType } from './field-type.ts'
import { LONGEST_NUMBER, mustLieWithin, toUnits, wholeColumn } from './forms/numbers.ts'

export const integer: FieldType = {
  name: 'integer',
  kind: 'number',
  widget: 'number',
  says: 'A whole number of at most 18 digits.',
  column: wholeColumn,
  maxUnits: LONGEST_NUMBER,
  settings: ['min', 'max'],
  empty: 0,
  hasEmpty: false,
  exact: true,
  canBeUnique: true,
  // A column with leading zeros has codes and is guessed as text.
  guess: { value: /^-?(0|[1-9]\d{0,17})$/, order: 20 },
  parse(value, settings) {
    if (value === '') return 0n
    const number = toUnits(value, 0)
    mustLieWithin(number, settings, 0)
    return number
  },
  literal: (value) => (value === '' ? 0n : toUnits(value, 0)),
  format: (stored) => String(stored),
  examples: [
    ['0', '0'],
    ['', '0'],
    ['42', '42'],
    ['-7', '-7'],
    ['-0', '0'],
    ['007', '7'],
    ['5.0', '5'],
    ['999999999999999999', '999999999999999999'],
    ['-999999999999999999', '-999999999999999999'],
    ['9007199254740993', '9007199254740993'],
  ],
  rejects: ['abc', '1.5', '1e3', '0x10', '1000000000000000000', '-', '+5', ' 1', '1 000', '1\n', 'true', '9'.repeat(100_000)],
}
