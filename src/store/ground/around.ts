import type { Position } from '../../filter/position.ts'

/* Pages that begin or end at a position, for lists of any kind (JSON:API profile "Cursor Pagination"). */

/** `end`: behind the last one. */
export type Bound = Position | 'end'

/** Without bounds: the first ones. With both: those in between, from the first. */
export interface Around {
  readonly after?: Bound | undefined
  readonly before?: Bound | undefined
  readonly size: number
}

/** What is read for it. */
export interface Stretching {
  readonly from: Position | undefined
  readonly until: Position | undefined
  readonly backwards: boolean
  readonly limit: number
}

export interface AroundPage<R> {
  readonly rows: readonly R[]
  /** Whether there are more in the direction in which the page was read. */
  readonly more: boolean
}

const positionOf = (bound: Bound | undefined): Position | undefined => (bound === 'end' ? undefined : bound)

/** `read`: what follows `from`, or precedes it backwards, the nearest first, and at most so many. */
export async function pageAround<R>(
  { after, before, size }: Around,
  read: (stretching: Stretching) => Promise<readonly R[]>,
): Promise<AroundPage<R>> {
  if (after === 'end') return { rows: [], more: false }
  const backwards = before !== undefined && after === undefined
  const from = positionOf(backwards ? before : after)
  const found = await read({ from, until: backwards ? undefined : positionOf(before), backwards, limit: size + 1 })
  const rows = found.slice(0, size)
  return { rows: backwards ? rows.reverse() : rows, more: found.length > size }
}
