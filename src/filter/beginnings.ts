import type { Attribute, Stored } from '../fields/field-type.ts'
import type { Steps } from '../fields/steps.ts'
import type { Node } from './ast.ts'
import { filterFunctions, type FilterFunction } from './functions.ts'
import { readAt, withValues, type Applied, type Reading } from './operands.ts'

/*
 * Pieces of values whose keys begin otherwise than the values do, such as 8900 of a telephone number whose key is 7900…: besides the
 * piece itself, its other beginnings are looked for at the beginning of keys. A piece that ends a value may be the whole value.
 */

/** @throws as `withValues` */
export function* withBeginnings(
  fn: string,
  attribute: Attribute,
  operand: Node,
  reading: Reading,
): Steps<Applied | { readonly is: 'or'; readonly terms: readonly Applied[] }> {
  const { type, settings } = attribute
  const function_ = filterFunctions[fn]!
  const itself = yield* withValues(function_, attribute, [operand], reading)
  const [piece] = itself.values as [string]
  const others = readAt(operand, '', reading, (text) =>
    fn === 'ends_with' ? [type.key!(text, settings)] : type.beginnings!(text, settings),
  )
  const missing = others.filter((one) => one !== '' && !function_.test([piece])(one))
  if (missing.length === 0) return itself
  const by: FilterFunction = filterFunctions[fn === 'ends_with' ? 'eq' : 'starts_with']!
  const apply = (value: Stored): Applied => ({ is: 'apply', fn: by, attribute, values: [value] })
  return { is: 'or', terms: [itself, ...missing.map(apply)] }
}
