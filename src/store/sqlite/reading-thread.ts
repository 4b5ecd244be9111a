import { parentPort, workerData } from 'node:worker_threads'
import Database from 'better-sqlite3'
import { isDamage } from './damage.ts'
import type { Row } from '../ground/db.ts'
import { readAll, statements, type Rendered } from './connection.ts'
import { addFunctions } from './functions.ts'
import { keepTime, TimeLimitReached } from './time-limit.ts'
import { Stale } from '../model/stale.ts'

/* A thread that reads (store/sqlite/reading-threads.ts): one question at a time, each from its own snapshot and with its own deadline. */

export interface Question {
  readonly queries: readonly Rendered[]
  /** Milliseconds. */
  readonly limit: number
}

export type ReadingAnswer =
  | { readonly rows: readonly Row[][]; readonly milliseconds: number }
  | { readonly failed: 'timeout' | 'stale' | 'full' | 'damaged' }
  | { readonly failed: Error }

export interface ThreadData {
  readonly file: string
  /** 1: nobody waits for the answer any more. */
  readonly signal: Int32Array
}

const { file, signal } = workerData as ThreadData
const connection = new Database(file, { readonly: true })
connection.pragma('cache_size = -4000')
// A sort may need more than fits into memory.
connection.pragma('temp_store = FILE')
addFunctions(connection)
const prepare = statements(connection)
const within = keepTime(connection, () => Atomics.load(signal, 0) === 1)

parentPort!.on('message', (question: Question) => parentPort!.postMessage(answer(question)))

function answer({ queries, limit }: Question): ReadingAnswer {
  const began = performance.now()
  try {
    const rows = within(limit, Infinity, () => readAll(connection, prepare, queries))
    return { rows, milliseconds: performance.now() - began }
  } catch (error) {
    if (error instanceof TimeLimitReached) return { failed: 'timeout' }
    if (error instanceof Stale) return { failed: 'stale' }
    if (error instanceof Database.SqliteError && error.code === 'SQLITE_FULL') return { failed: 'full' }
    // A message between threads would lose the code of this error.
    if (isDamage(error)) return { failed: 'damaged' }
    return { failed: error instanceof Error ? error : new Error(String(error)) }
  }
}
