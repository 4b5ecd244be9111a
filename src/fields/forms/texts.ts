import { fail } from '../../errors.ts'
import type { FieldSettings, FieldType, Stored } from '../field-type.ts'
import { fold } from '../fold.ts'

/** What all types have whose column holds the text as it was sent, compared by its folded form. */
export const foldedText = {
  kind: 'text',
  column: { sqlite: 'TEXT', postgres: 'text' },
  empty: '',
  hasEmpty: true,
  format: (stored: Stored): string => stored as string,
  key: (stored: Stored): string => fold(stored as string),
  // Any text may be looked for, also one that could not be written.
  literal: (text: string): Stored => text,
} as const satisfies Partial<FieldType>

/** @throws where the text has line breaks. */
export function mustBeOneLine(text: string): void {
  if (/[\r\n]/.test(text)) throw fail('field.invalid_value', { why: 'A one-line text holds no line breaks.' })
}

/** Characters that a value of a type may have, whose longest has `longest`. */
export const mostCharacters = ({ maxLength = Infinity }: FieldSettings, longest: number): number => Math.min(maxLength, longest)

/** @throws where the text has more characters (code points) than `most`. */
export function mustNotExceed(text: string, most: number): void {
  if (text.length <= most) return
  let count = 0
  for (const _ of text) if (++count > most) throw fail('field.invalid_value', { why: `The text is longer than ${most} characters.` })
}
