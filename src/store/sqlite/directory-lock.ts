import { join } from 'node:path'
import Database from 'better-sqlite3'
import { fail } from '../../errors.ts'
import { LOCK, makeDirectory } from '../files/data-directory.ts'

/**
 * Locks a data directory, so that only one process writes there. The operating system releases the lock when the process ends, however
 * it ends.
 * @throws `server.directory_in_use`, `server.directory_read_only`
 */
export function lockDirectory(directory: string): () => void {
  const lock = opened(directory)
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

function opened(directory: string): Database.Database {
  // SQLite would open a file on a read-only file system, and fail only at the first statement that writes.
  makeDirectory(directory)
  return new Database(join(directory, LOCK), { timeout: 0 })
}
