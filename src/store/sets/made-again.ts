import type { Condition } from '../../filter/check.ts'
import { leavesIn, termKey } from '../../filter/terms.ts'
import type { ChangeLog } from './change-log.ts'
import { recordsToWalk } from './anchors.ts'
import { inOrderOf, rangeOf } from './range-sets.ts'
import { orderText, type RecordOrder } from './record-order.ts'
import { isLeaf, LEAVES, type Term } from './term.ts'

/*
 * A filter that was not asked for a while, beside many writes: its set follows the changes, or is made anew of the sets of its terms, which other filters
 * have too. Costs are words of bitmaps; they are estimates, since either way gives the same set.
 */

/** What one change costs that a set follows, and one record between an anchor and a range. */
const CHANGE = 100
const WALKED = 50
/** Changes by which a filter is behind at least. Below, it follows with the other sets that were used lately. */
export const BEHIND = 250

/** What a set can be made of. */
export interface Sources {
  readonly log: ChangeLog
  readonly terms: ReadonlyMap<string, Term>
  readonly orders: ReadonlyMap<string, RecordOrder>
}

/** Whether to combine the sets of its terms costs less than to have the set of a filter follow. What its terms follow, other filters need too. */
export function isMadeAgain({ set, seen }: Term, condition: Condition, { log, terms, orders }: Sources): boolean {
  const behind = log.end - seen
  if (behind <= BEHIND || isLeaf(condition) || leavesIn(condition) > LEAVES) return false
  return costOf(condition, true) + set.size < behind * CHANGE

  /** Infinity where it cannot be made without a read. */
  function costOf(one: Condition, isWhole = false): number {
    const term = isWhole ? undefined : terms.get(termKey(one))
    if (term) return log.reaches(term.seen) ? term.set.words + Math.max(0, seen - term.seen) * CHANGE : Infinity
    if (isLeaf(one)) return costOfRange(one)
    const parts = one.is === 'not' ? [one.term] : (one as Condition & { is: 'and' | 'or' }).terms
    return parts.reduce((sum, part) => (sum === Infinity ? sum : sum + costOf(part)), 0)
  }

  function costOfRange(one: Condition): number {
    const range = rangeOf(one)
    const order = range && orders.get(orderText(inOrderOf(range)))
    if (!order || log.end - order.seen > BEHIND) return Infinity
    // All records, what an anchor has of them, and the records in between.
    return (2 * order.ids.blocks.blocksOfIds.length) / 32 + recordsToWalk(order) * WALKED
  }
}
