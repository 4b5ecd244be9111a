import { fail } from '../errors.ts'
import type { FieldType } from './field-type.ts'
import { quoted } from './forms/quoted.ts'
import { LONGEST_NUMBER, toUnits, wholeColumn } from './forms/numbers.ts'

/** The service assigns the number when a record is created; no number comes twice in a field. Only an import may set numbers. */
export const autonumber: FieldType = {
  name: 'autonumber',
  kind: 'number',
  widget: 'number',
  says: 'A number that the service assigns to each new record, in ascending order.',
  column: wholeColumn,
  maxUnits: LONGEST_NUMBER,
  settings: [],
  empty: 0,
  hasEmpty: true,
  exact: true,
  assigned: true,
  schema: () => ({ shown: { type: 'string', pattern: '^\\d{1,16}$', readOnly: true }, sent: { type: 'string', pattern: '^\\d*$' } }),
  canBeUnique: true,
  parse(value) {
    const number = value === '' ? 0n : toUnits(value, 0)
    if (number < 0n || number > LARGEST) throw fail('field.invalid_value', { why: `${quoted(value)} is not a valid number of this field.` })
    return number
  },
  literal: (value) => (value === '' ? 0n : toUnits(value, 0)),
  format: (stored) => String(stored),
  examples: [
    ['0', '0'],
    ['', '0'],
    ['1', '1'],
    ['9007199254740991', '9007199254740991'],
  ],
  rejects: ['-1', '1.5', 'abc', '9007199254740992'],
}

const LARGEST = BigInt(Number.MAX_SAFE_INTEGER)
