import type { Condition } from '../../filter/check.ts'
import type { IdSet } from '../../sets/id-set.ts'

/** A condition whose records are not known, and has to be read from the database. */
export interface Missing {
  readonly condition: Condition
  /** Its records are among these; undefined: among all. */
  readonly among?: IdSet
  /** The term of it that a text index finds, where those among which it is meet all the others. */
  readonly served?: Condition
}

/** If the known terms of a filter leave so few records, these alone are tested for the others. */
const FEW = 20_000
/** The same where a text index finds candidates: all that it finds would have to be compared with their texts. */
const FEWER = 5_000

const isOfPieces = (condition: Condition): boolean =>
  condition.is === 'or' ? condition.terms.every(isOfPieces) : condition.is === 'apply' && condition.fn.exact === true

/**
 * What is read first of an `and`: the terms that an index finds (`isServed`); or all of it, for the records that the known terms leave, if these are few.
 * The same where pieces of text are the only ones that are not known.
 * `known`: what these leave; undefined: that is not known.
 */
export function narrowed(
  terms: readonly Condition[],
  missing: readonly Missing[],
  known: () => IdSet | undefined,
  isServed: (condition: Condition) => boolean,
): readonly Missing[] {
  if (terms.length < 2) return missing
  const served = missing.filter(({ condition }) => isServed(condition))
  const [one] = missing.length === 1 ? served : []
  const isPieces = one !== undefined && isOfPieces(one.condition) && terms.includes(one.condition)
  const among = served.length === 0 || isPieces ? known() : undefined
  if (!among || among.size > (isPieces ? FEWER : FEW)) return served.length > 0 ? served : missing
  return [{ condition: { is: 'and', terms }, among, ...(isPieces && { served: one.condition }) }]
}
