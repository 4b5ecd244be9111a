import { Failure } from '../../errors.ts'
import { convertThroughText } from '../../fields/convert.ts'
import type { Attribute, Stored, ValueContext } from '../../fields/field-type.ts'
import { LONGEST_NUMBER } from '../../fields/forms/numbers.ts'
import { mostCharacters } from '../../fields/forms/texts.ts'
import { readWritten, writingOf, type Written } from '../../fields/readers.ts'
import { firstOf, isEmpty, parseValue } from '../../fields/value.ts'

type Typed = Pick<Attribute, 'type' | 'settings'>

export interface Converted {
  readonly value: Stored
  /** Whether a part of the old value is lost. */
  readonly lost: boolean
}

/** Converts one value of a field whose type changes. `written`: how the texts of the field are written (column-writing.ts). */
export function convertValue(from: Typed, to: Typed, stored: Stored, context: ValueContext, written?: Written): Converted {
  const asTheOthers = written && readAsWritten(to, from.type.format(stored, from.settings), context, written)
  if (asTheOthers !== undefined) return { value: asTheOthers, lost: false }
  const value = convertThroughText(from.type, from.settings, stored, to.type, to.settings, context)
  const text = from.type.format(stored, from.settings)
  if (value !== undefined && (isEmpty(from.type, stored) || says(to, value, text))) return { value, lost: false }
  const asWritten = from.type.kind === 'text' ? readAsWritten(to, text, context) : undefined
  if (asWritten !== undefined) return { value: asWritten, lost: false }
  // The same id would mean something else: record 5 is not user 5.
  const renamed =
    from.type.target !== undefined &&
    to.type.target !== undefined &&
    value === undefined &&
    !isEmpty(from.type, stored) &&
    !sameTarget(from, to)
  if (to.type.files || renamed) return { value: to.type.empty, lost: true }
  const members = membersOf(from, stored, text)
  const joined = from.type.files ? undefined : read(to, to.type.kind === 'set' ? members.join('\r\n') : members.join(', '), context)
  if (joined !== undefined && says(to, joined, members.join(', '))) return { value: joined, lost: false }
  for (const candidate of less(to, text, members)) {
    const rest = read(to, candidate, context)
    if (rest !== undefined) return { value: rest, lost: true }
  }
  return { value: to.type.empty, lost: true }
}

/** A text such as 31.12.2024 or 1 234,56 by the readers of imports; undefined: it is none, or can be read in two ways. */
function readAsWritten(to: Typed, text: string, context: ValueContext, said?: Written): Stored | undefined {
  const written = said ?? writingOf(to.type, [text])
  if (typeof written !== 'object' || text === '') return undefined
  const plain = readWritten(written, text)
  const value = read(to, plain, context)
  return value !== undefined && says(to, value, plain) ? value : undefined
}

const sameTarget = (from: Typed, to: Typed): boolean =>
  from.type.target === to.type.target && (from.type.target !== 'record' || from.settings.referenceTableId === to.settings.referenceTableId)

function membersOf({ type }: Typed, stored: Stored, text: string): readonly string[] {
  if (type.kind !== 'set') return [text]
  return type.ids ? type.ids(stored).map(String) : text.split('\r\n')
}

/** Texts that keep a part of the value, the largest part first. */
function less({ type, settings }: Typed, text: string, members: readonly string[]): string[] {
  if (type.kind === 'time') return [text.slice(0, 10)]
  if (type.truth) return [/^-?[0.]*$/.test(text) ? '0' : '1']
  if (type.kind === 'number' && !type.target) return [rounded(text, type.scale?.(settings) ?? 0)]
  if (type.longest !== undefined) {
    const most = mostCharacters(settings, type.longest)
    const line = type.multiline ? text : text.replace(/[\r\n]+/g, ' ')
    return [firstOf(line, most)]
  }
  return [...members]
}

/** A number cut to at most `scale` digits after the point; other text unchanged. */
function rounded(text: string, scale: number): string {
  const [, whole, fraction = ''] = /^(-?\d+)(?:\.(\d+))?$/.exec(text) ?? []
  if (whole === undefined) return text
  return scale === 0 ? whole : `${whole}.${fraction.slice(0, scale).padEnd(scale, '0')}`
}

/** Whether the value shows the same number or text. '007' as 7 is a loss, 1.50 as 1.5 is not. */
function says({ type, settings }: Typed, value: Stored, text: string): boolean {
  if (type.kind !== 'number' || type.truth) return true
  return canonical(type.format(value, settings)) === canonical(text)
}

/** A number without zeros at the end of its fraction; other text unchanged. */
const canonical = (number: string): string =>
  (number.length <= LONGEST_NUMBER && number.includes('.') ? number.replace(/\.?0+$/, '') : number).replace(/^-0$/, '0')

function read({ type, settings }: Typed, text: string, context: ValueContext): Stored | undefined {
  try {
    return parseValue(type, text, settings, context)
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}
