import Database from 'better-sqlite3'
import { fail } from '../errors.ts'
import { sqlite } from '../sql/sqlite.ts'
import { render, type Param, type Sql } from '../sql/sql.ts'
import { commitQueue, type WriterConnection } from './commit-queue.ts'
import type { Db, Ledger, Row } from './db.ts'
import { Stale } from './stale.ts'

/** Statements kept prepared on each connection, at most. */
const PREPARED = 400

/** One SQLite file: a connection that writes and one that reads, so that nothing uncommitted is ever read. */
export function openSqlite(file: string, ledgerOf: (read: Db['read']) => Ledger = () => nothing): Db {
  const writer = connect(file)
  const reader = connect(file)
  const reads = statements(reader)
  const queue = commitQueue(connectionOf(writer), ledgerOf(read))

  return {
    dialect: sqlite,
    read,
    write: queue.write,
    async close() {
      await queue.idle()
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
}

/** The connection that writes, as the commit queue sees it. */
function connectionOf(writer: Database.Database): WriterConnection {
  const writes = statements(writer)
  return {
    async all(query) {
      return all(writes, query)
    },
    async run(query) {
      const { text, params } = render(query, sqlite.placeholder)
      return guarded(() => writes(text).run(...params.map(bound)).changes)
    },
    execute: (statement) => void writer.exec(statement),
    inTransaction: () => writer.inTransaction,
    explain: unavailable,
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
    ? fail(
        'server.unavailable',
        { why: 'The database cannot be written just now; the disk may be full.' },
        { headers: { 'Retry-After': '5' } },
      )
    : error
