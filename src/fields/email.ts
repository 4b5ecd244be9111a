import { fail } from '../errors.ts'
import { limits } from '../limits.ts'
import type { FieldType } from './field-type.ts'
import { quoted } from './forms/quoted.ts'
import { foldedText, mostCharacters, mustBeOneLine, mustNotExceed, textSchema } from './forms/texts.ts'

const LONGEST_EMAIL = limits.email.most

/** Stored as typed. The form is checked to catch typing errors, not whether the address exists. */
export const email: FieldType = {
  ...foldedText,
  name: 'email',
  widget: 'line',
  says: 'An e-mail address.',
  settings: ['maxLength'],
  canBeUnique: true,
  guess: { value: /@/, order: 70 },
  longest: LONGEST_EMAIL,
  maxUnits: 2 * LONGEST_EMAIL,
  schema: textSchema(LONGEST_EMAIL, { pattern: '^$|@' }),
  parse(value, settings) {
    if (value === '') return value
    mustBeOneLine(value)
    mustNotExceed(value, mostCharacters(settings, LONGEST_EMAIL))
    if (!ADDRESS.test(value)) throw fail('field.invalid_value', { why: `${quoted(value)} is not an e-mail address.` })
    return value
  },
  examples: [
    ['', ''],
    ['Anna@Example.com', 'Anna@Example.com'],
    ["o'hara+crm@mail.example.co.uk", "o'hara+crm@mail.example.co.uk"],
    ['почта@пример.рф', 'почта@пример.рф'],
  ],
  rejects: [
    'anna',
    'anna@',
    '@example.com',
    'anna@example',
    'a b@example.com',
    'anna@example..com',
    'anna@-example.com',
    'anna@example.com ',
    'a@b@example.com',
    'anna@example.com\n',
    `${'x'.repeat(250)}@example.com`,
  ],
}

// Local part @ at least two labels of letters, digits and inner hyphens.
const ADDRESS =
  /^[^\s@<>()[\]\\,;:"\p{Cc}]+@(?:[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?\.)+[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u
