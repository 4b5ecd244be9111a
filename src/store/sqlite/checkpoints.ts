import type Database from 'better-sqlite3'
import { reportTo, type OnFault } from '../ground/fault.ts'
import type { LogState } from './writing-thread.ts'

/*
 * Checkpoints. SQLite appends what is written to its write-ahead log (WAL), and copies it into the database file from time to time. By
 * itself it does so within a commit, after every few megabytes. Here another thread does it, and the thread that serves only has to
 * let the log start again from its beginning.
 */

/** Rows written from one checkpoint to the next; each takes some four to fifty KiB of the log. */
const ROWS = 2_000
/** Pages that the thread that serves may copy itself. */
const FEW = 500
/** Pages in the log from which on a commit makes a checkpoint itself, in case the thread cannot. */
const MOST = 50_000
/** Bytes that the file of the log keeps, to be overwritten. */
const KEPT = 64 * 2 ** 20

export interface Checkpoints {
  /** After each commit. */
  committed(): void
  idle(): Promise<void>
}

/** `takeIn`: a checkpoint by the thread. It may leave pages where others are writing, or still reading an older snapshot. */
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
