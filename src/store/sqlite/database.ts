import { MessageChannel } from 'node:worker_threads'
import Database from 'better-sqlite3'
import { fail, Failure } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { sql, type Sql } from '../../sql/sql.ts'
import { sqlite } from '../../sql/sqlite.ts'
import { checkpoints } from './checkpoints.ts'
import { commitQueue, type WriterConnection } from './commit-queue.ts'
import type { AdmittedWriter, AsideReader, Db, LocalDb, LocalLedger, Row, SetQuery } from '../ground/db.ts'
import type { OnFault } from '../ground/fault.ts'
import { lendTo, type Lender } from './write-lease.ts'
import { slowStatements, type SlowStatements } from '../scheduling/slow-statements.ts'
import { scanOf } from './piece-scan.ts'
import { readingThreads, type ReadingThreads } from './reading-threads.ts'
import { writingAside } from './writing-aside.ts'
import { writingTime } from './writing-time.ts'
import { all, connect, insert, readAll, rendered, run, statements as prepared, type Prepare, type Rendered } from './connection.ts'
import { keepTime, TimeLimitReached } from './time-limit.ts'

export interface SqliteOptions {
  readonly ledgerOf?: (read: Db['read']) => LocalLedger
  /** Threads for reads that take long; 0: one less than the processor has cores. */
  readonly workers?: number
  /** Milliseconds after which such a read is given up. */
  readonly queryTimeout?: number
  readonly onFault?: OnFault
}

/** The most characters of a statement that the thread that serves prepares. Preparing takes time in proportion to them, with no time limit. */
const LONGEST_HERE = 65_536

/** Opens a SQLite file: a connection that writes and one that reads, so that nothing uncommitted is read. */
export function openSqlite(file: string, options: SqliteOptions = {}): LocalDb {
  const { ledgerOf = () => nothing, workers = 1, queryTimeout = 20_000, onFault = () => undefined } = options
  const [writer, reader] = opened(file)
  // It reads little at a time, and the file is in the memory of the operating system.
  reader.pragma('cache_size = -4000')
  const reads = prepared(reader)
  const statements = { read: 0, write: 0 }
  const readNow = (...queries: Sql[]): Row[][] => {
    statements.read += queries.length
    return readAll(reader, reads, queries.map(rendered))
  }
  const read: Db['read'] = async (...queries) => readNow(...queries)
  const ledger = ledgerOf(read)
  const aside = writingAside(file)
  const { committed, idle } = checkpoints(writer, aside.checkpoint, onFault)
  const { timed, giveWay } = writingTime()
  const queue = commitQueue({ ...connectionOf(writer, statements), committed }, ledger, timed)
  // In these pauses another thread writes, such as that of an import.
  const pause: typeof queue.pause = (work, onWaiting) => queue.pause(() => timed(work), onWaiting)
  const lender = { pause, ledger, pinSnapshot: () => pinSnapshot(reader) }
  const threads = readingThreads(file, workers, queryTimeout)
  const tooMuchHere = slowStatements()
  const here = briefReads(reader, reads)
  const { readAside, readLittle } = readsAside(threads, here, tooMuchHere, statements)

  return {
    dialect: sqlite,
    read,
    readNow,
    readBriefly(query) {
      statements.read++
      return here([rendered(query)])?.[0]
    },
    readAside,
    readLittle,
    readSetAside: (by, query) => threads.readSet(by, textsOf(query), query.scan && scanOf(query.scan)),
    readOrderAside: (by, ids) => threads.readOrder(by, rendered(asText(ids))),
    readColumnAside: (by, values) => threads.readColumn(by, rendered(asText(values, sql`id || ' ' || value`))),
    forLists: { read, readAside, readLittle },
    readApart: async (query) => readNow(query)[0]!,
    startAhead: threads.startAhead,
    load: () => ({ statements: { ...statements }, queues: { ...threads.load(), write: queue.load() } }),
    write: queue.write,
    writeAside: (asked) => queue.pause(async () => aside.run((await asked()).map(rendered))),
    giveWay: async (milliseconds, isStopped) => (queue.load().waiting > 0 ? giveWay(milliseconds, isStopped) : undefined),
    prepareAside: (asked) => aside.prepare(asked.map(rendered)),
    admitWriter: (version) => admitWriter(file, { ...lender, lease: () => ({ version: version() }) }),
    async close() {
      tooMuchHere.close()
      await threads.close()
      await queue.idle()
      await idle()
      await aside.close()
      reader.close()
      takeInLog(writer)
      writer.close()
    },
  }
}

function readsAside(threads: ReadingThreads, here: BriefReads, tooMuchHere: SlowStatements, count: { read: number }): AsideReader {
  return {
    readAside(by, ...queries) {
      count.read += queries.length
      return threads.read(by, queries.map(rendered))
    },
    async readLittle(by, ...queries) {
      count.read += queries.length
      const asked = queries.map(rendered)
      const statement = asked.map(({ text }) => text).join('\n')
      if (statement.length <= LONGEST_HERE && !tooMuchHere.has(statement)) {
        const answers = here(asked)
        if (answers) return answers
        tooMuchHere.add(statement)
      }
      return threads.read(by, asked)
    },
  }
}

/** The ids that a query gives, in its order, or what else is `told` of each row, as one text: it passes from the engine faster than rows. */
const asText = (rows: Sql, told = sql`id`): Sql => sql`SELECT CAST(group_concat(${told}) AS BLOB) FROM (${rows}) AS found`

const textsOf = ({ ids, untested }: SetQuery) => [ids, ...(untested ? [untested] : [])].map((one) => rendered(asText(one)))

type BriefReads = (queries: readonly Rendered[]) => Row[][] | undefined

/** Reads at once, for a short time. Undefined if the time is not enough. */
function briefReads(reader: Database.Database, reads: Prepare): BriefReads {
  const within = keepTime(reader)
  return (queries) => {
    try {
      return within(limits.servingMoment.most, limits.servingTexts.most, () => readAll(reader, reads, queries))
    } catch (error) {
      if (error instanceof TimeLimitReached) return undefined
      throw error
    }
  }
}

function opened(file: string): readonly [writer: Database.Database, reader: Database.Database] {
  try {
    return [connect(file), connect(file)]
  } catch (error) {
    throw unavailable(error)
  }
}

/** A last checkpoint. If the disk is full, the log stays, and the next process that opens the database reads it. */
function takeInLog(writer: Database.Database): void {
  try {
    writer.pragma('wal_checkpoint(TRUNCATE)')
  } catch (error) {
    if (!(unavailable(error) instanceof Failure)) throw error
  }
}

/** The connection that writes, as the commit queue sees it. `count`: counts its statements. */
export function connectionOf(writer: Database.Database, count = { write: 0 }): WriterConnection {
  const prepare = prepared(writer)
  const within = keepTime(writer)
  async function rowsOf(query: Sql): Promise<Row[]> {
    count.write++
    try {
      return within(limits.writingMoment.most, Infinity, () => all(prepare, rendered(query)))
    } catch (error) {
      throw error instanceof TimeLimitReached ? fail('server.query_timeout', { seconds: limits.writingMoment.most / 1000 }) : error
    }
  }
  function runNow(statement: Sql): number {
    count.write++
    return run(prepare, rendered(statement))
  }
  return {
    all: rowsOf,
    runReturning: rowsOf,
    run: async (statement) => runNow(statement),
    createTable: async (_, statement) => void runNow(statement),
    alterStructure: async (statement) => void runNow(statement),
    async insert(table, columns, rows) {
      count.write++
      return insert(prepare, table, columns, rows)
    },
    execute: (statement) => void run(prepare, { text: statement, params: [] }),
    inTransaction: () => writer.inTransaction,
    explain: unavailable,
  }
}

function admitWriter(file: string, lender: Lender): AdmittedWriter {
  const { port1, port2 } = new MessageChannel()
  const flags = new Int32Array(new SharedArrayBuffer(8))
  return { access: { file, port: port2, flags }, ended: lendTo(port1, flags, lender) }
}

/** Lets all reads use one snapshot until the returned function is called. That function returns whether anything was committed meanwhile. */
function pinSnapshot(reader: Database.Database): () => boolean {
  const version = () => reader.pragma('data_version', { simple: true })
  const before = version()
  reader.exec('BEGIN; SELECT 1 FROM sqlite_master LIMIT 1')
  return () => {
    reader.exec('COMMIT')
    return version() !== before
  }
}

/** For a database without records. */
const nothing: LocalLedger = { beforeCommit: async () => {}, afterCommit: () => {}, beforeOthersCommit: () => {} }

/** SQLITE_FULL is a full disk; the others occur where a quota or another limit is reached. */
const isFull = (code: string): boolean => /^SQLITE_(FULL|IOERR_(WRITE|SHMSIZE))$/.test(code)

function unavailable(error: unknown): unknown {
  if (!(error instanceof Database.SqliteError)) return error
  if (isFull(error.code)) return Object.assign(fail('server.disk_full'), { cause: error })
  if (!/^SQLITE_(IOERR|READONLY|CANTOPEN|BUSY)/.test(error.code)) return error
  return Object.assign(fail('server.unavailable', { why: 'The database cannot be written just now.' }), { cause: error })
}
