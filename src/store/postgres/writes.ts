import type { RecordChange } from '../ground/changes.ts'
import type { Db, Ledger, Transaction, WriteOptions, Row } from '../ground/db.ts'
import type { Address } from './address.ts'
import { beginning, UNLIMITED } from './beginning.ts'
import { batchGathering } from './batch-gathering.ts'
import type { Connection } from './connection.ts'
import { explained, isLocked, isLost, StructureBusy } from './faults.ts'
import { commitOutcome, type CommitOutcome } from './commit-outcome.ts'
import { gatheredInserts, transactionOn, type Telling } from './transaction.ts'
import { hasTimeLimit, letPass, mayTryAgain, PAUSE, take, TimeOver, Undecided, type Job, type Outcome } from './jobs.ts'
import { Stale } from '../model/stale.ts'
import { deadlineIn } from '../scheduling/deadline.ts'

/*
 * Group commit on PostgreSQL: writes that wait share a transaction and its flush. The statements of writes that do not depend on each
 * other (`WriteOptions.apart`), such as creates, are interleaved; other writes run one after the other, in a savepoint each. A write that
 * conflicts with another process is run again, in the end in a transaction of its own, where it waits for locks; where requests are
 * served, on a connection of its own, so that who has locked a table holds up no writes to others.
 *
 * Every write takes an advisory lock in shared mode, which changes of structure and rights take exclusively, and then compares the
 * version of the catalogue: so every record is written by the present structure. Lock and settings belong to the
 * transaction, so a pooler may give each transaction another connection.
 */

const BATCH = 200

export interface Follower {
  /** Reads the version of the catalogue and what goes with it, once there is one. */
  readonly query: string | undefined
  /** Of the catalogue in memory. */
  readonly version: number | undefined
  /** Makes the catalogue in memory the one of which the query answered this row, before anybody's work begins. */
  follow(row: Row, tx: Transaction): Promise<void>
}

interface Writing {
  readonly address: Address
  readonly ledger: () => Ledger
  readonly follower: Follower
  /**
   * Milliseconds for which a write is tried, because requests wait. Its statements end then; those of a change of structure, which may
   * take long, do not. Infinity: writes have no time limit.
   */
  readonly time: number
}

interface Writer extends Writing {
  readonly connection: Connection
  /** Whether it writes what has met a lock. */
  readonly waitsForLocks: boolean
  readonly lastCommit: CommitOutcome
}

/** Transactions of a process at once: while one waits for the disk, the other runs its statements. */
const WRITERS = 2

interface WriterState {
  readonly lastCommit: CommitOutcome
  connection: Connection | undefined
  draining: Promise<void> | undefined
}

const idleWriter = (): WriterState => ({ lastCommit: commitOutcome(), connection: undefined, draining: undefined })

export function postgresWrites(writing: Writing): { write: Db['write']; close(): Promise<void> } {
  const queue: Job[] = []
  /** Writes that have met a lock. They take turns on a connection of their own. */
  const locked: Job[] = []
  const gathering = batchGathering(WRITERS, () => queue.length)
  const writers = Array.from({ length: WRITERS }, idleWriter)
  const lockedWriter = idleWriter()
  return {
    write: <T>(work: (tx: Transaction) => Promise<T>, options: WriteOptions = {}) =>
      new Promise<T>((resolve, reject) => {
        const left = deadlineIn(writing.time)
        queue.push({ work, options, left, tries: 0, waits: 0, resolve: resolve as (value: unknown) => void, reject })
        gathering.came()
        const idle = writers.find(({ draining }) => !draining)
        if (idle) idle.draining = drain(idle)
      }),
    async close() {
      for (const state of [...writers, lockedWriter]) {
        while (state.draining) await state.draining
        if (state.connection?.isOpen()) await state.lastCommit.forget(state.connection)
        await state.connection?.close()
      }
    },
  }

  async function drain(state: WriterState): Promise<void> {
    // Requests that arrived in the same turn of the event loop join the batch.
    await new Promise((next) => setImmediate(next))
    while (queue.length > 0) {
      const most = await gathering.enough()
      if (queue.length === 0) break
      const outcomes = await run(state, take(queue, Math.min(most, BATCH)), false)
      if (outcomes.some((outcome) => 'error' in outcome && outcome.error instanceof StructureBusy))
        await new Promise((next) => setTimeout(next, PAUSE))
      if (queue[0]?.options.alone && outcomes.some((outcome) => 'error' in outcome && outcome.error instanceof Stale)) await letPass(queue)
    }
    state.draining = undefined
  }

  async function drainLocked(): Promise<void> {
    while (locked.length > 0) await run(lockedWriter, [locked.shift()!], true)
    lockedWriter.draining = undefined
  }

  async function run(state: WriterState, jobs: readonly Job[], waitsForLocks: boolean): Promise<readonly Outcome[]> {
    const isOver = (job: Job) => hasTimeLimit(job) && job.left() === 0
    const outcomes: Outcome[] = jobs.filter(isOver).map((job) => ({ job, error: new TimeOver() }))
    const due = jobs.filter((job) => !isOver(job))
    try {
      const connection = due.length > 0 && (await connected(state))
      if (connection) outcomes.push(...(await batch({ ...writing, connection, lastCommit: state.lastCommit, waitsForLocks }, due)))
    } catch (error) {
      outcomes.push(...due.map((job) => ({ job, error })))
    }
    answer(outcomes, waitsForLocks)
    return outcomes
  }

  async function connected(state: WriterState): Promise<Connection> {
    if (!state.connection?.isOpen()) {
      void state.connection?.close()
      state.connection = await writing.address.connect()
    }
    if (writing.follower.query) await state.lastCommit.register(state.connection)
    return state.connection
  }

  /** Resolves or rejects each write; one that may succeed when it runs alone goes back into a queue. */
  function answer(outcomes: readonly Outcome[], waitsForLocks: boolean): void {
    const back: Job[] = []
    for (const outcome of outcomes) {
      const { job } = outcome
      if ('value' in outcome) job.resolve(outcome.value)
      else if (!mayTryAgain(job, outcome.error)) job.reject(explained(outcome.error))
      else if (waitsForLocks || (isLocked(outcome.error) && hasTimeLimit(job))) locked.push(job)
      else back.push(job)
    }
    queue.unshift(...back)
    if (!waitsForLocks) gathering.left(outcomes.length - back.length)
    if (locked.length > 0) lockedWriter.draining ??= drainLocked()
  }
}

async function batch(writer: Writer, jobs: readonly Job[]): Promise<readonly Outcome[]> {
  const together = jobs.length > 1
  if (together && jobs[0]!.options.apart !== undefined) {
    const outcomes = await transaction(writer, jobs, interleaved)
    if (outcomes) return outcomes
  }
  return (await transaction(writer, jobs, together ? inTurn : byItself))!
}

/** Called before the transaction begins; what it gives runs the jobs. */
type Runner = (connection: Connection, telling: Telling) => (jobs: readonly Job[]) => Promise<readonly Outcome[] | undefined>

/**
 * Undefined: the runner gave up, and nothing was written. What keeps apart begins before the version of the catalogue is
 * known, and begins anew where that was another one.
 */
async function transaction(
  writer: Writer,
  jobs: readonly Job[],
  run: Runner,
  early = jobs[0]!.options.apart !== undefined,
): Promise<readonly Outcome[] | undefined> {
  const { connection, lastCommit, ledger, follower, waitsForLocks } = writer
  const isLimited = hasTimeLimit(jobs[0]!)
  const changes: RecordChange[] = []
  const telling: Telling = { changes, images: ledger().images === true, now: (...told) => ledger().beforeCommit(...told) }
  const tx = transactionOn(connection, telling)
  let outcomes: readonly Outcome[] | undefined
  let ending = false
  try {
    const { query, version } = follower
    const perform = run(connection, telling)
    const begun = connection.script(beginning(jobs, (query ? `; ${query}` : '') + connection.dialect.beforeWrites, waitsForLocks))
    begun.catch(() => undefined)
    if (early) outcomes = await perform(jobs)
    const present = (await begun)[4]?.[0]
    const isOther = query !== undefined && Number(present?.[0]) !== version
    if (early && isOther) {
      await connection.script('ROLLBACK')
      return await transaction(writer, jobs, run, false)
    }
    if (isOther) await follower.follow(present!, tx)
    if (!early) outcomes = await perform(jobs)
    if (!outcomes || !outcomes.some((outcome) => 'value' in outcome)) {
      await connection.script('ROLLBACK')
      return outcomes
    }
    const kept = changes.length > 0 ? ledger().beforeCommit(tx, changes) : undefined
    if (kept && ledger().sendsAtOnce !== true) await kept
    const noted = lastCommit.note(connection)
    const unlimited = isLimited ? connection.script(UNLIMITED) : undefined
    ending = true
    await allOf([kept, noted, unlimited, connection.commit()])
  } catch (error) {
    const fault = ending && isLost(error) ? await unlessItHolds(writer, error) : error
    if (fault !== undefined) {
      // A connection that may still be in the transaction is not used again.
      if (connection.isOpen()) await connection.script('ROLLBACK').catch(() => connection.close())
      return jobs.map((job) => ({ job, error: fault }))
    }
  }
  ledger().afterCommit(changes, [])
  for (const outcome of outcomes!) if ('value' in outcome) outcome.job.options.onCommit?.()
  return outcomes
}

/** @throws what the first statement that failed did, which tells why those after it failed */
async function allOf(statements: readonly (Promise<unknown> | undefined)[]): Promise<void> {
  for (const outcome of await Promise.allSettled(statements)) if (outcome.status === 'rejected') throw outcome.reason
}

/** The error of a COMMIT that was not answered; undefined where it holds all the same. */
async function unlessItHolds({ address, lastCommit }: Writer, error: unknown): Promise<unknown> {
  try {
    return (await lastCommit.holds(address)) ? undefined : error
  } catch (unknown) {
    return new Undecided('The connection broke in the COMMIT, and no server tells whether it holds.', { cause: unknown })
  }
}

/** All at once, their statements mixed. Where one fails that has written, none of it holds. */
const interleaved: Runner = (connection, telling) => {
  const insert = gatheredInserts(connection)
  let spoiled = false
  const one = async (job: Job): Promise<Outcome> => {
    const mine = transactionOn(connection, telling, insert)
    try {
      return { job, value: await job.work(mine) }
    } catch (error) {
      if (mine.hasWritten() || mine.hasFailed()) spoiled = true
      return { job, error }
    }
  }
  return async (jobs) => {
    const outcomes = await Promise.all(jobs.map(one))
    return spoiled ? undefined : outcomes
  }
}

const inTurn: Runner = (connection, telling) => async (jobs) => {
  const outcomes: Outcome[] = []
  for (const job of jobs) {
    const before = telling.changes.length
    void connection.script('SAVEPOINT job').catch(() => undefined)
    try {
      const value = await job.work(transactionOn(connection, telling))
      void connection.script('RELEASE job').catch(() => undefined)
      outcomes.push({ job, value })
    } catch (error) {
      telling.changes.length = before
      await connection.script('ROLLBACK TO job; RELEASE job')
      outcomes.push({ job, error })
    }
  }
  return outcomes
}

const byItself: Runner =
  (connection, telling) =>
  async ([job]) => {
    try {
      return [{ job: job!, value: await job!.work(transactionOn(connection, telling)) }]
    } catch (error) {
      return [{ job: job!, error }]
    }
  }
