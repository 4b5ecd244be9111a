import type { IdSet } from '../../sets/id-set.ts'
import type { Missing } from './missing.ts'
import type { RangeMembers } from './range-sets.ts'
import type { Term } from './term.ts'

/** The records that meet a condition, as they are in this turn of the event loop. */
export interface Found<M extends Made = Made> {
  readonly set: M
  /** Where it is kept for later questions. */
  readonly term?: Term
  /** What was made for one answer, after which others can use its memory. */
  readonly made?: Made
}

/** What has to be read first. */
export interface Lacking {
  readonly missing: readonly Missing[]
}

/** Made for one answer: never a set that is kept. */
export type Made = IdSet | RangeMembers

export const missingOf = (found: readonly (Found | Lacking)[]): readonly Missing[] =>
  found.flatMap((one) => ('missing' in one ? one.missing : []))
export const setsOf = (found: readonly (Found<IdSet> | Lacking)[]): IdSet[] => found.flatMap((one) => ('missing' in one ? [] : [one.set]))
