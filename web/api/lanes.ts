import type { Resource } from './client.ts'
import type { Values } from './write-queue.ts'

/* Lanes of a board that is shown: which of them a change touches, so that the others are not read again for it. */

/** What was saved of a record. */
export interface Saved {
  /** All that it holds by now. */
  readonly now: Resource['attributes']
  readonly values: Values
  /** What those attributes may have held before. */
  readonly expected: Readonly<Record<string, readonly unknown[]>>
}

interface Lanes {
  readonly table: number
  /** The attribute by whose value a record is in one of them. */
  readonly attribute: string
  /** The value of the lane that a list with this filter is; undefined: it is none of them. */
  laneOf(filter: string | undefined): string | undefined
}

let shown: readonly Lanes[] = []

/** Returns what ends it. */
export function showLanes(lanes: Lanes): () => void {
  shown = [...shown, lanes]
  return () => void (shown = shown.filter((one) => one !== lanes))
}

/**
 * Whether a list may be another one since records were saved. A record is in the lane of its value alone, whatever else the list is filtered or sorted by, so a
 * change touches the lane that it left and the one to which it came. Of lists that are no lanes nothing is known: they are touched.
 */
export function isTouched(table: number, filter: string | undefined, saved: readonly Saved[] | undefined): boolean {
  if (!saved) return true
  for (const { table: its, attribute, laneOf } of shown) {
    const lane = its === table ? laneOf(filter) : undefined
    if (lane === undefined) continue
    return saved.some(({ now, values, expected }) => {
      if (!Object.hasOwn(now, attribute)) return true
      const before = Object.hasOwn(values, attribute) ? (expected[attribute] ?? []) : [now[attribute]]
      return before.length === 0 || [now[attribute], ...before].some((one) => String(one ?? '') === lane)
    })
  }
  return true
}
