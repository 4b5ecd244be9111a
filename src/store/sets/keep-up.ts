import { setImmediate as turn } from 'node:timers/promises'
import { Unread } from './record-reads.ts'
import { RecordOrder } from './record-order.ts'
import type { TableSets } from './table-sets.ts'

/*
 * Beside many writes, sets and orders that were used lately follow the changes of their table a little at a time: so a list has never much to catch
 * up with, and nothing is read anew because it was not asked for some seconds.
 */

/** Sets that follow before requests have their turn; an order takes as long as many of them. */
const TOGETHER = 4
/** Changes in the pause before keeping up, a tenth of a second, beyond which nothing follows this time: beside 5,000 writes a second, following takes more than it saves. */
const RUSH = 400
/** Reads of records for one set, where these have to be waited for. */
const READS = 3

type Fetch = (unread: Unread) => Promise<void>

/** Reads the first keys of the blocks of an order that was read: whoever asks for its first page needs none, and whoever asks after a change all of them. */
export async function readFirsts(sets: TableSets, order: RecordOrder, fetch: Fetch): Promise<void> {
  await withReads(sets, fetch, () => sets.has(order) && order.follow(sets.log, sets.records) && order.ids.readFirsts())
  sets.records.count()
}

/** Tries again after what was missing has been read. */
async function withReads(sets: TableSets, fetch: Fetch | undefined, work: () => unknown): Promise<void> {
  for (let reads = 0; reads < READS && !sets.isEnded; reads++) {
    try {
      work()
      return
    } catch (error) {
      if (!(error instanceof Unread) || !fetch) throw error
      await fetch(error)
    }
  }
}

/** `from`: the number of the next change when the pause began; `fetch`: reads records that cannot be read at once. @throws what reading records throws */
export async function keepUp(sets: TableSets, from: number, fetch: Fetch | undefined): Promise<void> {
  if (sets.log.end - from > RUSH) return
  let followed = 0
  for (const one of sets.usedLately()) {
    await withReads(sets, fetch, () => one.follow(sets.log, sets.records))
    if (sets.isEnded) return
    sets.records.count()
    if (one instanceof RecordOrder || ++followed % TOGETHER === 0) await turn()
  }
}
