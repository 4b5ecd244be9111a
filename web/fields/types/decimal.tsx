import { lineEditor } from '../editors/line.tsx'
import type { FieldType } from '../field-type.ts'
import { readNumber, showNumber } from '../numbers.ts'
import { plainText } from '../plain.ts'
import { say } from '../../i18n/words.ts'

export const decimal: FieldType = {
  icon: 'decimal',
  isNumber: true,
  show: (text, field) => plainText(field, text),
  // Without separators of thousands, which a spreadsheet may take for text.
  toText: (text, _, __, { locale }) => showNumber(text, locale, false),
  read(text, field, { locale }) {
    const value = readNumber(text, locale, field.scale)
    return value === undefined ? { error: say('notANumber', { example: showNumber('1234.50', locale) }) } : { value }
  },
  Editor: lineEditor(() => decimal, { inputMode: 'decimal' }),
}
