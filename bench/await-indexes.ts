import type { Bench, Pair } from './bench.ts'
import { load } from './compare.ts'
import { pages } from './requests.ts'

/** Seconds for which lists are asked for again, at most: 10, and a second more for each 10,000 records. */
const patience = (rows: number): number => 10 + rows / 10_000

/** Milliseconds under which a list counts as served from an index. */
const QUICK = 3

/**
 * Sends each kind of list until its median time is below QUICK, for at most `patience` seconds, so that the service has built its
 * indexes before anything is measured; then sends each kind once more.
 */
export async function awaitIndexes(bench: Bench, pair: Pair, kinds: readonly string[]): Promise<void> {
  for (const turn of [1, 2]) {
    for (const kind of kinds) {
      const end = performance.now() + patience(pair.rows) * 1000
      for (let stretch = 0; performance.now() < end; stretch++) {
        const requests = pages(pair, kind, 500, turn * 1000 + stretch).map((one) => one.ours)
        // Of a very large table, what has no index yet is refused for the time it takes.
        const loaded = await load(bench, pair.ours, 2, requests, 1).catch(() => undefined)
        if (loaded && loaded.all.p50 < QUICK) break
        if (turn === 2) break
      }
    }
  }
}
