import type Database from 'better-sqlite3'
import { reportTo, type OnFault } from '../ground/fault.ts'
import type { LogState } from './writing-thread.ts'

/*
 * Checkpoints. SQLite appends writes to its write-ahead log (WAL), and from time to time copies them into the database file. By default it
 * copies within a commit, after every few megabytes. Here another thread copies, and the thread that serves only restarts the log at its
 * beginning.
 */

/** Rows written between two checkpoints. Each takes about 4 to 50 KiB of the log. */
const ROWS = 2_000
/** Pages that the thread that serves may copy itself. */
const FEW = 500
/** Pages in the log from which on a commit makes a checkpoint itself, in case the thread fails. */
const MOST = 50_000
/** Bytes of the log file that are kept to be overwritten. */
const KEPT = 64 * 2 ** 20

export interface Checkpoints {
  /** Called after each commit. */
  committed(): void
  idle(): Promise<void>
}

/** `takeIn`: a checkpoint by the thread. It leaves pages that are being written or that a reader with an older snapshot needs. */
export function checkpoints(writer: Database.Database, takeIn: () => Promise<LogState>, onFault: OnFault): Checkpoints {
  writer.pragma(`wal_autocheckpoint = ${MOST}`)
  writer.pragma(`journal_size_limit = ${KEPT}`)
  const written = writer.prepare<[], number>('SELECT total_changes()').pluck()
  let before = 0
  let running: Promise<void> | undefined

  async function run(): Promise<void> {
    for (let tries = 2; tries > 0; tries--) {
      const { pages, taken } = await takeIn()
      if (pages - taken <= FEW) break
    }
    if (writer.open && !writer.inTransaction) writer.pragma('wal_checkpoint(PASSIVE)')
  }

  return {
    committed() {
      if (running) return
      const now = written.get()!
      if (now - before < ROWS) return
      before = now
      running = run()
        .catch(reportTo(onFault, 'the log of writes was not taken into the database file'))
        .finally(() => (running = undefined))
    },
    async idle() {
      await running
    },
  }
}
