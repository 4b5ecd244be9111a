import type { Transaction, WriteOptions } from '../ground/db.ts'
import { isInTheWay, isLost, StructureBusy } from './faults.ts'

/* Writes that wait: which of them may share a transaction, and which are run again. */

/** How often a write is run. */
const TRIES = 8
/** How often, with so many milliseconds between, a change of structure asks whether the index that is being made is there. */
const WAITS = 600
export const PAUSE = 50

/** A write that waits for its turn. */
export interface Job {
  readonly work: (tx: Transaction) => Promise<unknown>
  readonly options: WriteOptions
  tries: number
  /** How often it found an index being made. */
  waits: number
  resolve(value: unknown): void
  reject(error: unknown): void
}
export type Outcome = { readonly job: Job; readonly value: unknown } | { readonly job: Job; readonly error: unknown }

/** Requests that start over because the structure changed go before its next change, or they might never get a turn. */
export async function letPass(queue: Job[]): Promise<void> {
  await new Promise((next) => setTimeout(next, 10))
  const passing = queue.findIndex(({ options }) => !options.alone)
  if (passing > 0) queue.unshift(...queue.splice(passing, 1))
}

/** Nothing was committed: others were in the way, or the connection broke. */
export function mayTryAgain(job: Job, error: unknown): boolean {
  if (error instanceof StructureBusy) return ++job.waits < WAITS
  if (error instanceof Undecided || (!isInTheWay(error) && !isLost(error))) return false
  return ++job.tries < TRIES
}

/** The connection broke in the COMMIT and no server tells whether it holds, so it is never done twice. */
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
