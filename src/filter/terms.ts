import type { Attribute } from '../fields/field-type.ts'
import type { Condition } from './check.ts'
import { filterFunctions, type FilterFunction } from './functions.ts'

/*
 * Conditions as terms of set algebra. `plain` writes a condition with fewer kinds of leaves, `termKey` names it by a text: the same for the
 * same records. A leaf is what is not `and`, `or` or `not`.
 */

/** The functions that hold exactly where another one does not. */
const opposites: Readonly<Record<string, string>> = { ne: 'eq', nin: 'in' }

const namesOf = new Map<FilterFunction, string>(Object.entries(filterFunctions).map(([name, fn]) => [fn, name]))

/** The same condition without functions that are the opposite of others, without double negation, and with joined `and`s and `or`s. */
export function plain(condition: Condition): Condition {
  switch (condition.is) {
    case 'apply': {
      const opposite = opposites[namesOf.get(condition.fn)!]
      return opposite ? { is: 'not', term: { ...condition, fn: filterFunctions[opposite]! } } : condition
    }
    case 'not': {
      const term = plain(condition.term)
      return term.is === 'not' ? term.term : { is: 'not', term }
    }
    case 'and':
    case 'or': {
      const { is } = condition
      const terms = condition.terms.map(plain).flatMap((term) => (term.is === is ? term.terms : [term]))
      return terms.length === 1 ? terms[0]! : { is, terms }
    }
    default:
      return condition
  }
}

/** A text for a condition of one table; attributes are named, so it holds for one state of the structure. */
export function termKey(condition: Condition): string {
  switch (condition.is) {
    case 'apply':
      return `${namesOf.get(condition.fn)}(${condition.attribute.name},${JSON.stringify(condition.values.map(String))})`
    case 'among':
      return `among(${condition.attribute.name},${condition.ids.join(',')})`
    case 'search':
      return `search(${condition.attributes.map(({ name }) => name).join(',')},${JSON.stringify([condition.digits, ...condition.words.map(wordKey)])})`
    case 'not':
      return `not(${termKey(condition.term)})`
    case 'and':
    case 'or':
      return `${condition.is}(${condition.terms.map(termKey).join(';')})`
    case 'across':
      return `across(${condition.attribute.name},${condition.target.tableId},${termKey(condition.term)})`
  }
}

const wordKey = ({ word, among }: (Condition & { is: 'search' })['words'][number]): string => JSON.stringify([word, ...among.map(termKey)])

/** The attributes of a record that decide whether it meets the condition. */
export function attributesOf(condition: Condition): readonly Attribute[] {
  switch (condition.is) {
    case 'apply':
    case 'among':
      return [condition.attribute]
    case 'search':
      return [...condition.attributes, ...condition.words.flatMap(({ among }) => among.map(({ attribute }) => attribute))]
    case 'not':
      return attributesOf(condition.term)
    case 'and':
    case 'or':
      return condition.terms.flatMap(attributesOf)
    case 'across':
      return [condition.attribute]
  }
}

/** How many leaves a condition has. */
export const leavesIn = (condition: Condition): number =>
  condition.is === 'and' || condition.is === 'or'
    ? condition.terms.reduce((sum, term) => sum + leavesIn(term), 0)
    : condition.is === 'not'
      ? leavesIn(condition.term)
      : 1

/** Conditions that all hold, as one, in the form in which sets are kept. */
export const asTerm = (conditions: readonly Condition[]): Condition => plain({ is: 'and', terms: conditions })
