import type { Condition } from '../../filter/check.ts'
import { termKey } from '../../filter/terms.ts'
import type { ChangeLog } from './change-log.ts'
import { orderText, type RecordOrder } from './record-order.ts'
import { rangeOf } from './range-sets.ts'
import { isLeaf, type Term } from './term.ts'

/*
 * A filter that was not asked for a while, beside many writes: its set follows the changes, or is made anew of the sets of its terms, which other filters
 * have too.
 */

/** Words of bitmaps, or members of a set, that cost as much as one change that a set follows, about. */
const CHANGE = 100
/** Changes that an order follows without reading many keys. */
const NEAR = 250

/** What a set can be made of. */
export interface Sources {
  readonly log: ChangeLog
  readonly terms: ReadonlyMap<string, Term>
  readonly orders: ReadonlyMap<string, RecordOrder>
}

/** Whether to combine the sets of its terms costs less than to have the set of a filter follow. What its terms follow, other filters need too. */
export function isMadeAgain({ set, seen }: Term, condition: Condition, { log, terms, orders }: Sources): boolean {
  if (isLeaf(condition) || log.end - seen <= NEAR) return false
  const most = (log.end - seen) * CHANGE - set.size
  return most > 0 && costOf(condition) < most

  /** Infinity where it cannot be made without a read. */
  function costOf(one: Condition): number {
    const term = one === condition ? undefined : terms.get(termKey(one))
    if (term) return log.reaches(term.seen) ? term.set.words + Math.max(0, seen - term.seen) * CHANGE : Infinity
    if (isLeaf(one)) return costOfRange(one)
    if (one.is === 'not') return costOf(one.term)
    return (one as Condition & { is: 'and' | 'or' }).terms.reduce((sum, each) => sum + costOf(each), 0)
  }

  function costOfRange(one: Condition): number {
    const range = rangeOf(one)
    const order = range && orders.get(orderText([{ attribute: range.attribute, descending: false }]))
    // A copy of an anchor, the records in between, and what is not in it.
    return order && log.end - order.seen <= NEAR ? 3 * order.ids.blocks.blocksOfIds.length : Infinity
  }
}
