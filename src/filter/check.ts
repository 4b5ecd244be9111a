import { fail, Failure } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Attribute, ValueContext } from '../fields/field-type.ts'
import { atOnce, type Steps } from '../fields/steps.ts'
import { place, type Call, type Expression, type Node } from './ast.ts'
import { combining, counts, filterFunctions, type FilterFunction } from './functions.ts'
import { nothingRead, optionsThatHold, withValues, type Among, type Applied, type Reading } from './operands.ts'
import { parse } from './parse.ts'

/** A filter checked for one table: every name is resolved, every value parsed. */
export type Condition =
  | Applied
  | Among
  | { readonly is: 'and' | 'or'; readonly terms: readonly Condition[] }
  | { readonly is: 'not'; readonly term: Condition }

/** What a filter may name. */
export interface Scope {
  readonly attributes: ReadonlyMap<string, Attribute>
  readonly context: ValueContext
  /** The user id that `current_user` stands for; only in the read and write filters of a group. */
  readonly currentUser?: number
  /** The text of a saved filter that the caller may use for this table; undefined for any other id. */
  savedFilter?(id: number): string | undefined
}

/** A scope, and the cost of the filter so far. */
type Checking = Scope & Pick<Reading, 'spent'>

/**
 * For the rules of groups, whose labels were folded before. Filters of requests are checked in steps (`checking`).
 * @throws a Failure `filter.…` for everything that cannot be resolved; no term is ever ignored.
 */
export const check = (expression: Expression, scope: Scope): Condition => atOnce(checking(expression, scope))

/** The same in steps. */
export const checking = (expression: Expression, scope: Scope): Steps<Condition> =>
  nameOf(expression) === 'use_filter' ? openSaved(expression, scope) : checkTerm(expression, { ...scope, spent: nothingRead() })

/** The id in a filter that is use_filter(id) alone; undefined for any other filter. */
export function savedFilterIn(expression: Expression): number | undefined {
  const [id] = expression.args
  return nameOf(expression) === 'use_filter' && id?.is === 'literal' ? Number(id.text) : undefined
}

function checkTerm(node: Node, scope: Checking): Steps<Condition> {
  if (node.is !== 'call') throw syntax('a function', node)
  const name = nameOf(node)
  switch (name) {
    case 'and':
    case 'or':
      return checkTerms(name, node, scope)
    case 'not':
      return checkNot(node, scope)
    case 'use_filter':
      throw fail('filter.saved_filter_alone', undefined, place(node.at, 'another function', node.writtenIn))
    default:
      return checkFunction(node, functionOf(node), scope)
  }
}

function* checkTerms(is: 'and' | 'or', { args }: Call, scope: Checking): Steps<Condition> {
  const terms: Condition[] = []
  for (const arg of args) terms.push(yield* checkTerm(arg, scope))
  return { is, terms }
}

function* checkNot(call: Call, scope: Checking): Steps<Condition> {
  const [term, extra] = call.args
  if (!term || extra) throw wrongArity(call, extra ?? call, 'one expression')
  return { is: 'not', term: yield* checkTerm(term, scope) }
}

function checkFunction(call: Call, fn: FilterFunction, { attributes, context, currentUser, spent }: Checking): Steps<Condition> {
  const [subject, ...operands] = call.args
  if (subject?.is !== 'name') throw syntax('an attribute', subject ?? call)
  const attribute = attributes.get(subject.name)
  if (!attribute) throw fail('filter.unknown_attribute', { name: subject.name }, place(subject.at, 'an attribute', call.writtenIn))

  const { kind, name } = attribute.type
  if (!fn.on.includes(kind)) {
    const expected = `an attribute of the kind ${fn.on.join(', ')}`
    throw fail('filter.wrong_kind', { fn: nameOf(call), kind: name }, place(subject.at, expected, call.writtenIn))
  }
  const [least, most] = counts[fn.takes]
  const fits = operands.length >= least && operands.length <= most
  if (!fits) throw wrongArity(call, operands[most] ?? call, `an attribute and ${fn.takes}${most > 2 ? `, at most ${most}` : ''}`)

  const reading = { context, currentUser, writtenIn: call.writtenIn, spent }
  return kind === 'choice' ? optionsThatHold(fn, attribute, call, reading) : withValues(fn, attribute, operands, reading)
}

/** use_filter(id): the saved filter, checked with the attributes that the caller sees. */
function* openSaved(call: Call, { attributes, context, savedFilter }: Scope): Steps<Condition> {
  const [id, extra] = call.args
  if (extra) throw wrongArity(call, extra, 'the id of a saved filter')
  if (id?.is !== 'literal' || !/^[0-9]{1,15}$/.test(id.text)) throw syntax('the id of a saved filter', id ?? call)
  const text = savedFilter?.(Number(id.text))
  const at = place(id.at, 'the id of a saved filter of this table', call.writtenIn)
  if (text === undefined) throw fail('filter.unknown_saved_filter', { id: id.text }, at)
  try {
    return yield* checkTerm(parse(text, limits.postedFilter.most), { attributes, context, spent: nothingRead() })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    throw fail('filter.saved_filter_invalid', { id: id.text, why: error.message }, at)
  }
}

function functionOf(call: Call): FilterFunction {
  const name = nameOf(call)
  const fn = Object.hasOwn(filterFunctions, name) ? filterFunctions[name] : undefined
  if (fn) return fn
  const known = [...Object.keys(filterFunctions), ...Object.keys(combining)].join(', ')
  throw fail('filter.unknown_function', { name: call.name, known }, place(call.at, `one of ${known}`, call.writtenIn))
}

/** The case of function names does not matter. */
const nameOf = (call: Call): string => call.name.toLowerCase()

const syntax = (expected: string, node: Node): Failure => fail('filter.syntax', { expected }, place(node.at, expected))

const wrongArity = (call: Call, at: Node, takes: string): Failure =>
  fail('filter.wrong_arity', { fn: nameOf(call), takes }, place(at.at, takes, call.writtenIn))
