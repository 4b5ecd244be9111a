import { fail } from '../errors.ts'
import type { FieldType } from './field-type.ts'
import { fold } from './fold.ts'

/** The most a one-line text holds, in characters (code points). */
const MAX_LENGTH = 255

export const text: FieldType = {
  name: 'text',
  kind: 'text',
  widget: 'line',
  says: 'One line of text, at most 255 characters.',
  column: { sqlite: 'TEXT', postgres: 'text' },
  settings: ['maxLength'],
  empty: '',
  hasEmpty: true,
  parse(value, settings) {
    if (/[\r\n]/.test(value)) throw fail('field.invalid_value', { why: 'A one-line text holds no line breaks.' })
    const most = Math.min(settings.maxLength ?? MAX_LENGTH, MAX_LENGTH)
    if (value.length > most && [...value].length > most) throw fail('field.invalid_value', { why: `The text is longer than ${most} characters.` })
    return value
  },
  format: (stored) => stored as string,
  key: (stored) => fold(stored as string),
  examples: [['', ''], ['Anna', 'Anna'], ["O'Hara", "O'Hara"], ['100%_\\', '100%_\\'], ['Ünïcode 🚀', 'Ünïcode 🚀']],
  rejects: ['a\nb', 'a\rb', 'x'.repeat(256)],
}
