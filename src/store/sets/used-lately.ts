import type { Followed, RecordOrder } from './record-order.ts'

/* Which sets, columns and orders of a table follow its changes although no list uses them (keep-up.ts). */

/** Changes within which something was used lately; how many orders follow, and how many sets and columns. */
const LATELY = 60_000
const MOST_ORDERS = 8
const MOST_OTHERS = 100
/** What is further behind is left to the next list, which perhaps has it read anew (record-order.ts). */
const AT_ONCE = 4_000

/** The latest orders, their anchors, and the latest of the `others`, which are terms and columns. `end`: the number of the next change of the table. */
export function usedLately(orders: Iterable<RecordOrder>, others: Iterable<Followed>, end: number): readonly Followed[] {
  const latest = <T extends Followed>(all: Iterable<T>, most: number): readonly T[] =>
    Array.from(all)
      .filter(({ used, seen }) => end - used <= LATELY && end - seen <= AT_ONCE)
      .sort((one, other) => other.used - one.used)
      .slice(0, most)
  const some = latest(orders, MOST_ORDERS)
  const anchors = some.flatMap((order) => order.anchors.map(({ term }) => term))
  return [...some, ...latest([...anchors, ...others], MOST_OTHERS)]
}
