import { uptime } from 'node:os'
import { loggable } from '../http/connections/failures.ts'
import type { Log } from '../http/connections/serving.ts'
import { sweepChanges } from '../store/changes/sweep-changes.ts'
import { sweepConversions } from '../store/jobs/abandon.ts'
import { sweepJobs } from '../store/jobs/jobs.ts'
import { sweepAudit } from '../store/people/audit.ts'
import { sweepAnswers } from '../store/people/idempotency.ts'
import { sweepTokens } from '../store/people/tokens.ts'
import { fillChecksums } from '../store/records/checksums.ts'
import { sweepFiles } from '../store/records/files.ts'
import { purgeExpired } from '../store/structure/trash.ts'
import { leaps } from '../store/upkeep/clock-leaps.ts'
import { grownTables, rememberLists, warmLists } from '../store/upkeep/warm-lists.ts'
import { sweepDeliveries } from '../store/webhooks/deliveries.ts'
import type { Store } from '../store/ground/store.ts'

/** Milliseconds between two rounds that erase what is old (trash, tokens, kept answers, audit log, bytes of files) and tend the indexes. */
const HOUSEKEEPING = 3_600_000

/** Milliseconds between two comparisons of what lists keep in memory with the database, while no list takes long. */
const VERIFYING = 300_000

/** Milliseconds after the start at which lists are asked for that people will ask for. */
const WARMING = 2_000

/** Milliseconds between two looks for tables that have become large. */
const GROWING = 20_000

/** Milliseconds after the start at which work that is not urgent begins. */
const AFTER_START = 10_000

/** What erases what is kept no longer, in the order in which it is done. */
const sweeps: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  trash: purgeExpired,
  tokens: sweepTokens,
  answers: sweepAnswers,
  audit: sweepAudit,
  changes: sweepChanges,
  deliveries: sweepDeliveries,
  jobs: sweepJobs,
  conversions: sweepConversions,
  files: sweepFiles,
}

export interface HouseKeeping {
  /** Of each kind of what is kept for some time: when old ones were last erased without a fault, in Unix seconds. Empty before. */
  readonly swept: ReadonlyMap<string, number>
  /** Rounds that ended with a fault. */
  readonly failed: number
  /** One round at once. */
  round(): Promise<void>
  stop(): void
}

export function keepHouse(store: Store, log: Log): HouseKeeping {
  const { mayErase } = leaps(store, log.warn.bind(log))
  const swept = new Map<string, number>()
  const now = () => store.environment.now()
  let failedRounds = 0
  const round = async () => {
    const faults: unknown[] = []
    if (await mayErase({ now: now(), up: uptime() * 1000 })) {
      for (const [kind, sweep] of Object.entries(sweeps)) {
        // What cannot be erased now, such as files of a bucket that does not answer, keeps nothing else from its turn.
        await sweep(store).then(
          () => swept.set(kind, Math.floor(now() / 1000)),
          (error: unknown) => faults.push(error),
        )
      }
    }
    await store.indexes.keep()
    if (faults.length > 0) throw faults[0]
  }
  let isStopped = false
  // Work that the end of the server interrupts is done after the next start, so it is not logged.
  const failed = (message: string) => (error: unknown) => {
    if (!isStopped) log.error({ err: loggable(error) }, message)
  }
  const counted = () =>
    round().catch((error: unknown) => {
      failedRounds++
      failed('housekeeping failed')(error)
    })
  const timer = setInterval(() => void counted(), HOUSEKEEPING)
  const verifying = setInterval(() => {
    const { waiting, running } = store.load().queues.slow
    if (waiting + running === 0) void store.pages.verify().catch(failed('lists were not compared with the database'))
    void rememberLists(store).catch(failed('the lists that are asked most were not remembered'))
  }, VERIFYING)
  const warming = setTimeout(() => void warmLists(store, () => isStopped).catch(failed('lists were not read ahead')), WARMING)
  const prepareGrown = grownTables(store, () => isStopped)
  const growing = setInterval(() => void prepareGrown().catch(failed('tables that have become large were not prepared')), GROWING)
  // Needed once, for a database of an older version without checksums.
  const filling = setTimeout(() => void fillChecksums(store.db).catch(failed('checksums failed')), AFTER_START)
  for (const one of [timer, filling, verifying, warming, growing]) one.unref()
  return {
    swept,
    get failed() {
      return failedRounds
    },
    round: counted,
    stop() {
      isStopped = true
      clearInterval(timer)
      clearInterval(verifying)
      clearInterval(growing)
      clearTimeout(filling)
      clearTimeout(warming)
    },
  }
}
