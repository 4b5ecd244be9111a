import { Worker } from 'node:worker_threads'
import type { Rendered } from './sqlite-connection.ts'
import type { Done } from './writing-thread.ts'

/** The thread ends when nothing was written for so long, in milliseconds. */
const IDLE = 5_000

export interface WritingAside {
  /** In one transaction; one call at a time. Resolves with the milliseconds it took. */
  run(statements: readonly Rendered[]): Promise<number>
  close(): Promise<void>
}

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

  return {
    async run(statements) {
      if (statements.length === 0) return 0
      clearTimeout(idle)
      worker ??= new Worker(new URL('./writing-thread.ts', import.meta.url), {
        workerData: file,
        resourceLimits: { maxYoungGenerationSizeMb: 6 },
      })
      try {
        const done = await answerOf(worker, statements)
        if ('failed' in done) throw done.failed
        return done.milliseconds
      } catch (error) {
        await end()
        throw error
      } finally {
        if (worker) idle = setTimeout(() => void end(), IDLE).unref()
      }
    },
    close: end,
  }
}

const answerOf = (worker: Worker, statements: readonly Rendered[]): Promise<Done> =>
  new Promise((resolve, reject) => {
    const settle = (tell: () => void) => {
      worker.off('message', answered)
      worker.off('error', failed)
      tell()
    }
    const answered = (done: Done) => settle(() => resolve(done))
    const failed = (error: unknown) => settle(() => reject(error))
    worker.on('message', answered)
    worker.on('error', failed)
    worker.postMessage(statements)
  })
