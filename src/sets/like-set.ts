import type { IdSet } from './id-set.ts'

/** Ids by which two sets differ: all of them are members of the first one, or none is. */
export interface Differing {
  readonly differing: readonly number[]
  readonly areMembers: boolean
}

/** What a set has in common with another one, or with `isRest` what it has and the other one has not, but for a few ids; of these, what the first has not is left out. */
export function alike(within: IdSet, other: IdSet, isRest: boolean, { differing, areMembers }: Differing): IdSet {
  const set = isRest ? within.without(other) : within.and(other)
  set.assignAll(differing, areMembers, within)
  return set
}
