import type { Condition } from '../../filter/check.ts'
import type { IdSet } from '../../sets/id-set.ts'

/** A condition whose records are not known, and has to be read from the database. */
export interface Missing {
  readonly condition: Condition
  /** Its records are among these; undefined: among all. */
  readonly among?: IdSet
}

/** If the known terms of a filter leave so few records, these alone are tested for the others. */
const FEW = 20_000

/**
 * What is read first of an `and`: the terms that an index finds (`isServed`); or all of it, for the records that the known terms leave, if these are few.
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
  if (served.length > 0) return served
  const among = known()
  return among && among.size <= FEW ? [{ condition: { is: 'and', terms }, among }] : missing
}
