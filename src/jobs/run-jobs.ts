import { Failure, Failures, fail } from '../errors.ts'
import { limits } from '../limits.ts'
import { randomText } from '../store/ground/random-text.ts'
import type { Store } from '../store/ground/store.ts'
import { claimJob, finishJob, JobLost, openJobs, releaseJob, type Ended, type HeldJob, type OpenJob } from '../store/jobs/job-work.ts'
import { whenJobsChange } from '../store/jobs/jobs.ts'
import { JobStopped } from './job-kind.ts'
import { kinds as allKinds, type AnyKind } from './kinds.ts'
import { RunningJob } from './running-job.ts'

/*
 * Runs jobs: some at once in each process, one of each user, and users take turns. A round begins when a job was queued or has ended and, where
 * other processes serve the same database, every few seconds, for jobs whose process is gone. Over SQLite there are no rounds without jobs.
 */

/** Milliseconds in which jobs that are queued are gathered. */
const MOMENT = 5
/** Milliseconds until the next round where there are other processes. */
const POLL = 3_000
/** Milliseconds after which what failed here is tried again. */
const RETRY = 5_000
/** How often a job is begun without coming further. */
const TRIES = 5

/** Of the jobs of this process. */
export interface JobLoad {
  readonly running: number
  /** The same by kind. */
  readonly runningOf: ReadonlyMap<string, number>
  /** Jobs that have ended since the start, by kind and state. */
  readonly ended: readonly { readonly kind: string; readonly state: string; readonly count: number }[]
}

export interface JobRunner {
  /** Looks at once what is to be done. */
  wake(): void
  load(): JobLoad
  /** Ends what runs after its present step; it goes on in the next process. */
  close(): Promise<void>
}

export function runJobs(store: Store, kinds: ReadonlyMap<string, AnyKind> = allKinds): JobRunner {
  const runner = new Runner(store, kinds)
  runner.wake()
  return runner
}

class Runner implements JobRunner {
  readonly #store: Store
  readonly #kinds: ReadonlyMap<string, AnyKind>
  readonly #holder: string
  readonly #running = new Map<number, { readonly userId: number; readonly job: RunningJob; readonly ended: Promise<void> }>()
  /** Of users with jobs that wait, when one of them was last begun. */
  #turns = new Map<number, number>()
  #turn = 0
  readonly #ended = new Map<string, { readonly kind: string; readonly state: string; readonly count: number }>()
  readonly #unlisten: () => void
  #timer: NodeJS.Timeout | undefined
  #round: Promise<void> | undefined
  #isSoon = false
  #isClosed = false

  constructor(store: Store, kinds: ReadonlyMap<string, AnyKind>) {
    this.#store = store
    this.#kinds = kinds
    this.#holder = randomText(store, 16)
    this.#unlisten = whenJobsChange(store.db, (act) => {
      if (act !== 'asked') return
      for (const { job } of this.#running.values()) void job.look().catch(() => undefined)
      this.wake()
    })
  }

  readonly load = (): JobLoad => {
    const now = Array.from(this.#running.values(), ({ job }) => job.job.kind)
    const runningOf = new Map([...this.#kinds.keys()].map((kind) => [kind, now.filter((one) => one === kind).length]))
    return { running: this.#running.size, runningOf, ended: [...this.#ended.values()] }
  }

  wake(): void {
    if (this.#isSoon || this.#isClosed) return
    this.#isSoon = true
    if (!this.#round) this.#arm(MOMENT)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#unlisten()
    clearTimeout(this.#timer)
    await this.#round
    for (const { job } of this.#running.values()) job.stop()
    await Promise.all(Array.from(this.#running.values(), ({ ended }) => ended))
  }

  #arm(milliseconds: number): void {
    clearTimeout(this.#timer)
    if (!this.#isClosed) this.#timer = setTimeout(() => this.#begin(), milliseconds).unref()
  }

  #begin(): void {
    this.#isSoon = false
    this.#round = this.#goRound()
      .then(() => (this.#store.db.dialect.shared ? POLL : undefined))
      .catch((error: unknown) => {
        if (!this.#isClosed) this.#store.onFault('jobs could not be looked for; it is tried again', error)
        return RETRY
      })
      .then((wait) => {
        this.#round = undefined
        if (this.#isSoon) this.#arm(MOMENT)
        else if (wait !== undefined) this.#arm(wait)
      })
  }

  async #goRound(): Promise<void> {
    if (this.#isClosed || this.#running.size >= limits.jobs.most) return
    await this.#store.catchUp?.()
    const open = await openJobs(this.#store)
    this.#turns = new Map([...this.#turns].filter(([user]) => open.some(({ userId }) => userId === user)))
    for (const next of this.#inTurn(open)) {
      if (this.#isClosed || this.#running.size >= limits.jobs.most) return
      const job = await claimJob(this.#store, next, this.#holder)
      if (!job) continue
      this.#turns.set(job.userId, ++this.#turn)
      this.#start(job)
    }
  }

  /** What may be begun: first what another process has left, then what waits, of users without one that runs. */
  #inTurn(open: readonly OpenJob[]): OpenJob[] {
    const others = open.filter(({ id }) => !this.#running.has(id))
    const left = others.filter(({ isRunning, isOver }) => isRunning && isOver)
    const busy = new Set([...this.#running.values(), ...others.filter(({ isRunning }) => isRunning)].map(({ userId }) => userId))
    const waiting = others.filter(({ isRunning, userId }) => !isRunning && !busy.has(userId))
    const turnOf = ({ userId }: OpenJob): number => this.#turns.get(userId) ?? 0
    return [...left, ...waiting.toSorted((one, other) => turnOf(one) - turnOf(other) || one.id - other.id)]
  }

  #start(held: HeldJob): void {
    const job = new RunningJob(this.#store, held, this.#holder)
    const ended = this.#run(job)
      .catch((error: unknown) => {
        // What cannot be written now, such as while the database is away: the job goes on when its lease is over.
        if (!(error instanceof JobLost) && !this.#isClosed) this.#store.onFault(`job ${job.id} could not be ended`, error)
      })
      .then(() => {
        job.close()
        this.#running.delete(job.id)
        this.wake()
      })
    this.#running.set(job.id, { userId: held.userId, job, ended })
  }

  #count(kind: string, state: string): void {
    const key = `${kind} ${state}`
    this.#ended.set(key, { kind, state, count: (this.#ended.get(key)?.count ?? 0) + 1 })
  }

  async #run(running: RunningJob): Promise<void> {
    const { job } = running
    const kind = this.#kinds.get(job.kind)
    const finish = async (state: Ended['state'], error?: Ended['error']) => {
      const file = state === 'done' ? kind?.fileOf?.(job.input, running.last) : undefined
      await finishJob(this.#store, job.id, this.#holder, {
        state,
        error,
        result: (batchId) => kind?.resultOf(running.last, batchId) ?? {},
        file: file?.hash,
        fileName: file?.name,
      })
      if (kind) this.#count(job.kind, state)
    }
    if (!kind || job.tries > TRIES || (job.wasRunning && !kind.goesOn)) return finish('interrupted', shown(fail('job.interrupted')))
    for (let tries = job.tries; ; tries++) {
      try {
        if (tries > job.tries) await running.goBack()
        running.last = await kind.run(running, job.input)
        return finish('done')
      } catch (error) {
        const failure = error instanceof Failures ? error.failures[0]! : error
        if (error instanceof JobLost) return
        const end = async (state: 'cancelled' | 'failed', why?: Ended['error']) => {
          await running.goBack()
          return finish(state, why)
        }
        if (error instanceof JobStopped || running.signal.aborted)
          return running.isCancelled ? end('cancelled') : void (await releaseJob(this.#store, job.id, this.#holder))
        // The service is busy, or its disk is full.
        if (failure instanceof Failure && failure.status === 503 && tries < TRIES) {
          await pause(running.signal)
          continue
        }
        if (!(failure instanceof Failure)) this.#store.onFault(`job ${job.id} failed`, error)
        return end('failed', shown(failure instanceof Failure ? failure : fail('server.internal')))
      }
    }
  }
}

async function pause(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, RETRY).unref()
  signal.addEventListener('abort', () => resolve(), { once: true })
  await promise
  clearTimeout(timer)
}

const shown = ({ code, message }: Failure) => ({ code, detail: message })
