import { limits } from '../limits.ts'
import type { FieldType } from './field-type.ts'
import { foldedText, mostCharacters, mustNotExceed, textSchema } from './forms/texts.ts'

const LONGEST_LONGTEXT = limits.longtext.most

/** With a comma after each three digits. `toLocaleString` would load 5 MiB of locale data in every process. */
const grouped = (count: number): string => String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')

/** Line breaks are stored as sent, CR LF or LF. */
export const longtext: FieldType = {
  ...foldedText,
  name: 'longtext',
  widget: 'paragraph',
  says: `Text of any number of lines, at most ${grouped(LONGEST_LONGTEXT)} characters.`,
  settings: ['maxLength'],
  multiline: true,
  guess: { value: /(?:)/, order: 100 },
  longest: LONGEST_LONGTEXT,
  maxUnits: 2 * LONGEST_LONGTEXT,
  schema: textSchema(LONGEST_LONGTEXT),
  parse(value, settings) {
    mustNotExceed(value, mostCharacters(settings, LONGEST_LONGTEXT))
    return value
  },
  exampleSettings: { maxLength: 300 },
  examples: [
    ['', ''],
    ['one\r\ntwo', 'one\r\ntwo'],
    ['one\ntwo\n', 'one\ntwo\n'],
    ['x'.repeat(300), 'x'.repeat(300)],
  ],
  rejects: ['x'.repeat(301), '🚀'.repeat(301)],
}
