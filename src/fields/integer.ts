import type { FieldType } from './field-type.ts'
import { exactNumber } from './forms/numbers.ts'

export const integer: FieldType = {
  ...exactNumber(() => 0),
  name: 'integer',
  says: 'A whole number of at most 18 digits.',
  settings: ['min', 'max'],
  canBeUnique: true,
  // A column with leading zeros has codes and is guessed as text.
  guess: { value: /^-?(0|[1-9]\d{0,17})$/, order: 20 },
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
