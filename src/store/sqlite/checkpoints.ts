import type Database from 'better-sqlite3'
import { reportTo, type OnFault } from '../ground/fault.ts'
import type { LogState } from './writing-thread.ts'

/*
 * SQLite appends what is written to a log and takes it into the database file from time to time. Left alone it does so in
 * the middle of a commit, every megabyte or three; here a thread does it meanwhile, and what is left for the thread that
 * serves is little: it lets the log begin anew.
 */

/** Rows written after which the log is taken in; each leaves some four to fifty KiB there. */
const ROWS = 2_000
/** Pages that are little. */
const FEW = 500
/** Pages in the log after which a commit takes them in by itself, should the thread never come to it. */
const MOST = 50_000
/** Bytes of the log's file that are kept to be written over. */
const KEPT = 64 * 2 ** 20

export interface Checkpoints {
  /** After each commit. */
  committed(): void
  idle(): Promise<void>
}

/** `takeIn`: what the thread does, which may leave something where others are writing or still read what was there before. */
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
