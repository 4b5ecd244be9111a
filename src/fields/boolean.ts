import { fail } from '../errors.ts'
import type { FieldType } from './field-type.ts'
import { quoted } from './forms/quoted.ts'
import { LONGEST_NUMBER, wholeColumn } from './forms/numbers.ts'

export const boolean: FieldType = {
  name: 'boolean',
  kind: 'number',
  widget: 'switch',
  says: 'Yes or no: 1 or 0.',
  column: wholeColumn,
  maxUnits: LONGEST_NUMBER,
  settings: [],
  empty: 0,
  hasEmpty: false,
  truth: true,
  schema: () => ({ shown: { type: 'string', enum: ['0', '1'] }, sent: { enum: ['0', '1', 'true', 'false', '', true, false, 0, 1] } }),
  // A column with only 0 and 1 is guessed as a number.
  guess: { value: /^(true|false)$/i, order: 60 },
  parse(value) {
    const stored = spellings.get(value.slice(0, 6).toLowerCase())
    if (stored === undefined) throw fail('field.invalid_value', { why: `${quoted(value)} is neither '1' nor '0'.` })
    return stored
  },
  format: (stored) => String(stored),
  examples: [
    ['0', '0'],
    ['', '0'],
    ['1', '1'],
    ['true', '1'],
    ['false', '0'],
    ['TRUE', '1'],
  ],
  rejects: ['2', '-1', 'yes', '01', '1.0', ' 1', 'falsehood'],
}

const spellings: ReadonlyMap<string, number> = new Map([
  ['', 0],
  ['0', 0],
  ['1', 1],
  ['false', 0],
  ['true', 1],
])
