/* Which groups of a list are folded away: all but some, or some alone. All may be thousands of values, so they are not named one by one. */

export interface Folding {
  /** Whether groups that are not named are folded away. */
  readonly rest: boolean
  /** Values of the groups that are the other way. */
  readonly others: ReadonlySet<string>
}

export const UNFOLDED: Folding = { rest: false, others: new Set() }

/** All of them, those that come later too. */
export const allFolded = (isFolded: boolean): Folding => ({ rest: isFolded, others: new Set() })

export const isFolded = ({ rest, others }: Folding, value: string): boolean => rest !== others.has(value)

/** Some groups are folded away, or opened. */
export function folded(folding: Folding, values: readonly string[], isFolded: boolean): Folding {
  const others = new Set(folding.others)
  for (const value of values) {
    if (isFolded === folding.rest) others.delete(value)
    else others.add(value)
  }
  return { ...folding, others }
}
