import type { Transaction, WriteOptions } from '../ground/db.ts'
import type { BatchGathering } from './batch-gathering.ts'
import { explained, isInTheWay, isLost, StructureBusy, TableBusy } from './faults.ts'

/* Writes that wait: which ones may share a transaction, and which ones are run again. */

/** The most attempts of a write. */
const TRIES = 8
/** A change of structure waits while an index is made: the most checks, and the milliseconds between two of them. */
const WAITS = 600
export const PAUSE = 50
/** A change of structure that met readers: how often it tries before it waits for them, and the milliseconds in which readers go on. */
const GLIMPSES = 20
const READERS = 300

/** A write that waits for its turn. */
export interface Job {
  readonly work: (tx: Transaction) => Promise<unknown>
  readonly options: WriteOptions
  tries: number
  /** How often it found that an index was being made. */
  waits: number
  /** How often somebody read a table that it was to change. */
  glimpses: number
  resolve(value: unknown): void
  reject(error: unknown): void
}
export type Outcome = { readonly job: Job; readonly value: unknown } | { readonly job: Job; readonly error: unknown }

/** Puts the next write before a change of structure. Requests that start again because the structure changed could otherwise never succeed. */
export async function letPass(queue: Job[]): Promise<void> {
  await new Promise((next) => setTimeout(next, 10))
  const passing = queue.findIndex(({ options }) => !options.alone)
  if (passing > 0) queue.unshift(...queue.splice(passing, 1))
}

/** Whether a change of structure has tried often enough to find nobody at the table. */
export const isPatient = ([first]: readonly Job[]): boolean => first!.glimpses >= GLIMPSES

/** Whether a write that failed may be run again: nothing was committed, because of a conflict, a broken connection or an index that was being made. */
function mayTryAgain(job: Job, error: unknown): boolean {
  if (error instanceof StructureBusy) return ++job.waits < WAITS
  if (error instanceof TableBusy) return job.options.yields !== true && ++job.glimpses <= GLIMPSES
  if (error instanceof Undecided || (!isInTheWay(error) && !isLost(error))) return false
  return ++job.tries < TRIES
}

/** The connection broke during the COMMIT, and no server can tell whether it was done. The write is not run again. */
export class Undecided extends Error {
  readonly code = '08007'
}

/** The next jobs that may share a transaction. */
export function take(queue: Job[], most: number): Job[] {
  const first = queue.shift()!
  const jobs = [first]
  if (first.options.alone || first.tries > 0) return jobs
  const subjects = new Set([first.options.apart])
  const fits = ({ options: { alone, apart }, tries }: Job) =>
    !alone && tries === 0 && (apart === undefined) === (first.options.apart === undefined) && (!apart || !subjects.has(apart))
  while (jobs.length < most && queue.length > 0 && fits(queue[0]!)) {
    jobs.push(queue.shift()!)
    subjects.add(jobs.at(-1)!.options.apart)
  }
  return jobs
}

/** Changes of structure that met readers, until they try again: others go on meanwhile, those who write too. */
export interface DelayedJobs {
  add(job: Job): void
  count(): number
  /** Resolves when none waits any more. */
  over(): Promise<void>
}

export function delayedJobs(again: (job: Job) => void): DelayedJobs {
  const delays = new Set<Promise<void>>()
  return {
    add(job) {
      const delay = new Promise<void>((end) => setTimeout(end, READERS)).then(() => {
        delays.delete(delay)
        again(job)
      })
      delays.add(delay)
    },
    count: () => delays.size,
    async over() {
      while (delays.size > 0) await Promise.all(delays)
    },
  }
}

/** Resolves or rejects each write; one that may succeed when it runs alone goes back into the queue. */
export function answer(outcomes: readonly Outcome[], queue: Job[], delayed: DelayedJobs, gathering: BatchGathering): void {
  const back: Job[] = []
  let stay = 0
  for (const outcome of outcomes) {
    const { job } = outcome
    if ('value' in outcome) job.resolve(outcome.value)
    else if (!mayTryAgain(job, outcome.error)) job.reject(explained(outcome.error))
    else {
      stay++
      if (outcome.error instanceof TableBusy) delayed.add(job)
      else back.push(job)
    }
  }
  queue.unshift(...back)
  gathering.left(outcomes.length - stay)
}
