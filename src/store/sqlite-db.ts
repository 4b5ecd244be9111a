import { MessageChannel } from 'node:worker_threads'
import Database from 'better-sqlite3'
import { fail } from '../errors.ts'
import type { Sql } from '../sql/sql.ts'
import { sqlite } from '../sql/sqlite.ts'
import { checkpoints } from './checkpoints.ts'
import { commitQueue, type WriterConnection } from './commit-queue.ts'
import type { Db, Invitation, Ledger, Row } from './db.ts'
import { welcome, type Host } from './guest-turns.ts'
import { movesOf, watch } from './watching.ts'
import { readingLanes } from './reading-lanes.ts'
import { writingAside } from './writing-aside.ts'
import { all, connect, insert, readAll, rendered, run, statements } from './sqlite-connection.ts'

export interface SqliteOptions {
  readonly ledgerOf?: (read: Db['read']) => Ledger
  /** Threads for reads that take long; 0: one less than the processor has cores. */
  readonly workers?: number
  /** Milliseconds after which such a read is given up. */
  readonly queryTimeout?: number
}

/** One SQLite file: a connection that writes and one that reads, so that nothing uncommitted is ever read. */
export function openSqlite(file: string, { ledgerOf = () => nothing, workers = 1, queryTimeout = 20_000 }: SqliteOptions = {}): Db {
  const writer = connect(file)
  const reader = connect(file)
  const reads = statements(reader)
  const readNow = (...queries: Sql[]): Row[][] => readAll(reader, reads, queries.map(rendered))
  const read: Db['read'] = async (...queries) => readNow(...queries)
  const ledger = ledgerOf(read)
  const aside = writingAside(file)
  const { committed, idle } = checkpoints(writer, aside.checkpoint)
  const queue = commitQueue({ ...connectionOf(writer), committed }, ledger)
  const watched: [number, string][] = []
  const host = { pause: queue.pause, ledger, hold: () => hold(reader) }
  const lanes = readingLanes(file, workers, queryTimeout)

  return {
    dialect: sqlite,
    read,
    readNow,
    readAside: (...queries) => lanes.read(queries.map(rendered)),
    write: queue.write,
    writeAside: (statements) => queue.pause(async () => aside.run((await statements()).map(rendered))),
    async watch(tableId, column) {
      await queue.write((tx) => watch(tx, tableId, column))
      watched.push([tableId, column])
    },
    invite: (version) => invite(file, { ...host, turn: () => ({ version: version(), watched }) }),
    async close() {
      await lanes.close()
      await queue.idle()
      await idle()
      await aside.close()
      reader.close()
      writer.pragma('wal_checkpoint(TRUNCATE)')
      writer.close()
    },
  }
}

/** The connection that writes, as the commit queue sees it. */
export function connectionOf(writer: Database.Database): WriterConnection {
  const prepare = statements(writer)
  return {
    all: async (query) => all(prepare, rendered(query)),
    run: async (query) => run(prepare, rendered(query)),
    insert: async (table, columns, rows) => insert(prepare, table, columns, rows),
    execute: (statement) => void writer.exec(statement),
    inTransaction: () => writer.inTransaction,
    moves: movesOf(writer),
    explain: unavailable,
  }
}

function invite(file: string, host: Host): Invitation {
  const { port1, port2 } = new MessageChannel()
  const signals = new Int32Array(new SharedArrayBuffer(8))
  welcome(host, port1, signals)
  return { file, port: port2, signals }
}

/** Begins what `Host.hold` says; until the function it returns is called, every read sees the same. */
function hold(reader: Database.Database): () => boolean {
  const version = () => reader.pragma('data_version', { simple: true })
  const before = version()
  reader.exec('BEGIN; SELECT 1 FROM sqlite_master LIMIT 1')
  return () => {
    reader.exec('COMMIT')
    return version() !== before
  }
}

/** For a database without records. */
const nothing: Ledger = { settle: async () => {}, settled: () => {} }

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
