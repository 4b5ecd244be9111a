import { fail } from '../errors.ts'
import { limits } from '../limits.ts'
import type { FieldSettings, FieldType, Stored, ValueContext } from './field-type.ts'
import { hasLongRun, withShortRuns } from './forms/marks.ts'

/** Parses a written value into the form of the column. @throws `field.invalid_value` with a sentence. */
export function parseValue(type: FieldType, text: string, settings: FieldSettings, context: ValueContext): Stored {
  mustNotBeLonger(text, type.maxUnits)
  mustBeStorable(text)
  return type.parse(text, settings, context)
}

/** Whether the default is a word such as `today`, not a value. */
export const isDefaultWord = ({ defaultWords = {} }: FieldType, { defaultValue }: FieldSettings): boolean =>
  Object.hasOwn(defaultWords, defaultValue)

/** Parses a literal of a filter into the form of the column. @throws `field.invalid_value` with a sentence. */
export function parseLiteral(type: FieldType, text: string, settings: FieldSettings, context: ValueContext): Stored {
  // A filter may search a text field for any text, also for a longer one than it can hold.
  if (type.kind !== 'text') mustNotBeLonger(text, type.maxUnits)
  mustBeStorable(text)
  return (type.literal ?? type.parse)(text, settings, context)
}

/** Whether this is the empty value of the type. If `hasEmpty` is false, it may still be a real value. */
export const isEmpty = ({ empty }: FieldType, stored: Stored): boolean =>
  typeof stored === typeof empty ? stored === empty : String(stored) === String(empty)

/** Called before any other work on a text. `most`: code units. */
function mustNotBeLonger(text: string, most: number): void {
  if (text.length > most) throw fail('field.invalid_value', { why: `The value is longer than ${most} characters.` })
}

/**
 * @throws `field.invalid_value` for NUL and lone surrogates, which not every engine and client can return, and for a run of combining marks
 * that is too long to normalise
 */
export function mustBeStorable(text: string): void {
  if (text.includes('\0')) throw fail('field.invalid_value', { why: 'The value holds the character NUL.' })
  if (!text.isWellFormed())
    throw fail('field.invalid_value', { why: 'The value is not well-formed Unicode: it holds half a surrogate pair.' })
  if (hasLongRun(text)) throw fail('field.invalid_value', { why: `The value has more than ${limits.marks.most} combining marks in a row.` })
}

/** The first `characters` code points of a text. */
export const firstOf = (text: string, characters: number): string =>
  text.length <= characters ? text : [...text.slice(0, 2 * characters).toWellFormed()].slice(0, characters).join('')

/** A text without what `mustBeStorable` refuses, so that the service can store it, for example in the audit log. */
export const storable = (text: string): string => withShortRuns(text.replaceAll('\0', '').toWellFormed())
