import { limits } from '../limits.ts'
import type { FieldType } from './field-type.ts'
import { foldedText, mostCharacters, mustBeOneLine, mustNotExceed, textSchema } from './forms/texts.ts'

const LONGEST_TEXT = limits.text.most

export const text: FieldType = {
  ...foldedText,
  name: 'text',
  widget: 'line',
  says: `One line of text, at most ${LONGEST_TEXT} characters.`,
  settings: ['maxLength'],
  canBeUnique: true,
  guess: { value: /^.{0,200}$/su, order: 90 },
  titles: true,
  longest: LONGEST_TEXT,
  maxUnits: 2 * LONGEST_TEXT,
  schema: textSchema(LONGEST_TEXT, { pattern: '^[^\\r\\n]*$' }),
  parse(value, settings) {
    mustBeOneLine(value)
    mustNotExceed(value, mostCharacters(settings, LONGEST_TEXT))
    return value
  },
  examples: [
    ['', ''],
    ['Anna', 'Anna'],
    ["O'Hara", "O'Hara"],
    ['100%_\\', '100%_\\'],
    ['Ünïcode 🚀', 'Ünïcode 🚀'],
    ['007', '007'],
  ],
  rejects: ['a\nb', 'a\rb', 'x'.repeat(256)],
}
