import { Failure } from '../errors.ts'
import type { FieldSettings, FieldType, Stored, ValueContext } from './field-type.ts'
import { checkExtension } from './files.ts'
import { isEmpty, parseLiteral, parseValue } from './value.ts'

interface Typed {
  readonly type: FieldType
  readonly settings: FieldSettings
}

/**
 * Converts a value to another type: the text that a response shows is parsed by the new type. Returns undefined if the value would be
 * lost. An empty value stays empty. The store checks whether ids exist.
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
  // The value is 0, which may be a real value. If the new type cannot hold it, it becomes empty.
  return attempt(from, stored, to, context) ?? (empty ? toType.empty : undefined)
}

function attempt(from: Typed, stored: Stored, to: Typed, context: ValueContext): Stored | undefined {
  if (namesOther(from, to)) return undefined
  try {
    const text = plainText(from, stored, to)
    if (text === undefined) return undefined
    // The options are kept, so a removed option stays.
    if (hasOptions(from) && hasOptions(to)) return parseLiteral(to.type, text, to.settings, context)
    if (to.type.files) for (const name of text.split('\r\n')) checkExtension(to.type, name, to.settings)
    return parseValue(to.type, text, to.settings, context)
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

const hasOptions = ({ type }: Typed): boolean => type.settings.includes('options')

/** Whether ids of the two types mean different things: a record of table 3 cannot become a user or a record of table 4. */
function namesOther(from: Typed, to: Typed): boolean {
  if (!from.type.target || !to.type.target) return false
  return from.type.target !== to.type.target || from.settings.referenceTableId !== to.settings.referenceTableId
}

/** The text for the other type to parse; undefined if no text can hold the value. */
function plainText(from: Typed, stored: Stored, to: Typed): string | undefined {
  // The name of a file does not hold its bytes.
  if (Boolean(from.type.files) !== Boolean(to.type.files)) return undefined
  const text = from.type.format(stored, from.settings)
  // 5.00 becomes 5 for another number type. As text it stays 5.00.
  if (from.type.kind === 'number' && to.type.kind === 'number') return text.replace(/\.0+$/, '')
  const one = from.type.ids?.(stored)
  if (to.type.kind === 'number' && from.type.kind === 'set' && one) return one.length === 1 ? String(one[0]) : undefined
  return text
}
