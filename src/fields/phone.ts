import { fail } from '../errors.ts'
import { limits } from '../limits.ts'
import type { FieldType } from './field-type.ts'
import { digitsIn, normalBeginnings, normalForm } from './forms/phone-numbers.ts'
import { quoted } from './forms/quoted.ts'
import { foldedText, mostCharacters, mustNotExceed, textSchema } from './forms/texts.ts'

const LONGEST_PHONE = limits.phone.most

/** Stored as typed; compared by the digits, or by the international normal form for a country (DECISIONS T13, T17). */
export const phone: FieldType = {
  ...foldedText,
  name: 'phone',
  widget: 'line',
  says: 'A telephone number, stored as typed and compared by its digits; if the installation has a country, by its international form.',
  settings: ['maxLength'],
  byCountry: true,
  canBeUnique: true,
  guess: { value: /^(?=(?:\D*\d){5,15}\D*$)[\d\s()+./#-]+$/, header: /phone|fax|mobile|\btel|телефон|\bтел|факс|мобильн/i, order: 10 },
  longest: LONGEST_PHONE,
  maxUnits: 2 * LONGEST_PHONE,
  schema: textSchema(LONGEST_PHONE),
  parse(value, settings) {
    if (value === '') return value
    mustNotExceed(value, mostCharacters(settings, LONGEST_PHONE))
    if (!NUMBER.test(value)) throw fail('field.invalid_value', { why: `${quoted(value)} is not a telephone number.` })
    digitsOf(value)
    return value
  },
  key: (stored, { phoneCountry = '' }) => normalForm(stored as string, phoneCountry),
  literal(value) {
    digitsOf(value)
    return value
  },
  part: digitsOf,
  beginnings: (text, { phoneCountry = '' }) => normalBeginnings(text, phoneCountry),
  examples: [
    ['', ''],
    ['+7 (900) 123-45-67', '+7 (900) 123-45-67'],
    ['030.0074321 ext 12', '030.0074321 ext 12'],
    ['8/800/555', '8/800/555'],
    ['112', '112'],
  ],
  rejects: ['abc', '+', '( )', '12a', '١٢٣', '12\n34', '1'.repeat(65)],
}

const NUMBER = /^(?:[\d+\-()./ \u00a0#*,;]|ext|доб|x)+$/i

/** @throws `field.invalid_value` for a text without digits, which would be part of every number. */
function digitsOf(text: string): string {
  const digits = digitsIn(text)
  if (digits === '' && text !== '')
    throw fail('field.invalid_value', { why: `${quoted(text)} has no digit, and telephone numbers are compared by their digits.` })
  return digits
}
