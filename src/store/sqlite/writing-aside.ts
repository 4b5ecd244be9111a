import type { Worker } from 'node:worker_threads'
import { fail } from '../../errors.ts'
import type { Rendered } from './connection.ts'
import { startThread } from '../scheduling/thread.ts'
import type { Done, LogState, Task } from './writing-thread.ts'

/** Milliseconds without work after which the thread ends. */
const IDLE = 5_000

/** One task after the other. */
export interface WritingAside {
  /** Runs statements in one transaction. Resolves with the milliseconds it took. */
  run(statements: readonly Rendered[]): Promise<number>
  /** Runs statements that write temporary tables only, while others write. The tables last until the thread ends. */
  prepare(statements: readonly Rendered[]): Promise<void>
  /** A checkpoint: copies the log into the database file, as far as no reader needs an older snapshot. */
  checkpoint(): Promise<LogState>
  close(): Promise<void>
}

type Succeeded = Exclude<Done, { readonly failed: Error | 'damaged' }>

/** A thread that writes while the writer of this thread pauses; started when it is needed. */
export function writingAside(file: string): WritingAside {
  let worker: Worker | undefined
  let idle: NodeJS.Timeout | undefined

  async function end(): Promise<void> {
    clearTimeout(idle)
    const ending = worker
    worker = undefined
    await ending?.terminate()
  }

  let last: Promise<unknown> = Promise.resolve()

  function inTurn(task: Task): Promise<Succeeded> {
    const done = last.then(() => perform(task))
    last = done.catch(() => undefined)
    return done
  }

  async function perform(task: Task): Promise<Succeeded> {
    clearTimeout(idle)
    worker ??= startThread(new URL('./writing-thread.ts', import.meta.url), {
      workerData: file,
      resourceLimits: { maxYoungGenerationSizeMb: 6 },
    })
    try {
      const done = await answerOf(worker, task)
      if ('failed' in done) throw done.failed === 'damaged' ? fail('database.damaged') : done.failed
      return done
    } catch (error) {
      await end()
      throw error
    } finally {
      if (worker) idle = setTimeout(() => void end(), IDLE).unref()
    }
  }

  return {
    async run(statements) {
      if (statements.length === 0) return 0
      const done = await inTurn({ statements, writes: true })
      return 'milliseconds' in done ? done.milliseconds : 0
    },
    async prepare(statements) {
      await inTurn({ statements, writes: false })
    },
    async checkpoint() {
      const done = await inTurn('checkpoint')
      return 'log' in done ? done.log : { pages: 0, taken: 0 }
    },
    close: end,
  }
}

const answerOf = (worker: Worker, task: Task): Promise<Done> =>
  new Promise((resolve, reject) => {
    const finish = (tell: () => void) => {
      worker.off('message', answered)
      worker.off('error', failed)
      tell()
    }
    const answered = (done: Done) => finish(() => resolve(done))
    const failed = (error: unknown) => finish(() => reject(error))
    worker.on('message', answered)
    worker.on('error', failed)
    worker.postMessage(task)
  })
