import type { Attribute } from '../../fields/field-type.ts'
import type { Condition } from '../../filter/check.ts'
import type { SortKey } from '../../filter/sort.ts'
import type { IdSet } from '../../sets/id-set.ts'
import { isOfTexts } from './term.ts'

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
/** The same where a text index finds candidates for the others: the ids of more records take the database longer to read than that saves. */
const FEWER = 3_000

/** How the terms that are missing may be found, and places in an order. */
export interface Ways {
  /** Whether an index has the order of a key. */
  readonly isOrdered: (key: SortKey) => boolean
  /** Whether an index finds the records of a condition. */
  readonly isServed: (condition: Condition) => boolean
  /** Whether a text index tells candidates for its pieces, of which only some have to be compared. */
  readonly hasCandidates: boolean
  /** Begins to read what all records have in an attribute, unless it has more bytes. */
  readonly readColumn: (attribute: Attribute, most: number) => void
}

/**
 * What is read first of an `and`: the terms that an index finds; or all of it, for the records that the known terms leave, if these are few, also where
 * pieces of text are the only term that is missing. `known`: what these leave; undefined where that is not known, or has more than `most` records. With
 * `atOnce` also where each of their sets has more: then these need not be combined.
 */
export function narrowed(
  terms: readonly Condition[],
  missing: readonly Missing[],
  known: (most: number, atOnce: boolean) => IdSet | undefined,
  { isServed, hasCandidates }: Ways,
): readonly Missing[] {
  if (terms.length < 2) return missing
  const served = missing.filter(({ condition }) => isServed(condition))
  const [pieces] = missing.length === 1 && hasCandidates ? served : []
  const isNarrow = pieces !== undefined && isOfPieces(pieces.condition) && terms.includes(pieces.condition)
  const among = served.length === 0 ? known(FEW, false) : isNarrow ? known(FEWER, true) : undefined
  if (!among) return served.length > 0 ? served : missing
  return [{ condition: { is: 'and', terms }, among, ...(isNarrow && { served: pieces.condition }) }]
}

const isOfPieces = (condition: Condition): boolean => isOfTexts(condition) || (condition.is === 'apply' && condition.fn.exact === true)
