import { parentPort, workerData } from 'node:worker_threads'
import Database from 'better-sqlite3'
import type { Row } from './db.ts'
import { keepTime, readAll, statements, type Rendered } from './sqlite-connection.ts'
import { Stale } from './stale.ts'

/* A thread that reads (store/reading-lanes.ts): one question at a time, each from its own snapshot and with its own deadline. */

export interface Question {
  readonly queries: readonly Rendered[]
  /** Milliseconds. */
  readonly limit: number
}

export type Answer =
  | { readonly rows: readonly Row[][]; readonly milliseconds: number }
  | { readonly failed: 'late' | 'stale' }
  | { readonly failed: Error }

class Late extends Error {}

const connection = new Database(String(workerData), { readonly: true })
connection.pragma('cache_size = -4000')
connection.pragma('temp_store = MEMORY')
const prepare = statements(connection)
let deadline = Infinity
keepTime(connection, () => {
  if (performance.now() > deadline) throw new Late()
  return true
})

parentPort!.on('message', (question: Question) => parentPort!.postMessage(answer(question)))

function answer({ queries, limit }: Question): Answer {
  const began = performance.now()
  deadline = began + limit
  try {
    const rows = readAll(connection, prepare, queries)
    return { rows, milliseconds: performance.now() - began }
  } catch (error) {
    if (error instanceof Late) return { failed: 'late' }
    if (error instanceof Stale) return { failed: 'stale' }
    return { failed: error instanceof Error ? error : new Error(String(error)) }
  }
}
