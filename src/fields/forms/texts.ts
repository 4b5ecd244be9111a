import { fail } from '../../errors.ts'
import type { FieldSettings, FieldType, Schema, Stored, ValueSchema } from '../field-type.ts'
import { fold } from '../fold.ts'

/** What types share whose column has the text as it was sent. Values are compared by their folded form. */
export const foldedText = {
  kind: 'text',
  column: { sqlite: 'TEXT', postgres: 'text' },
  empty: '',
  hasEmpty: true,
  format: (stored: Stored): string => stored as string,
  key: (stored: Stored): string => fold(stored as string),
  // A filter may search for any text, also for one that a field would refuse.
  literal: (text: string): Stored => text,
} as const satisfies Partial<FieldType>

/** The member `schema` of a text of at most `longest` characters. */
export const textSchema =
  (longest: number, more: Schema = {}) =>
  (settings: FieldSettings): ValueSchema => {
    const schema = { type: 'string', ...more }
    // A value may be older than a lower maxLength.
    return { shown: { ...schema, maxLength: longest }, sent: { ...schema, maxLength: mostCharacters(settings, longest) } }
  }

/** @throws `field.invalid_value` for a text with line breaks. */
export function mustBeOneLine(text: string): void {
  if (/[\r\n]/.test(text)) throw fail('field.invalid_value', { why: 'A one-line text holds no line breaks.' })
}

/** The most characters of a value; `longest`: the limit of the type. */
export const mostCharacters = ({ maxLength = Infinity }: FieldSettings, longest: number): number => Math.min(maxLength, longest)

/** @throws `field.invalid_value` for a text of more than `most` characters (code points). */
export function mustNotExceed(text: string, most: number): void {
  if (text.length <= most) return
  let count = 0
  for (const _ of text) if (++count > most) throw fail('field.invalid_value', { why: `The text is longer than ${most} characters.` })
}
