import { fail } from '../errors.ts'
import type { FieldSettings, FieldType, Stored, ValueContext } from './field-type.ts'

/** A written value as the column holds it. @throws `field.invalid_value` with a sentence. */
export function parseValue(type: FieldType, text: string, settings: FieldSettings, context: ValueContext): Stored {
  mustBeStorable(text)
  return type.parse(text, settings, context)
}

/** The literal of a filter as the column would hold it. @throws `field.invalid_value` with a sentence. */
export function parseLiteral(type: FieldType, text: string, settings: FieldSettings, context: ValueContext): Stored {
  mustBeStorable(text)
  return (type.literal ?? type.parse)(text, settings, context)
}

/** Whether this is what a field holds that nobody filled in; where `hasEmpty` is false it may be a value all the same. */
export const isEmpty = (type: FieldType, stored: Stored): boolean => String(stored) === String(type.empty)

/** @throws for NUL and lone surrogates, which not every engine and not every client could give back. */
export function mustBeStorable(text: string): void {
  if (text.includes('\0')) throw fail('field.invalid_value', { why: 'The value holds the character NUL.' })
  if (!text.isWellFormed())
    throw fail('field.invalid_value', { why: 'The value is not well-formed Unicode: it holds half a surrogate pair.' })
}
