import { fail, Failure } from '../errors.ts'
import type { Attribute, FieldType, Stored, ValueContext } from '../fields/field-type.ts'
import { fold } from '../fields/fold.ts'
import { foldingOptions, idsOfLabels } from '../fields/forms/options.ts'
import { mustNotExceed } from '../fields/forms/texts.ts'
import type { Steps } from '../fields/steps.ts'
import { mustBeStorable, parseLiteral } from '../fields/value.ts'
import { limits } from '../limits.ts'
import { place, type Call, type Node } from './ast.ts'
import type { FilterFunction } from './functions.ts'
import { textOfWord, type Words } from './words.ts'

/** What parsing a value depends on besides the attribute. */
export interface Reading {
  readonly context: ValueContext
  readonly words?: Words | undefined
  readonly writtenIn?: string | undefined
  readonly spent: Spent
}

/** The cost of all functions of one filter so far. */
interface Spent {
  /** Options of lists that were compared with values. */
  options: number
  /** Words that are searched for. */
  words: number
  /** Work in the current step, in code units that take the same time. */
  units: number
}

export const nothingRead = (): Spent => ({ options: 0, words: 0, units: 0 })

/** Work in code units: of one step, of each value besides its text, of a comparison with one option. */
const [STEP, VALUE, OPTION] = [32_768, 25, 4]

/** The separator of members in a set that is compared as it is shown. */
export const BETWEEN = '\r\n'

/** A function with its values, in the form of the column that it compares. */
export interface Applied {
  readonly is: 'apply'
  readonly fn: FilterFunction
  readonly attribute: Attribute
  readonly values: readonly Stored[]
}

/** A function on a list: the ids of the options whose labels match; 0 is the empty value. */
export interface Among {
  readonly is: 'among'
  readonly attribute: Attribute
  readonly ids: readonly number[]
}

/** @throws `filter.invalid_value`, `filter.syntax` */
export function* withValues(fn: FilterFunction, attribute: Attribute, operands: readonly Node[], reading: Reading): Steps<Applied> {
  const { type, settings } = attribute
  if (fn.of === 'empty') return { is: 'apply', fn, attribute, values: [type.empty] }
  if (settings.options && fn.of !== 'part') yield* foldingOptions(settings)
  const read = (text: string): Stored => held(text, fn, attribute, reading.context)
  const values: Stored[] = []
  for (const operand of operands) {
    values.push(readAt(operand, valueOf(type), reading, read, type))
    if (ends(reading, weight(operand))) yield
  }
  return { is: 'apply', fn, attribute, values }
}

/** @throws as `withValues`, and `filter.too_many_options` */
export function* optionsThatHold(
  fn: FilterFunction,
  attribute: Attribute,
  { args: [, ...operands], at }: Call,
  reading: Reading,
): Steps<Among> {
  const { type, settings } = attribute
  const folded = yield* foldingOptions(settings)
  const read = (text: string): string => {
    if (fn.of === 'value') parseLiteral(type, text, settings, reading.context)
    return fold(text)
  }
  // The empty option has no label.
  const values: string[] = fn.of === 'empty' ? [''] : []
  for (const operand of operands) {
    values.push(readAt(operand, valueOf(type), reading, read, type))
    if (ends(reading, weight(operand))) yield
  }
  if (fn.isOneOf) return { is: 'among', attribute, ids: idsOfLabels(settings, values) }
  const options = [{ id: 0, label: '' }, ...folded]
  mustCompare(reading, options.length, at, reading.writtenIn)
  const holds = fn.test(values)
  if (ends(reading, OPTION * options.length)) yield
  return { is: 'among', attribute, ids: options.filter(({ label }) => holds(label)).map(({ id }) => id) }
}

/** Counts options that are going to be compared. @throws `filter.too_many_options` */
export function mustCompare({ spent }: Reading, options: number, at: number, writtenIn: string | undefined): void {
  spent.options += options
  const { most } = limits.filterOptions
  if (spent.options > most) throw fail('filter.too_many_options', { most }, place(at, `at most ${most} options`, writtenIn))
}

const valueOf = (type: FieldType): string => `a value that fits the type ${type.name}`

const weight = (operand: Node): number => VALUE + (operand.is === 'literal' ? operand.text.length : 0)

/** Adds work to the current step. Returns whether the step ends. */
export function ends({ spent }: Reading, units: number): boolean {
  spent.units += units
  if (spent.units < STEP) return false
  spent.units = 0
  return true
}

function held(text: string, fn: FilterFunction, { type, settings }: Attribute, context: ValueContext): Stored {
  if (fn.of === 'part') return (type.part ?? fold)(text)
  if (fn.of === 'member') {
    const member = type.member!(text, settings)
    return type.key ? `${BETWEEN}${fold(text)}${BETWEEN}` : member
  }
  const stored = parseLiteral(type, text, settings, context)
  if (type.kind === 'number') return BigInt(stored)
  return type.key ? type.key(stored, settings) : stored
}

const EXPECTED = 'a number or a text in quotes'

/**
 * Parses an operand. A value that does not fit is refused; it does not give an empty result (interface 8.7). `type`: of the attribute that
 * it is compared with.
 */
export function readAt<T>(operand: Node, expected: string, { words, writtenIn }: Reading, read: (text: string) => T, type?: FieldType): T {
  try {
    const text = operand.is === 'literal' ? operand.text : operand.is === 'name' && words ? textOfWord(operand, type, words) : undefined
    if (text === undefined) throw fail('filter.syntax', { expected: EXPECTED }, place(operand.at, EXPECTED, writtenIn))
    mustNotExceed(text, limits.filterValue.most)
    mustBeStorable(text)
    return read(text)
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'filter.syntax') throw error
    throw fail('filter.invalid_value', { why: error.message }, place(operand.at, expected, writtenIn))
  }
}
