import { takesStep, type Condition } from '../../filter/check.ts'
import { predicate, type Predicate } from '../../filter/predicate.ts'
import { attributesOf } from '../../filter/terms.ts'
import type { IdSet } from '../../sets/id-set.ts'
import { PredicateSet } from './predicate-set.ts'

/** Every record of the table. */
export const everything: Condition = { is: 'and', terms: [] }
export const isEverything = (condition: Condition): boolean => condition.is === 'and' && condition.terms.length === 0

/** Whether it is read from the database, and not combined of others. */
export const isLeaf = (condition: Condition): boolean =>
  (condition.is !== 'and' && condition.is !== 'or' && condition.is !== 'not') || isEverything(condition)

/** A filter with more leaves is read as a whole: to combine as many sets would take the thread that serves too long. */
export const LEAVES = 16
/** Terms that are read together, at most: they share the time of one read. */
const TOGETHER = 4

/** Whether a condition asks for what is in any of a few texts. Where text indexes have all of it, one read finds it. */
export const isOfTexts = (condition: Condition): boolean =>
  condition.is === 'or' &&
  condition.terms.length <= TOGETHER &&
  condition.terms.every((term) => term.is === 'search' || (term.is === 'apply' && term.fn.exact === true))

const testOf = (condition: Condition): Predicate => (isEverything(condition) ? () => true : predicate(condition))

/** The set of the records that meet a condition, as they were when it followed the changes of its table last. */
export class Term extends PredicateSet {
  readonly key: string
  readonly condition: Condition

  /** One that depends on other tables too follows no change. */
  constructor({ key, condition }: { readonly key: string; readonly condition: Condition }, set: IdSet, seen: number) {
    const isAlone = !takesStep(condition)
    super(set, seen, isAlone ? attributesOf(condition) : undefined, isAlone ? () => testOf(condition) : undefined)
    this.key = key
    this.condition = condition
  }

  override get bytes(): number {
    return super.bytes + 2 * this.key.length
  }
}

/** Terms that were read for one question, and are perhaps not kept, by their keys. */
export class OwnTerms extends Map<string, Term> {
  static #last = 0
  readonly question = ++OwnTerms.#last
}
