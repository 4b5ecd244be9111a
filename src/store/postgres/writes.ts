import { advisoryLocks, LOCK_SPACE } from '../../sql/advisory-locks.ts'
import type { RecordChange } from '../ground/changes.ts'
import type { Busy, Db, Ledger, Transaction, WriteOptions, Row } from '../ground/db.ts'
import type { Address } from './address.ts'
import { batchGathering } from './batch-gathering.ts'
import type { Connection } from './connection.ts'
import { isLost, isOvertaken, StructureBusy, TooManyTogether } from './faults.ts'
import { commitOutcome, type CommitOutcome } from './commit-outcome.ts'
import { gatheredInserts, transactionOn, type Telling } from './transaction.ts'
import { answer, delayedJobs, isPatient, letPass, PAUSE, take, Undecided, type Job, type Outcome } from './jobs.ts'
import { Stale } from '../model/stale.ts'

/*
 * Group commit on PostgreSQL: writes that wait share a transaction and its flush. The statements of writes that do not depend on each
 * other (`WriteOptions.apart`), such as creates, are interleaved; other writes run one after the other, in a savepoint each. A write that
 * conflicts with another process is run again, in the end in a transaction of its own, where it waits for locks.
 *
 * Every write takes an advisory lock in shared mode, which changes of structure and rights take exclusively, and then compares the
 * version of the catalogue: so every record is written by the present structure. Lock and settings belong to the
 * transaction, so a pooler may give each transaction another connection.
 */

const BATCH = 200

/** The beginning of every transaction. With the time limit, a process that hangs does not keep its locks. */
const begin = (alone: boolean, version: string) =>
  `BEGIN; SET LOCAL idle_in_transaction_session_timeout = 10000; SET LOCAL lock_timeout = 30000;
   SELECT pg_advisory_xact_lock${alone ? '' : '_shared'}(${LOCK_SPACE}, ${advisoryLocks.catalogue})${version}`
/**
 * Milliseconds of a statement where requests are served; longer than one waits for a lock. Without a limit again in the end: it would
 * cut short a COMMIT that waits for a synchronous standby, which then counts as done.
 */
const STATEMENT = 60_000
const LIMITED = `; SET LOCAL statement_timeout = ${STATEMENT}`
const UNLIMITED = 'SET LOCAL statement_timeout = 0'
/** A transaction of several writes does not wait long for the locks of another process: both might wait for each other. */
const IMPATIENT = 'SET LOCAL lock_timeout = 150'

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
  /** Whether requests wait: then the statements of a write have a time limit, those of a change of structure excepted. */
  readonly serves: boolean
}

interface Writer extends Writing {
  readonly connection: Connection
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

export function postgresWrites(writing: Writing): { write: Db['write']; load(): Busy; close(): Promise<void> } {
  const queue: Job[] = []
  const delayed = delayedJobs((job) => {
    queue.push(job)
    wake()
  })
  const gathering = batchGathering(WRITERS, () => queue.length)
  const tell = (outcomes: readonly Outcome[]) => answer(outcomes, queue, delayed, gathering)
  const writers = Array.from({ length: WRITERS }, idleWriter)
  return {
    write: <T>(work: (tx: Transaction) => Promise<T>, options: WriteOptions = {}) =>
      new Promise<T>((resolve, reject) => {
        queue.push({ work, options, tries: 0, waits: 0, glimpses: 0, resolve: resolve as (value: unknown) => void, reject })
        gathering.came()
        wake()
      }),
    load: () => ({ waiting: queue.length + delayed.count(), running: writers.filter(({ draining }) => draining).length }),
    async close() {
      // What is being written may be put off once more.
      while (delayed.count() > 0 || writers.some(({ draining }) => draining))
        await Promise.all([delayed.over(), ...writers.map(({ draining }) => draining)])
      for (const state of writers) {
        if (state.connection?.isOpen()) await state.lastCommit.forget(state.connection)
        await state.connection?.close()
      }
    },
  }

  function wake(): void {
    const idle = writers.find(({ draining }) => !draining)
    if (idle) idle.draining = drain(idle)
  }

  async function drain(state: WriterState): Promise<void> {
    // Requests that arrived in the same turn of the event loop join the batch.
    await new Promise((next) => setImmediate(next))
    while (queue.length > 0) {
      const most = await gathering.enough()
      if (queue.length === 0) break
      const jobs = take(queue, Math.min(most, BATCH))
      try {
        const connection = await connected(state)
        const outcomes = await batch({ ...writing, connection, lastCommit: state.lastCommit }, jobs)
        tell(outcomes)
        if (outcomes.some((outcome) => 'error' in outcome && outcome.error instanceof StructureBusy))
          await new Promise((next) => setTimeout(next, PAUSE))
        if (queue[0]?.options.alone && outcomes.some((outcome) => 'error' in outcome && outcome.error instanceof Stale))
          await letPass(queue)
      } catch (error) {
        tell(jobs.map((job) => ({ job, error })))
      }
    }
    state.draining = undefined
  }

  async function connected(state: WriterState): Promise<Connection> {
    if (!state.connection?.isOpen()) {
      void state.connection?.close()
      state.connection = await writing.address.connect()
    }
    if (writing.follower.query) await state.lastCommit.register(state.connection)
    return state.connection
  }
}

async function batch(writer: Writer, jobs: readonly Job[]): Promise<readonly Outcome[]> {
  const outcomes = await attempt(writer, jobs)
  // Together once more: by themselves they would need a transaction each.
  return outcomes.every((outcome) => 'error' in outcome && isOvertaken(outcome.error)) ? attempt(writer, jobs) : outcomes
}

async function attempt(writer: Writer, jobs: readonly Job[]): Promise<readonly Outcome[]> {
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
  const { connection, lastCommit, ledger, follower } = writer
  const isAlone = jobs[0]!.options.alone === true
  const isLimited = writer.serves && !isAlone
  const changes: RecordChange[] = []
  let told = 0
  const tell = (tx: Transaction, some: readonly RecordChange[]) => {
    told += some.length
    if (told > (ledger().mostTogether ?? Infinity) && !isAlone)
      throw new TooManyTogether(`${told} changes in a transaction that is not alone`)
    return ledger().beforeCommit(tx, some, told - some.length)
  }
  const telling: Telling = { changes, images: ledger().images === true, now: tell, isPatient: isPatient(jobs) }
  const tx = transactionOn(connection, telling)
  let outcomes: readonly Outcome[] | undefined
  let ending = false
  try {
    const { query, version } = follower
    const perform = run(connection, telling)
    const lock = begin(isAlone, query ? `; ${query}` : '')
    const begun = connection.script(lock + (isLimited ? LIMITED : '') + connection.dialect.beforeWrites)
    begun.catch(() => undefined)
    if (jobs.length > 1) connection.script(IMPATIENT).catch(() => undefined)
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
    const kept = changes.length > 0 ? tell(tx, changes) : undefined
    const last = outcomes.flatMap((outcome) => ('value' in outcome ? (outcome.job.options.lastly ?? []) : []))
    if (kept && (ledger().sendsAtOnce !== true || last.length > 0)) await kept
    for (const work of last) await work(tx)
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
  ledger().afterCommit(changes)
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
