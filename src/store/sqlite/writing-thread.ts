import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import { connect, type Rendered } from './connection.ts'
import { isDamage } from './damage.ts'

/* A thread that writes (store/sqlite/writing-aside.ts): one list of statements at a time, in one transaction; or a checkpoint. */

export type Task = Statements | 'checkpoint'

/** Where they write temporary tables only (`writes` is false), the thread that serves writes meanwhile. */
interface Statements {
  readonly statements: readonly Rendered[]
  readonly writes: boolean
}

export type Done = { readonly milliseconds: number } | { readonly log: LogState } | { readonly failed: Error | 'damaged' }

/** Pages in the log, and how many of them have been copied into the database file. */
export interface LogState {
  readonly pages: number
  readonly taken: number
}

// In the main thread this module is only loaded to be put into the compile cache.
if (parentPort) serve(parentPort, String(workerData))

function serve(port: MessagePort, file: string): void {
  const connection = connect(file)
  // Sorting for an index may need more than fits into memory.
  connection.pragma('temp_store = FILE')
  connection.pragma('cache_size = -3000')

  port.on('message', (task: Task) => port.postMessage(task === 'checkpoint' ? checkpoint() : perform(task)))

  function checkpoint(): Done {
    try {
      const [state] = connection.pragma('wal_checkpoint(PASSIVE)') as { log: number; checkpointed: number }[]
      return { log: { pages: state!.log, taken: state!.checkpointed } }
    } catch (error) {
      return { failed: told(error) }
    }
  }

  function perform({ statements, writes }: Statements): Done {
    const begun = performance.now()
    try {
      connection.exec(writes ? 'BEGIN IMMEDIATE' : 'BEGIN')
      for (const { text, params } of statements) {
        const statement = connection.prepare(text)
        if (statement.reader) statement.all(...params)
        else statement.run(...params)
      }
      connection.exec('COMMIT')
      return { milliseconds: performance.now() - begun }
    } catch (error) {
      if (connection.inTransaction) connection.exec('ROLLBACK')
      return { failed: told(error) }
    }
  }
}

/** A message between threads loses the code of an error. */
const told = (error: unknown): Error | 'damaged' =>
  isDamage(error) ? 'damaged' : error instanceof Error ? error : new Error(String(error))
