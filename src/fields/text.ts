import { limits } from '../limits.ts'
import type { FieldType } from './field-type.ts'
import { foldedText, mostCharacters, mustBeOneLine, mustNotExceed } from './forms/texts.ts'

const LONGEST = limits.text.most

export const text: FieldType = {
  ...foldedText,
  name: 'text',
  widget: 'line',
  says: `One line of text, at most ${LONGEST} characters.`,
  settings: ['maxLength'],
  canBeUnique: true,
  guess: { value: /^.{0,200}$/su, order: 90 },
  titles: true,
  longest: LONGEST,
  maxUnits: 2 * LONGEST,
  parse(value, settings) {
    mustBeOneLine(value)
    mustNotExceed(value, mostCharacters(settings, LONGEST))
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
