import { lineEditor } from '../editors/line.tsx'
import type { FieldType } from '../field-type.ts'
import { hasFraction, readNumber, showNumber } from '../numbers.ts'
import { isNamingNumber } from '../naming-number.ts'
import { plainText } from '../plain.ts'
import { say } from '../../i18n/words.ts'

export const integer: FieldType = {
  icon: 'number',
  isNumber: true,
  // A number by which records are named, such as that of an order, is no quantity.
  show: (text, field) => (isNamingNumber(field) ? text : plainText(field, text)),
  // Without separators of thousands, which a spreadsheet may take for text.
  toText: (text, _, __, { locale }) => showNumber(text, locale, false),
  read(text, _, { locale }) {
    if (hasFraction(text, locale)) return { error: say('notWhole', { example: showNumber('1234', locale) }) }
    const value = readNumber(text, locale, 0)
    return value === undefined ? { error: say('notANumber', { example: showNumber('1234', locale) }) } : { value }
  },
  Editor: lineEditor(() => integer, { inputMode: 'decimal' }),
}
