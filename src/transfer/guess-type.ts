import { Failure } from '../errors.ts'
import { plain, type FieldSettings, type FieldType, type ValueContext } from '../fields/field-type.ts'
import { builtIn, fieldType, fieldTypes } from '../fields/index.ts'
import { readWritten, writingOf, type KnownWriting, type Written } from '../fields/readers.ts'
import { parseValue } from '../fields/value.ts'

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

/** Types by which values are tried that are not written as requests send them. */
const guessed = (fits: (type: FieldType) => boolean) => fieldTypes.filter((type) => type.guess && fits(type)).slice(0, 1)
const tried = [
  ...guessed(({ kind }) => kind === 'time'),
  ...guessed(({ kind, truth, target }) => kind === 'number' && !truth && !target),
  ...guessed(({ truth }) => truth === true),
]

/**
 * As `guessType`, also of values as people write them. Where a file says how they are written (`known`), that comes first. Numbers in groups
 * without a fraction stay texts: 555 123 may be a telephone.
 */
export function guessWritten(
  header: string,
  samples: readonly string[],
  context: ValueContext,
  known: KnownWriting = {},
): Guess & { readonly written?: Written | 'ambiguous' } {
  const plainly = guessType(header, samples, context)
  const isSaid = known.dates !== undefined || known.decimal !== undefined
  if (plainly.type !== builtIn.text.name && !(isSaid && fieldType(plainly.type)?.kind === 'number')) return plainly
  for (const type of tried) {
    const written = writingOf(type, samples, known)
    if (written === 'ambiguous' && type.kind === 'time') return { ...plainly, written }
    if (typeof written !== 'object') continue
    const read = samples.map((value) => readWritten(written, value))
    const guess = guessType(header, read, context)
    const isFound = fieldType(guess.type)?.kind === type.kind && read.some((value, i) => value !== samples[i])
    if (isFound && (written.as !== 'number' || known.decimal !== undefined || read.some((value) => value.includes('.'))))
      return { ...guess, written }
  }
  return plainly
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
