import type { Dialect } from '../../sql/dialect.ts'
import type { MessagePort } from 'node:worker_threads'
import type { PackedColumn } from '../../sets/number-column.ts'
import type { PackedOrder } from '../../sets/order-parts.ts'
import type { PackedSet } from '../../sets/packed-set.ts'
import type { Param, Sql } from '../../sql/sql.ts'
import type { Asker } from '../model/asker.ts'
import type { RecordChange, Tally } from './changes.ts'

/** Values in the order of the select list. */
export type Row = readonly Param[]

/** Keeps something in step with the records, in the transactions that change them. store/ledgers.ts has the list. */
export interface Ledger {
  /**
   * Whether it asks for images. Then it is told also of what concerns no count: values that a conversion changes, and what is erased
   * with a field. Of records that go with their table nobody is told.
   */
  readonly images?: boolean
  /**
   * Whether `beforeCommit` sends all its statements in the turn in which it is called: then, over PostgreSQL, the COMMIT goes out with
   * them. Such a ledger undoes the transaction only by a statement that fails: what it throws besides comes too late, and the write is
   * reported as failed although it holds.
   */
  readonly sendsAtOnce?: boolean
  /** Changes of a transaction that is not `alone`, at most: over PostgreSQL, writes that share one and have more are run again one by one. */
  readonly mostTogether?: number
  /**
   * In the transaction, right before its COMMIT; of a write that changes many records, in parts: `before` says how many changes of the
   * transaction were told already. What it throws undoes the transaction.
   */
  beforeCommit(tx: Transaction, changes: readonly RecordChange[], before: number): Promise<void>
  /** On SQLite: what was told of the present transaction, by the thread that is called, does not hold. */
  undone?(): void
  /**
   * Before anybody reads what was committed, by this thread or by another of this process. `tallies`: without those told in parts. What
   * it throws is reported, and the write has succeeded.
   */
  afterCommit(tallies: readonly Tally[]): void
}

/** A ledger of a database to which a second thread of this process commits too (sqlite/write-lease.ts). */
export interface LocalLedger extends Ledger {
  /**
   * Before the other thread commits: from now on readers may see the change. `afterCommit` follows, with the same tallies, or with
   * none where the commit failed.
   */
  beforeOthersCommit(tallies: readonly Tally[]): void
}

/**
 * One write in progress; what it does happens wholly or not at all. The method says what a statement does: what is locked for it, and
 * where a new table lies, follows from that, and never from its text.
 */
export interface Transaction {
  /** Reads rows, and changes none. */
  all(query: Sql): Promise<Row[]>
  /** Changes rows; how many. */
  run(statement: Sql): Promise<number>
  /** Changes rows; what the statement returns of them (RETURNING). */
  runReturning(statement: Sql): Promise<Row[]>
  /** Makes this table by a CREATE TABLE, and places it on the servers where it belongs. */
  createTable(table: string, statement: Sql): Promise<void>
  /**
   * Changes or drops tables, columns, indexes and what belongs to them, or makes an index within the transaction; not while
   * another process does, or makes an index by `ServedDb.writeAside`: then the work is run again later.
   */
  alterStructure(statement: Sql): Promise<void>
  /** Adds rows to a table with a generated id; the ids, in the order of the rows. */
  insert(table: string, columns: readonly string[], rows: readonly Row[]): Promise<number[]>
  /** A part of the work that is undone alone where it throws; what it throws is thrown on. */
  attempt<T>(part: () => Promise<T>): Promise<T>
  /** Says what was done to a record, once it is done: ledgers are told right before the commit. */
  changed(change: RecordChange): void
  /** As `changed`, for more records than memory should hold until then: ledgers are told at once. For writes that are `alone`. */
  changedNow(changes: readonly RecordChange[]): Promise<void>
  /** Whether a ledger asks for images; what is needed for them alone is read only then. */
  readonly images: boolean
}

export interface Reader {
  /** Answers of all queries from one snapshot of what is committed when it is called. */
  read(...queries: Sql[]): Promise<Row[][]>
}

export interface AsideReader {
  /**
   * As `read`, for queries that may take long: other requests go on meanwhile, and the queries are stopped when the asker's client has
   * gone. The snapshot may be later than the call. Statements that read many records contain the dialect's `patience`.
   * @throws `server.query_timeout`, `server.busy`, Abandoned
   */
  readAside(by: Asker, ...queries: Sql[]): Promise<Row[][]>
  /** The same for queries that seldom take long, such as lists of a small table: tried at once, for a short time. */
  readLittle(by: Asker, ...queries: Sql[]): Promise<Row[][]>
}

/** How far the log of the database has come (LSN), and so how far a replica must have replayed it to answer a list. */
export interface LogProgress {
  /** Columns that a query selects besides, with the present LSN; empty where there are no replicas. */
  readonly columns: Sql
  /**
   * Takes the values of those columns. From then on, only replicas that have replayed the log up to there are read; they have the
   * structure of the catalogue in memory, if that is not newer than this version.
   */
  seen(version: number, values: Row): void
}

export interface WriteOptions {
  /** The write gets a transaction of its own: for changes of which no other write may see a part. */
  readonly alone?: boolean
  /** A change of structure that is not tried again where somebody reads the tables that it changes (PostgreSQL): it can be made later. */
  readonly yields?: boolean
  /**
   * The name of what the write changes, such as one record; '' for something new. The write reads nothing that a write with another
   * name could change, except unique values: so the statements of such writes may be interleaved. A write that fails then is run again
   * alone.
   */
  readonly apart?: string
  /**
   * Called in the transaction of a write that succeeded, after ledgers were told and right before the commit: the positions of its changes
   * are known then. It changes no record, and must not fail: that would undo the writes of others too.
   */
  readonly lastly?: (tx: Transaction) => Promise<void>
  /** Called right after the commit, before any promise of a write resolves. */
  readonly onCommit?: () => void
}

/** What another thread of this process is started with, so that it can write to the same SQLite file (store/sqlite/write-lease.ts). */
export interface WriterAccess {
  readonly file: string
  /** Over which both threads pass the write lease. */
  readonly port: MessagePort
  /** Two numbers in memory that both threads share: MAY_COMMIT and OTHERS_WAIT. */
  readonly flags: Int32Array
}

/** Another thread that has been let in to write. */
export interface AdmittedWriter {
  /** For the thread; its port is transferred. */
  readonly access: WriterAccess
  /** Resolves when the thread has closed its end and all that it wrote is known here, which may be after the thread has ended. */
  readonly ended: Promise<void>
}

/** A database as the store sees it. */
export interface Db extends Reader, AsideReader {
  readonly dialect: Dialect
  /** For lists: replicas that have replayed enough of the log, if any; else the database itself. */
  readonly forLists: Reader & AsideReader
  /**
   * Runs the work in a transaction of its own, or in a savepoint of a shared one (group commit). It is durable when the promise
   * resolves. If the work throws, it is undone and the promise rejects. After a conflict the work is run again, so it must have no effect
   * besides what it writes.
   */
  write<T>(work: (tx: Transaction) => Promise<T>, options?: WriteOptions): Promise<T>
  /** Gets ready for the first lists, where that takes a moment; once, however often it is called. */
  startAhead?(): Promise<void>
  close(): Promise<void>
}

/** Work that waits for its turn, and that runs. */
export interface Busy {
  readonly waiting: number
  readonly running: number
}

/** What a database has done since it was opened by this process, and what it has to do. */
export interface Load {
  /** Statements that were sent, but not the beginnings and ends of transactions. Of several that were gathered into one, that one. */
  readonly statements: { readonly read: number; readonly write: number }
  /** quick: reads aside in their first, short attempt; slow: those that take longer; write: writes, and the transactions that run them. */
  readonly queues: Readonly<Record<'quick' | 'slow' | 'write', Busy>>
}

/** A database that a process serves: it also makes and drops indexes. */
export interface ServedDb extends Db {
  /** As `read`, for one short statement that does not wait for others: it tells whether the database answers. */
  readApart(query: Sql): Promise<Row[]>
  load(): Load
  /**
   * Runs statements that take long, in a thread or on a connection of their own; reads and this thread go on. `statements` is called when
   * they can run. Resolves with the milliseconds for which other writes waited; 0 where they do not wait.
   */
  writeAside(statements: () => Promise<readonly Sql[]>): Promise<number>
  /** After work aside that has others wait: leaves the database to them, for the longer, up to so many milliseconds, the more they write. */
  readonly giveWay?: (milliseconds: number, isStopped: () => boolean) => Promise<void>
  /**
   * Runs statements that write temporary tables only, in one transaction; other writes go on. Statements of the next `writeAside` find these
   * tables, unless the thread has ended meanwhile. Not where there are no text indexes that need upkeep.
   */
  readonly prepareAside?: (statements: readonly Sql[]) => Promise<void>
}

/** What gives the ids of a set. */
export interface SetQuery {
  /** A query with the only column `id`. */
  readonly ids: Sql
  /** Ids of records that may be in it too: read with it, they are tested by whoever asks. */
  readonly untested?: Sql | undefined
  /** Where it looks through all records of a table for a piece in a text of each: slow reads of the same text are one pass then. */
  readonly scan?: { readonly table: string; readonly text: Sql; readonly piece: string } | undefined
}

/** What it gives. */
export interface ReadSet {
  readonly set: PackedSet
  readonly untested?: Uint32Array | undefined
}

/** SQLite, which runs in this process. */
export interface LocalDb extends ServedDb {
  /** As `read`, but synchronous. */
  readNow(...queries: Sql[]): Row[][]
  /** The same for a query that may take longer than the thread that serves has for it: undefined then. It contains the `patience` of the dialect. */
  readBriefly(query: Sql): Row[] | undefined
  /** As `readAside`: the ids that a query gives, as a set; of a snapshot that is not before the call. */
  readSetAside(by: Asker, query: SetQuery): Promise<ReadSet>
  /** The same in the order of the query; undefined: the ids are too far apart for that. */
  readOrderAside(by: Asker, ids: Sql): Promise<PackedOrder | undefined>
  /** The same of the whole numbers that it gives in its column `value`; undefined also where one is too wide. */
  readColumnAside(by: Asker, values: Sql): Promise<PackedColumn | undefined>
  /** Lets another thread write while this one does not (sqlite/import-writer.ts). `version`: of the catalogue. */
  admitWriter(version: () => number): AdmittedWriter
}

/** PostgreSQL, which several processes may share. */
export interface SharedDb extends ServedDb {
  readonly log: LogProgress
  /** As `readAside`, for what takes long as a rule: where few others read so long, it is not tried for a short time first. */
  readLong(by: Asker, ...queries: Sql[]): Promise<Row[][]>
}
