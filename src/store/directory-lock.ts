import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { fail } from '../errors.ts'

/**
 * Takes a data directory for this process, so that there is never a second writer. The operating system lets go of it
 * when the process ends, however it ends.
 * @throws `server.directory_in_use`
 */
export function lockDirectory(directory: string): () => void {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const lock = new Database(join(directory, 'lock.sqlite'), { timeout: 0 })
  try {
    lock.pragma('journal_mode = DELETE')
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) throw fail('server.directory_in_use', { directory })
    throw error
  }
  return () => lock.close()
}
