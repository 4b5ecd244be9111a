import Database from 'better-sqlite3'
import { fail } from '../errors.ts'
import { sqlite } from '../sql/sqlite.ts'
import { render, type Param, type Sql } from '../sql/sql.ts'
import type { Db, Ledger, Row, Tally, Transaction, WriteOptions } from './db.ts'
import { Stale } from './stale.ts'

/** Writes that share one transaction, at most. */
const BATCH = 200
/** Statements kept prepared on each connection, at most. */
const PREPARED = 400

interface Job {
  readonly work: (tx: Transaction) => Promise<unknown>
  readonly options: WriteOptions
  resolve(value: unknown): void
  reject(error: unknown): void
}

type Outcome = { readonly job: Job; readonly value: unknown } | { readonly job: Job; readonly error: unknown }

/** One SQLite file: a connection that writes and one that reads, so that nothing uncommitted is ever read. */
export function openSqlite(file: string, ledgerOf: (read: Db['read']) => Ledger = () => nothing): Db {
  const writer = connect(file)
  const reader = connect(file)
  const writes = statements(writer)
  const reads = statements(reader)
  /** What the jobs of the present transaction said of records that came and went. */
  let tallies: Tally[] = []
  const tx: Transaction = {
    async all(query) {
      return all(writes, query)
    },
    async run(query) {
      const { text, params } = render(query, sqlite.placeholder)
      return guarded(() => writes(text).run(...params.map(bound)).changes)
    },
    tally(one) {
      tallies.push(one)
    },
  }
  const queue: Job[] = []
  let draining: Promise<void> | undefined

  const ledger = ledgerOf(read)

  return {
    dialect: sqlite,
    read,
    write<T>(work: (tx: Transaction) => Promise<T>, options: WriteOptions = {}) {
      return new Promise<T>((resolve, reject) => {
        queue.push({ work, options, resolve: resolve as (value: unknown) => void, reject })
        draining ??= drain()
      })
    },
    async close() {
      while (draining) await draining
      reader.close()
      writer.pragma('wal_checkpoint(TRUNCATE)')
      writer.close()
    },
  }

  async function read(...queries: Sql[]): Promise<Row[][]> {
    if (queries.length === 1) return [all(reads, queries[0]!)]
    reader.exec('BEGIN')
    try {
      return queries.map((query) => all(reads, query))
    } finally {
      reader.exec('COMMIT')
    }
  }

  async function drain(): Promise<void> {
    // Requests that arrived in the same turn of the event loop join the batch.
    await new Promise((next) => setImmediate(next))
    while (queue.length > 0) {
      const outcomes = await batch()
      for (const outcome of outcomes) {
        if ('error' in outcome) outcome.job.reject(outcome.error)
        else outcome.job.resolve(outcome.value)
      }
      // Those just answered, and reads, get their turn before the next batch.
      await new Promise((next) => setImmediate(next))
    }
    draining = undefined
  }

  /** Runs waiting jobs in one transaction; what it returns may be told to their callers. */
  async function batch(): Promise<Outcome[]> {
    const outcomes: Outcome[] = []
    tallies = []
    try {
      writer.exec('BEGIN IMMEDIATE')
      while (outcomes.length < BATCH && queue.length > 0) {
        if (queue[0]!.options.alone && outcomes.length > 0) break
        const job = queue.shift()!
        outcomes.push(await attempt(job))
        if (job.options.alone) break
      }
      if (tallies.length > 0) await ledger.settle(tx, tallies)
      writer.exec('COMMIT')
    } catch (error) {
      if (writer.inTransaction) writer.exec('ROLLBACK')
      if (outcomes.length === 0) outcomes.push({ job: queue.shift()!, error: undefined })
      return outcomes.map(({ job }) => ({ job, error: unavailable(error) }))
    }
    ledger.settled(tallies)
    for (const outcome of outcomes) if ('value' in outcome) outcome.job.options.onCommit?.()
    return outcomes
  }

  async function attempt(job: Job): Promise<Outcome> {
    const before = tallies.length
    writer.exec('SAVEPOINT job')
    try {
      const value = await job.work(tx)
      writer.exec('RELEASE job')
      return { job, value }
    } catch (error) {
      // A full disk or an I/O error ends the whole transaction: then nobody in it may be told that he succeeded.
      if (!writer.inTransaction) throw error
      tallies.length = before
      writer.exec('ROLLBACK TO job')
      writer.exec('RELEASE job')
      return { job, error: isStorageError(error) ? unavailable(error) : error }
    }
  }
}

/** For a database without records. */
const nothing: Ledger = { settle: async () => {}, settled: () => {} }

function connect(file: string): Database.Database {
  const connection = new Database(file)
  connection.pragma('journal_mode = WAL')
  // The default of this driver loses commits when the power fails.
  connection.pragma('synchronous = FULL')
  connection.pragma('busy_timeout = 5000')
  connection.pragma('cache_size = -8000')
  connection.pragma('temp_store = MEMORY')
  return connection
}

/** Prepared statements of one connection by their text, the least recently used given up first. */
function statements(connection: Database.Database): (text: string) => Database.Statement<unknown[]> {
  const prepared = new Map<string, Database.Statement<unknown[]>>()
  return (text) => {
    let statement = prepared.get(text)
    if (statement) {
      if (prepared.size > PREPARED / 2) {
        prepared.delete(text)
        prepared.set(text, statement)
      }
      return statement
    }
    statement = connection.prepare(text)
    if (statement.reader) statement.raw()
    prepared.set(text, statement)
    if (prepared.size > PREPARED) prepared.delete(prepared.keys().next().value!)
    return statement
  }
}

function all(prepare: ReturnType<typeof statements>, query: Sql): Row[] {
  const { text, params } = render(query, sqlite.placeholder)
  return guarded(() => prepare(text).all(...params.map(bound)) as Row[])
}

/** The driver binds every JavaScript number as a float, and 7 / 2.0 is not 7 / 2. */
const bound = (param: Param): Param => (typeof param === 'number' && Number.isSafeInteger(param) ? BigInt(param) : param)

/** A column or table that is gone means that the caller's catalogue is. */
function guarded<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof Database.SqliteError && /^no such (column|table)|has no column named/.test(error.message)) throw new Stale()
    throw error
  }
}

const isStorageError = (error: unknown): boolean =>
  error instanceof Database.SqliteError && /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|BUSY)/.test(error.code)

const unavailable = (error: unknown): unknown =>
  isStorageError(error)
    ? fail('server.unavailable', { why: 'The database cannot be written just now; the disk may be full.' }, { headers: { 'Retry-After': '5' } })
    : error
