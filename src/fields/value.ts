import { fail } from '../errors.ts'
import { limits } from '../limits.ts'
import type { FieldSettings, FieldType, Stored, ValueContext } from './field-type.ts'
import { hasLongRun, withShortRuns } from './forms/marks.ts'

/** A written value as the column holds it. @throws `field.invalid_value` with a sentence. */
export function parseValue(type: FieldType, text: string, settings: FieldSettings, context: ValueContext): Stored {
  mustNotBeLonger(text, type.maxUnits)
  mustBeStorable(text)
  return type.parse(text, settings, context)
}

/** The literal of a filter as the column would hold it. @throws `field.invalid_value` with a sentence. */
export function parseLiteral(type: FieldType, text: string, settings: FieldSettings, context: ValueContext): Stored {
  // Any text may be looked for in a text, also one that is longer than what is looked through.
  if (type.kind !== 'text') mustNotBeLonger(text, type.maxUnits)
  mustBeStorable(text)
  return (type.literal ?? type.parse)(text, settings, context)
}

/** Whether this is what a field holds that nobody filled in; where `hasEmpty` is false it may be a value all the same. */
export const isEmpty = (type: FieldType, stored: Stored): boolean => String(stored) === String(type.empty)

/** Before anything else is done to a text. `most`: code units. */
function mustNotBeLonger(text: string, most: number): void {
  if (text.length > most) throw fail('field.invalid_value', { why: `The value is longer than ${most} characters.` })
}

/**
 * @throws for NUL and lone surrogates, which not every engine and not every client could give back, and for more marks in a
 * row than can be normalised in time.
 */
export function mustBeStorable(text: string): void {
  if (text.includes('\0')) throw fail('field.invalid_value', { why: 'The value holds the character NUL.' })
  if (!text.isWellFormed())
    throw fail('field.invalid_value', { why: 'The value is not well-formed Unicode: it holds half a surrogate pair.' })
  if (hasLongRun(text)) throw fail('field.invalid_value', { why: `The value has more than ${limits.marks.most} combining marks in a row.` })
}

/** A text, or as many of its first characters (code points). */
export const firstOf = (text: string, characters: number): string =>
  text.length <= characters ? text : [...text.slice(0, 2 * characters).toWellFormed()].slice(0, characters).join('')

/** What can be stored of a text: for what the service itself notes of one that was stored before, or refused. */
export const storable = (text: string): string => withShortRuns(text.replaceAll('\0', '').toWellFormed())
