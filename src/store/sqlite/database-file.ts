import { closeSync, fsyncSync, openSync } from 'node:fs'
import Database from 'better-sqlite3'
import { fail } from '../../errors.ts'
import { fold } from '../../fields/fold.ts'
import { isDamage } from './damage.ts'

/* Copies, checks and changes of a database file for backups and restores. No server has it open, or it is only read. */

/** Copies a database that may be in use, without delaying writes. Changes committed during the copy may be missing. */
export async function copyDatabase(from: string, to: string): Promise<void> {
  const database = new Database(from, { readonly: true })
  try {
    await database.backup(to)
  } finally {
    database.close()
  }
}

/** Whether SQLite finds the file in order. */
export function isSound(path: string): boolean {
  const database = new Database(path, { readonly: true })
  try {
    return database.pragma('integrity_check', { simple: true }) === 'ok'
  } catch (error) {
    if (isDamage(error)) return false
    throw error
  } finally {
    database.close()
  }
}

/** Copies the log into the file and flushes it, so that the file is complete without a log. */
export function inOneFile(path: string): void {
  const database = new Database(path)
  try {
    database.pragma('journal_mode = DELETE')
  } finally {
    database.close()
  }
  const file = openSync(path, 'r+')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

const FILES_NAMED = `SELECT hash FROM files UNION SELECT hash FROM change_files UNION SELECT input_file FROM jobs WHERE input_file <> ''
  UNION SELECT result_file FROM jobs WHERE result_file <> '' ORDER BY hash`

/** The hashes of all files that records of the database have, live or in the trash, and that changes in the log and jobs name. */
export function* fileHashesIn(path: string): Generator<string> {
  const database = new Database(path, { readonly: true })
  try {
    yield* database.prepare<[], string>(FILES_NAMED).pluck().iterate()
  } finally {
    database.close()
  }
}

/** The installation in the file gets a new `instance` when it is opened. */
export function forgetInstance(path: string): void {
  const database = new Database(path)
  try {
    database.exec("DELETE FROM meta WHERE name = 'instance'")
  } finally {
    database.close()
  }
}

/**
 * Positions of changes go on so much further. The positions between are added to this row of `meta`, as a span: some of them may have been
 * given after the file was copied.
 */
export function leapPositions(path: string, leap: number, row: string): void {
  const database = new Database(path)
  try {
    database.transaction(() => {
      const last = database.prepare<[], number>("SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'changes'").pluck().get()!
      database.exec("DELETE FROM sqlite_sequence WHERE name = 'changes'")
      database.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES ('changes', ?)").run(last + leap)
      database
        .prepare("INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = value || ' ' || excluded.value")
        .run(row, `${last}-${last + leap + 1}`)
    })()
  } finally {
    database.close()
  }
}

/** Cancels the jobs that wait or run, with the reason `job.restored`, at this second. Drafts stay. */
export function cancelUnfinished(path: string, time: string): void {
  const { code, message: detail } = fail('job.restored')
  const database = new Database(path)
  try {
    database
      .prepare(
        `UPDATE jobs SET state = 'cancelled', statek = ?, error = ?, end_time = ?, holder = '', until_ms = 0 WHERE state IN ('queued', 'running')`,
      )
      .run(fold('cancelled'), JSON.stringify({ code, detail }), time)
  } finally {
    database.close()
  }
}
