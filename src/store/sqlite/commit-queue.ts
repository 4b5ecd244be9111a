import type { RecordChange, Tally } from '../ground/changes.ts'
import type { Busy, Ledger, Transaction, WriteOptions } from '../ground/db.ts'
import type { WritingTime } from './writing-time.ts'

/** What a transaction does by statements. */
export type Statements = Omit<Transaction, 'attempt' | 'changed' | 'changedNow' | 'images'>

/** Writes that share one transaction, at most. */
const BATCH = 200

/** A connection that writes: this thread's, or the import writer's. */
export interface WriterConnection extends Statements {
  execute(statement: string): void
  inTransaction(): boolean
  /** Of the import writer, which must not write without it. The thread that serves has none: its queue pauses instead. */
  readonly lease?: WriteLease
  /** After each commit. */
  committed?(): void
  /** The failure to tell for a fault of the storage itself; any other error as it is. */
  explain(error: unknown): unknown
}

/** The right to write, which one of two connections has at a time (write-lease.ts). */
export interface WriteLease {
  /** Resolves when this connection has it. */
  acquire(): Promise<void>
  /** Whether the other connection waits for it. */
  isWanted(): boolean
  /** Tells what is about to be committed; when it returns it may be. */
  announce(tallies: readonly Tally[]): void
  /** Gives it back; nothing where this connection does not have it. */
  release(): void
}

export interface CommitQueue {
  write<T>(work: (tx: Transaction) => Promise<T>, options?: WriteOptions): Promise<T>
  /**
   * Runs the work between transactions: meanwhile another connection can write, and this one does not. `onWaiting` is called as
   * soon as a write waits for it to end.
   */
  pause<T>(work: () => Promise<T>, onWaiting?: () => void): Promise<T>
  load(): Busy
  /** Resolves when nothing waits or runs. */
  idle(): Promise<void>
}

interface Job {
  readonly work: (tx: Transaction) => Promise<unknown>
  /** The work is a pause: it runs outside of any transaction. `onWaiting` is called when a write waits for it to end. */
  readonly pause?: { onWaiting(): void }
  readonly options: WriteOptions
  resolve(value: unknown): void
  reject(error: unknown): void
}

type Outcome = { readonly job: Job; readonly value: unknown } | { readonly job: Job; readonly error: unknown }

/** Group commit: writes that wait together share one transaction and one wait for the disk, each undone alone where it fails. */
export function commitQueue(writer: WriterConnection, ledger: Ledger, timed: WritingTime['timed'] = (work) => work()): CommitQueue {
  const queue: Job[] = []
  let draining: Promise<void> | undefined
  /** Tells a running pause that a write waits. */
  let onWaiting: (() => void) | undefined
  return {
    write: (work, options = {}) => join({ work, options }),
    pause: (work, onWaiting = () => {}) => join({ work, options: {}, pause: { onWaiting } }),
    load: () => ({ waiting: queue.length, running: draining ? 1 : 0 }),
    async idle() {
      while (draining) await draining
    },
  }

  function join<T>(job: Pick<Job, 'options' | 'pause'> & { work: (tx: Transaction) => Promise<T> }): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      queue.push({ ...job, resolve: resolve as (value: unknown) => void, reject })
      onWaiting?.()
      draining ??= drain()
    })
  }

  async function drain(): Promise<void> {
    // Requests that arrived in the same turn of the event loop join the batch.
    await new Promise((next) => setImmediate(next))
    while (queue.length > 0) {
      const outcomes = queue[0]!.pause ? [await pause(queue.shift()!)] : await timed(() => batch(writer, ledger, queue))
      for (const outcome of outcomes) {
        if ('error' in outcome) outcome.job.reject(outcome.error)
        else outcome.job.resolve(outcome.value)
      }
      // The event loop handles the answers, and reads, before the next batch.
      await new Promise((next) => setImmediate(next))
    }
    draining = undefined
  }

  async function pause(job: Job): Promise<Outcome> {
    onWaiting = job.pause?.onWaiting
    try {
      const working = job.work(none)
      if (queue.length > 0) onWaiting?.()
      return { job, value: await working }
    } catch (error) {
      return { job, error: writer.explain(error) }
    } finally {
      onWaiting = undefined
    }
  }
}

const noTransaction = (): never => {
  throw new Error('There is no transaction in a pause.')
}
const none: Transaction = {
  all: noTransaction,
  run: noTransaction,
  runReturning: noTransaction,
  createTable: noTransaction,
  alterStructure: noTransaction,
  insert: noTransaction,
  attempt: noTransaction,
  changed: noTransaction,
  changedNow: noTransaction,
  images: false,
}

/** Runs waiting jobs in one transaction; what it returns may be told to their callers. */
async function batch(writer: WriterConnection, ledger: Ledger, queue: Job[]): Promise<Outcome[]> {
  const taken: Job[] = []
  const outcomes: Outcome[] = []
  /** What the jobs said of records. */
  const changes: RecordChange[] = []
  const { all, run, runReturning, createTable, alterStructure, insert } = writer
  let told = 0
  const tell = (some: readonly RecordChange[]) => {
    told += some.length
    return ledger.beforeCommit(tx, some, told - some.length)
  }
  const tx: Transaction = {
    all,
    run,
    runReturning,
    createTable,
    alterStructure,
    insert,
    attempt: (part) => inSavepoint(writer, changes, 'part', part),
    changed: (change) => void changes.push(change),
    changedNow: (some) => tell(some),
    images: ledger.images === true,
  }
  try {
    if (writer.lease) await writer.lease.acquire()
    writer.execute('BEGIN IMMEDIATE')
    while (taken.length < BATCH && queue.length > 0) {
      if (queue[0]!.pause || (queue[0]!.options.alone && taken.length > 0)) break
      const job = queue.shift()!
      taken.push(job)
      const outcome = await attempt(writer, tx, changes, job)
      // What was told of it already goes with it: it is alone in the transaction.
      if ('error' in outcome && told > 0) ledger.undone?.()
      outcomes.push(outcome)
      if (job.options.alone || writer.lease?.isWanted()) break
    }
    if (changes.length > 0) await tell(changes)
    for (const outcome of outcomes) if ('value' in outcome) await outcome.job.options.lastly?.(tx)
    writer.lease?.announce(changes)
    writer.execute('COMMIT')
  } catch (error) {
    if (writer.inTransaction()) writer.execute('ROLLBACK')
    if (told > 0) ledger.undone?.()
    if (taken.length === 0) taken.push(queue.shift()!)
    return taken.map((job) => ({ job, error: writer.explain(error) }))
  } finally {
    writer.lease?.release()
  }
  ledger.afterCommit(changes)
  writer.committed?.()
  for (const outcome of outcomes) if ('value' in outcome) outcome.job.options.onCommit?.()
  return outcomes
}

async function attempt(writer: WriterConnection, tx: Transaction, changes: RecordChange[], job: Job): Promise<Outcome> {
  try {
    return { job, value: await inSavepoint(writer, changes, 'job', () => job.work(tx)) }
  } catch (error) {
    // A full disk or an I/O error ends the whole transaction: then nobody in it may be told that they succeeded.
    if (!writer.inTransaction()) throw error
    return { job, error: writer.explain(error) }
  }
}

async function inSavepoint<T>(writer: WriterConnection, changes: RecordChange[], name: 'job' | 'part', work: () => Promise<T>): Promise<T> {
  const before = changes.length
  writer.execute(`SAVEPOINT ${name}`)
  try {
    const value = await work()
    writer.execute(`RELEASE ${name}`)
    return value
  } catch (error) {
    if (!writer.inTransaction()) throw error
    changes.length = before
    writer.execute(`ROLLBACK TO ${name}`)
    writer.execute(`RELEASE ${name}`)
    throw error
  }
}
