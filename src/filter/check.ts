import { fail, Failure } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Attribute, ValueContext } from '../fields/field-type.ts'
import { likeOthers } from '../fields/named.ts'
import { atOnce, type Steps } from '../fields/steps.ts'
import { place, type Call, type Expression, type Name, type Node } from './ast.ts'
import { combining, counts, filterFunctions, type FilterFunction } from './functions.ts'
import { nothingRead, optionsThatHold, withValues, type Among, type Applied, type Reading } from './operands.ts'
import { withBeginnings } from './beginnings.ts'
import type { Words } from './words.ts'
import { parse } from './parse.ts'
import { searching, type Searched } from './search.ts'

/** A filter checked for one table: every name is resolved, every value parsed. */
export type Condition =
  | Applied
  | Among
  | Searched
  | { readonly is: 'and' | 'or'; readonly terms: readonly Condition[] }
  | { readonly is: 'not'; readonly term: Condition }
  | Across

/** Holds for records whose reference names a record that exists, that the caller may read, and that meets the term. */
export interface Across {
  readonly is: 'across'
  /** The reference. */
  readonly attribute: Attribute
  readonly target: Target
  readonly term: Condition
}

/** The table that a reference refers to, as the caller sees it. */
export interface Target {
  readonly tableId: number
  /** The physical table of its records, and all its attributes. */
  readonly records: string
  readonly columns: ReadonlyMap<string, Attribute>
  /** The attributes that exist for the caller. */
  readonly attributes: ReadonlyMap<string, Attribute>
  /** Which records the caller may read; undefined: all. */
  readonly readable: Condition | undefined
}

/** The steps along references in a condition. */
export function stepsIn(condition: Condition): readonly Across[] {
  switch (condition.is) {
    case 'and':
    case 'or':
      return condition.terms.flatMap(stepsIn)
    case 'not':
      return stepsIn(condition.term)
    case 'across':
      return [condition]
    default:
      return []
  }
}

export const takesStep = (condition: Condition): boolean => stepsIn(condition).length > 0

/** Whether what it holds for depends on records of this table beside the record itself. */
export function dependsOn(condition: Condition, tableId: number): boolean {
  return stepsIn(condition).some(({ target, term }) => target.tableId === tableId || dependsOn(term, tableId))
}

/** The terms that depend on no other record of this table; undefined: none. It holds wherever the condition does. */
export function termsApartFrom(tableId: number, condition: Condition): Condition | undefined {
  if (!dependsOn(condition, tableId)) return condition
  if (condition.is !== 'and') return undefined
  const terms = condition.terms.flatMap((term) => termsApartFrom(tableId, term) ?? [])
  return terms.length > 0 ? { is: 'and', terms } : undefined
}

/** What a filter may name. */
export interface Scope {
  readonly attributes: ReadonlyMap<string, Attribute>
  readonly context: ValueContext
  /** What bare words stand for. Absent: they are refused. */
  readonly words?: Words
  /** What a reference leads to; undefined: a table that the caller may not read. Absent: filters go no further than the record. */
  across?(reference: Attribute): Target | undefined
  /** The text of a saved filter that the caller may use for this table; undefined for any other id. */
  savedFilter?(id: number): string | undefined
}

/** A scope, and the cost of the filter so far. `steps`: along references. */
type Checking = Scope & Pick<Reading, 'spent'> & { readonly cost: { steps: number } }

/**
 * For the rules of groups, whose labels were folded before. Filters of requests are checked in steps (`checking`).
 * @throws a Failure `filter.…` for everything that cannot be resolved; no term is ever ignored.
 */
export const check = (expression: Expression, scope: Scope): Condition => atOnce(checking(expression, scope))

/** The same in steps. */
export const checking = (expression: Expression, scope: Scope): Steps<Condition> =>
  nameOf(expression) === 'use_filter'
    ? openSaved(expression, scope)
    : checkTerm(expression, { ...scope, spent: nothingRead(), cost: { steps: 0 } })

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
    case 'search':
      return searching(node, scope.attributes, { ...scope, writtenIn: node.writtenIn })
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

function checkFunction(call: Call, fn: FilterFunction, scope: Checking): Steps<Condition> {
  const { attributes, context, words, spent } = scope
  const [subject, ...operands] = call.args
  if (subject?.is !== 'name' || subject.days !== undefined) throw syntax('an attribute', subject ?? call)
  if (subject.step !== undefined) return checkAcross({ ...subject, step: subject.step }, call, fn, scope)
  const attribute = attributes.get(subject.name)
  if (!attribute)
    throw fail('filter.unknown_attribute', likeOthers(subject.name, attributes.keys()), place(subject.at, 'an attribute', call.writtenIn))

  const { kind, name } = attribute.type
  if (!fn.on.includes(kind)) {
    const expected = `an attribute of the kind ${fn.on.join(', ')}`
    throw fail('filter.wrong_kind', { fn: nameOf(call), kind: name }, place(subject.at, expected, call.writtenIn))
  }
  const [least, most] = counts[fn.takes]
  const fits = operands.length >= least && operands.length <= most
  if (!fits) throw wrongArity(call, operands[most] ?? call, `an attribute and ${fn.takes}${most > 2 ? `, at most ${most}` : ''}`)

  const reading = { context, words, writtenIn: call.writtenIn, spent }
  if (kind === 'choice') return optionsThatHold(fn, attribute, call, reading)
  return fn.of === 'part' && attribute.type.beginnings
    ? withBeginnings(nameOf(call), attribute, operands[0]!, reading)
    : withValues(fn, attribute, operands, reading)
}

/** A function on an attribute of the record that a reference names, such as eq(f12.f3,'Porto'). */
function* checkAcross(subject: Name & { readonly step: string }, call: Call, fn: FilterFunction, scope: Checking): Steps<Condition> {
  const { attributes, cost, across, ...rest } = scope
  const { name, step, at } = subject
  const { writtenIn } = call
  const attribute = attributes.get(name)
  if (!attribute) throw fail('filter.unknown_attribute', likeOthers(name, attributes.keys()), place(at, 'an attribute', writtenIn))
  if (attribute.type.target !== 'record' || attribute.type.kind === 'set')
    throw fail('filter.not_a_reference', { name }, place(at, 'a reference to one record', writtenIn))
  if (!across) throw fail('filter.step_not_here', { name: `${name}.${step}` }, place(at, 'an attribute of the record itself', writtenIn))
  const { most } = limits.filterSteps
  if (++cost.steps > most) throw fail('filter.too_many_steps', { most }, place(at, `at most ${most} steps along references`, writtenIn))
  const target = across(attribute)
  if (!target?.attributes.has(step))
    throw fail('filter.unknown_attribute', { name: `${name}.${step}` }, place(at, 'an attribute', writtenIn))
  const args: Call['args'] = [{ is: 'name', name: step, at }, ...call.args.slice(1)]
  const term = yield* checkFunction({ ...call, args }, fn, { ...rest, cost, attributes: target.attributes })
  return { is: 'across', attribute, target, term: target.readable ? { is: 'and', terms: [target.readable, term] } : term }
}

/** use_filter(id): the saved filter, checked with the attributes that the caller sees. */
function* openSaved(call: Call, { savedFilter, ...scope }: Scope): Steps<Condition> {
  const [id, extra] = call.args
  if (extra) throw wrongArity(call, extra, 'the id of a saved filter')
  if (id?.is !== 'literal' || !/^[0-9]{1,15}$/.test(id.text)) throw syntax('the id of a saved filter', id ?? call)
  const text = savedFilter?.(Number(id.text))
  const at = place(id.at, 'the id of a saved filter of this table', call.writtenIn)
  if (text === undefined) throw fail('filter.unknown_saved_filter', { id: id.text }, at)
  try {
    return yield* checkTerm(parse(text, limits.postedFilter.most), { ...scope, spent: nothingRead(), cost: { steps: 0 } })
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
