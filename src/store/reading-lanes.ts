import { availableParallelism } from 'node:os'
import type { Worker } from 'node:worker_threads'
import { fail } from '../errors.ts'
import type { Row } from './db.ts'
import { lateStatements } from './late-statements.ts'
import type { Answer, Question } from './reading-thread.ts'
import type { Rendered } from './sqlite-connection.ts'
import { Stale } from './stale.ts'
import { startThread } from './thread.ts'

/*
 * Reads that may take long, beside the thread that serves. Each is first tried in the quick lane, where nobody stays longer
 * than a moment; what needs more begins again in the slow lane, so that the many short ones never wait for a long one. While
 * the slow lane has nothing to do, its threads help in the quick one.
 */

/** Milliseconds in the quick lane. */
const MOMENT = 25
/** Reads that wait for the slow lane, at most. */
const WAITING = 200
/** Threads end when nobody has asked for so long, in milliseconds. */
const IDLE = 60_000

export interface ReadingLanes {
  /** @throws `server.query_timeout`, `server.busy`, Stale */
  read(queries: readonly Rendered[]): Promise<Row[][]>
  close(): Promise<void>
}

interface Job {
  readonly question: Question
  resolve(answer: Answer): void
  reject(error: unknown): void
}

interface Lane {
  ask(question: Question): Promise<Answer>
  /** Takes up what waits, in this lane or in the one it helps, as far as threads are free. */
  next(): void
  /** What has waited longest, for another lane to do. */
  give(): Job | undefined
  close(): Promise<void>
}

export function readingLanes(file: string, workers: number, queryTimeout: number): ReadingLanes {
  const quick = lane(file, 1, Infinity)
  const slow = lane(file, workers > 0 ? workers : Math.max(1, availableParallelism() - 1), WAITING, quick)
  const late = lateStatements()

  async function ask(queries: readonly Rendered[]): Promise<Answer> {
    const statement = queries.map(({ text }) => text).join('\n')
    if (!late.has(statement)) {
      const asked = quick.ask({ queries, limit: MOMENT })
      slow.next()
      const answer = await asked
      if (!('failed' in answer) || answer.failed !== 'late') return answer
      late.add(statement)
    }
    const answer = await slow.ask({ queries, limit: queryTimeout })
    // Other values of the same statement may be quick again.
    if ('rows' in answer && answer.milliseconds < MOMENT / 2) late.delete(statement)
    return answer
  }

  return {
    async read(queries) {
      const answer = await ask(queries)
      if ('rows' in answer) return answer.rows as Row[][]
      if (answer.failed === 'stale') throw new Stale()
      if (answer.failed === 'late') throw fail('server.query_timeout', { seconds: queryTimeout / 1000 })
      throw answer.failed
    },
    async close() {
      late.close()
      await Promise.all([quick.close(), slow.close()])
    },
  }
}

/** What a thread allocates is mostly short-lived: MiB for that, where V8 would take dozens. */
const SMALL = { maxYoungGenerationSizeMb: 6 }

/** Threads that share one queue, and then another lane's; each is started when it is first needed. */
function lane(file: string, threads: number, waiting: number, helped?: Lane): Lane {
  const queue: Job[] = []
  const free: Worker[] = []
  const busy = new Map<Worker, Job>()
  const idle = setInterval(() => void free.splice(0).map((worker) => worker.terminate()), IDLE).unref()

  function next(): void {
    while (free.length > 0 || busy.size < threads) {
      const job = queue.shift() ?? helped?.give()
      if (!job) return
      const worker = free.pop() ?? start()
      busy.set(worker, job)
      worker.postMessage(job.question)
    }
  }

  function start(): Worker {
    const worker = startThread(new URL('./reading-thread.ts', import.meta.url), { workerData: file, resourceLimits: SMALL })
    worker.unref()
    worker.on('message', (answer: Answer) => {
      const job = busy.get(worker)
      busy.delete(worker)
      free.push(worker)
      job?.resolve(answer)
      next()
    })
    worker.on('error', (error) => {
      const job = busy.get(worker)
      busy.delete(worker)
      job?.reject(error)
      next()
    })
    return worker
  }

  return {
    ask(question) {
      return new Promise((resolve, reject) => {
        if (queue.length >= waiting) return reject(fail('server.busy', undefined, { headers: { 'Retry-After': '5' } }))
        queue.push({ question, resolve, reject })
        next()
      })
    },
    next,
    give: () => queue.shift(),
    async close() {
      clearInterval(idle)
      const workers = [...free.splice(0), ...busy.keys()]
      await Promise.all(workers.map((worker) => worker.terminate()))
      for (const job of [...busy.values(), ...queue.splice(0)]) job.reject(new Error('The database is closed.'))
    },
  }
}
