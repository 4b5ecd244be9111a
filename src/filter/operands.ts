import { fail, Failure } from '../errors.ts'
import type { Attribute, FieldType, ValueContext } from '../fields/field-type.ts'
import { fold } from '../fields/fold.ts'
import { foldedOptions, idsOfLabels } from '../fields/forms/options.ts'
import { mustNotExceed } from '../fields/forms/texts.ts'
import { mustBeStorable, parseLiteral } from '../fields/value.ts'
import { limits } from '../limits.ts'
import type { Param } from '../sql/sql.ts'
import { place, type Call, type Node } from './ast.ts'
import type { FilterFunction } from './functions.ts'

/** What reading a value depends on besides the attribute. */
export interface Reading {
  readonly context: ValueContext
  readonly currentUser?: number | undefined
  readonly writtenIn?: string | undefined
  /** Options of lists that all functions of the filter have looked at so far. */
  readonly looked: { options: number }
}

/** What stands between the members of a set that is compared as it is shown. */
export const BETWEEN = '\r\n'

/** The values given to a function, as the column it asks holds them. @throws `filter.invalid_value`, `filter.syntax` */
export function readOperands(fn: FilterFunction, attribute: Attribute, operands: readonly Node[], reading: Reading): readonly Param[] {
  if (fn.of === 'empty') return [attribute.type.empty]
  return operands.map((operand) => readAt(operand, attribute.type, reading, (text) => held(text, fn, attribute, reading.context)))
}

/** The options, 0 for the empty one, on whose labels the function holds. @throws as `readOperands`, and `filter.too_many_options` */
export function optionsThatHold(
  fn: FilterFunction,
  attribute: Attribute,
  { args: [, ...operands], at }: Call,
  reading: Reading,
): readonly number[] {
  const { type, settings } = attribute
  const values = operands.map((operand) =>
    readAt(operand, type, reading, (text) => {
      if (fn.of === 'value') parseLiteral(type, text, settings, reading.context)
      return fold(text)
    }),
  )
  if (fn.isOneOf) return idsOfLabels(settings, values)
  const options = [{ id: 0, label: '' }, ...foldedOptions(settings)]
  reading.looked.options += options.length
  const { most } = limits.filterOptions
  if (reading.looked.options > most)
    throw fail('filter.too_many_options', { most }, place(at, `at most ${most} options`, reading.writtenIn))
  const holds = fn.holds!(values)
  return options.filter(({ label }) => holds(label)).map(({ id }) => id)
}

function held(text: string, fn: FilterFunction, { type, settings }: Attribute, context: ValueContext): Param {
  if (fn.of === 'part') return (type.part ?? fold)(text)
  if (fn.of === 'member') {
    const member = type.member!(text, settings)
    return type.key ? `${BETWEEN}${fold(text)}${BETWEEN}` : member
  }
  const stored = parseLiteral(type, text, settings, context)
  if (type.kind === 'number') return BigInt(stored)
  return type.key ? type.key(stored, settings) : stored
}

/** A value that does not fit is refused at its place: it never comes to an empty result (interface 8.7). */
function readAt<T>(operand: Node, type: FieldType, { currentUser, writtenIn }: Reading, read: (text: string) => T): T {
  const text = written(operand, currentUser)
  if (text === undefined)
    throw fail('filter.syntax', { expected: 'a number or a text in quotes' }, place(operand.at, 'a number or a text in quotes', writtenIn))
  try {
    mustNotExceed(text, limits.filterValue.most)
    mustBeStorable(text)
    return read(text)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    throw fail('filter.invalid_value', { why: error.message }, place(operand.at, `a value that fits the type ${type.name}`, writtenIn))
  }
}

/** `current_user` is the only value without quotes that is not a number, and only where the scope gives it a meaning. */
function written(operand: Node, currentUser: number | undefined): string | undefined {
  if (operand.is === 'literal') return operand.text
  const isCurrentUser = operand.is === 'name' && operand.name === 'current_user' && currentUser !== undefined
  return isCurrentUser ? String(currentUser) : undefined
}
