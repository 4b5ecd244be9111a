import { Failure } from '../errors.ts'
import type { FieldSettings, FieldType, Stored, ValueContext } from './field-type.ts'
import { checkExtension } from './files.ts'
import { isEmpty, parseLiteral, parseValue } from './value.ts'

interface Typed {
  readonly type: FieldType
  readonly settings: FieldSettings
}

/**
 * A value of one field as a field of another type would hold it, by way of the text it shows; undefined where it would
 * be lost. Empty stays empty. Whether ids name something in their new meaning is for the store to check.
 */
export function convertThroughText(
  fromType: FieldType,
  fromSettings: FieldSettings,
  stored: Stored,
  toType: FieldType,
  toSettings: FieldSettings,
  context: ValueContext,
): Stored | undefined {
  const [from, to] = [
    { type: fromType, settings: fromSettings },
    { type: toType, settings: toSettings },
  ]
  const empty = isEmpty(fromType, stored)
  if (empty && fromType.hasEmpty) return toType.empty
  // 0 may be a value, but where it has no counterpart it is as good as empty.
  return attempt(from, stored, to, context) ?? (empty ? toType.empty : undefined)
}

function attempt(from: Typed, stored: Stored, to: Typed, context: ValueContext): Stored | undefined {
  if (namesOther(from, to)) return undefined
  try {
    const text = plainText(from, stored, to)
    if (text === undefined) return undefined
    // An option that has been removed goes along where the options do.
    if (hasOptions(from) && hasOptions(to)) return parseLiteral(to.type, text, to.settings, context)
    if (to.type.files) for (const name of text.split('\r\n')) checkExtension(to.type, name, to.settings)
    return parseValue(to.type, text, to.settings, context)
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

const hasOptions = ({ type }: Typed): boolean => type.settings.includes('options')

/** Ids of other things: a record of table 3 does not become a user, nor a record of table 4. */
function namesOther(from: Typed, to: Typed): boolean {
  if (!from.type.target || !to.type.target) return false
  return from.type.target !== to.type.target || from.settings.referenceTableId !== to.settings.referenceTableId
}

/** The text that the other type reads; undefined where no text carries the value. */
function plainText(from: Typed, stored: Stored, to: Typed): string | undefined {
  // Bytes come with a file and go with it.
  if (Boolean(from.type.files) !== Boolean(to.type.files)) return undefined
  const text = from.type.format(stored, from.settings)
  // 5.00 is 5 for a whole number, a switch, an id; as text it stays 5.00.
  if (from.type.kind === 'number' && to.type.kind === 'number') return text.replace(/\.0+$/, '')
  const one = from.type.ids?.(stored)
  if (to.type.kind === 'number' && from.type.kind === 'set' && one) return one.length === 1 ? String(one[0]) : undefined
  return text
}
