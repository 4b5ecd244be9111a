import { Failure } from '../../../errors.ts'
import { plain, type FieldSettings, type FieldType, type ValueContext } from '../../../fields/field-type.ts'
import { builtIn, fieldType, fieldTypes } from '../../../fields/index.ts'
import { parseValue } from '../../../fields/value.ts'

/** The type of a field that is made for a column, with the settings that its values need. */
export interface Guess extends Pick<FieldSettings, 'scale'> {
  readonly type: string
}

const inOrder = fieldTypes.flatMap((type) => (type.guess ? [{ type, ...type.guess }] : [])).sort((one, other) => one.order - other.order)

/** The first type, in the order of `guess.order`, whose pattern matches every sample and that accepts it. Empty samples are ignored. */
export function guessType(header: string, samples: readonly string[], context: ValueContext): Guess {
  const values = samples.filter((value) => value !== '')
  if (values.length === 0) return { type: builtIn.text.name }
  for (const { type, value, header: name } of inOrder) {
    if ((name && !name.test(header)) || !values.every((one) => value.test(one))) continue
    const settings = type.settingsFor?.(values)
    if (values.every((one) => takes(type, { ...plain, ...settings }, one, context))) return { type: type.name, ...settings }
  }
  // Values that even this type refuses are reported line by line.
  return { type: builtIn.longtext.name }
}

/** Whether a value matches the pattern of a type that was guessed from other values. As a number, 007 would lose its zeros. */
export const looksLike = (type: string, value: string): boolean => fieldType(type)?.guess?.value.test(value) ?? true

function takes(type: FieldType, settings: FieldSettings, value: string, context: ValueContext): boolean {
  try {
    parseValue(type, value, settings, context)
    return true
  } catch (error) {
    if (error instanceof Failure) return false
    throw error
  }
}
