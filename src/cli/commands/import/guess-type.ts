import { Failure } from '../../../errors.ts'
import { plain, type ValueContext } from '../../../fields/field-type.ts'
import { fieldType } from '../../../fields/index.ts'
import { parseValue } from '../../../fields/value.ts'

/** A field as the import would make it for a column. */
export interface Guess {
  readonly type: string
  /** Digits after the point, for decimals. */
  readonly scale?: number
}

/** How values of a type look, narrowest first. Numbers with leading zeros are codes and stay text, 0 and 1 stay numbers. */
const looks: readonly (readonly [type: string, value: RegExp, header?: RegExp])[] = [
  ['phone', /^(?=(?:\D*\d){5,15}\D*$)[\d\s()+./#-]+$/, /phone|fax|mobile|\btel|телефон|\bтел|факс|мобильн/i],
  ['integer', /^-?(0|[1-9]\d{0,17})$/],
  ['decimal', /^-?(0|[1-9]\d*)(\.\d{1,9})?$/],
  ['date', /^\d{4}-\d{2}-\d{2}$/],
  ['datetime', /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/],
  ['boolean', /^(true|false)$/i],
  ['email', /@/],
  ['url', /^(https?|ftp):\/\//i],
  ['text', /^.{0,200}$/su],
]

/** The narrowest type that every sample looks like and that takes every sample; empty samples say nothing. */
export function guessType(header: string, samples: readonly string[], context: ValueContext): Guess {
  const values = samples.filter((value) => value !== '')
  if (values.length === 0) return { type: 'text' }
  for (const [type, value, name] of looks) {
    if ((name && !name.test(header)) || !values.every((one) => value.test(one))) continue
    const guess = type === 'decimal' ? { type, scale: decimalsOf(values) } : { type }
    if (values.every((one) => takes(guess, one, context))) return guess
  }
  return { type: 'longtext' }
}

/** Whether a value looks like the type that was guessed from others: 007 would be taken for a number, and lose its zeros. */
export function looksLike(type: string, value: string): boolean {
  return looks.find(([name]) => name === type)?.[1].test(value) ?? true
}

/** Digits after the point that hold all these numbers: two at least, nine at most. */
export const decimalsOf = (values: readonly string[]): number =>
  values.reduce((most, value) => Math.max(most, Math.min(9, (value.split('.')[1] ?? '').length)), 2)

function takes({ type, scale }: Guess, value: string, context: ValueContext): boolean {
  try {
    parseValue(fieldType(type)!, value, { ...plain, ...(scale !== undefined && { scale }) }, context)
    return true
  } catch (error) {
    if (error instanceof Failure) return false
    throw error
  }
}
