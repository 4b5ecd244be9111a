import type { Dialect } from '../../sql/dialect.ts'
import type { MessagePort } from 'node:worker_threads'
import type { Param, Sql } from '../../sql/sql.ts'
import type { Asker } from '../model/asker.ts'

/** Values in the order of the select list. */
export type Row = readonly Param[]

/** A record that came (+1), went (-1) or changed (0). */
export interface Tally {
  readonly tableId: number
  readonly recordId: number
  readonly change: 1 | 0 | -1
}

/** What a list can be sorted by: text, or a whole number. */
export type Key = string | bigint

/** Where a record stood in the order of a watched column, and where it stands; undefined before it came and after it went. */
export interface Move {
  readonly tableId: number
  readonly column: string
  readonly id: number
  readonly before: Key | undefined
  readonly after: Key | undefined
}

/** What the engine does with the tallies of a transaction (store/lists/positions.ts). */
export interface Ledger {
  settle(tx: Transaction, tallies: readonly Tally[]): Promise<void>
  settled(tallies: readonly Tally[], moves: readonly Move[]): void
  /** Before another thread commits, which others may see before `settled` tells of it; that follows, with nothing where it failed. */
  announced?(tallies: readonly Tally[]): void
}

/** One write in progress; what it does happens wholly or not at all. */
export interface Transaction {
  all(query: Sql): Promise<Row[]>
  /** Number of rows changed. */
  run(query: Sql): Promise<number>
  /** Adds rows to a table with a generated id; the ids, in the order of the rows. */
  insert(table: string, columns: readonly string[], rows: readonly Row[]): Promise<number[]>
  /** Says what became of a record; totals are settled once, right before the commit. */
  tally(one: Tally): void
}

export interface Reader {
  /** Answers of all queries from one snapshot of what is committed when it is called. */
  read(...queries: Sql[]): Promise<Row[][]>
}

export interface AsideReader {
  /**
   * As `read`, for queries that may take long: they hold up nobody else, and end when nobody waits for them. The snapshot may
   * be later than the call. Records are looked through under the dialect's `patience`.
   * @throws `server.query_timeout`, `server.busy`, Abandoned
   */
  readAside(by: Asker, ...queries: Sql[]): Promise<Row[][]>
  /** The same for queries that hardly ever take long, such as lists of a small table: tried at once. */
  readLittle(by: Asker, ...queries: Sql[]): Promise<Row[][]>
}

/** Copies of the database on other servers. They answer where they may, the database itself where they do not. */
export interface Replicas extends Reader, AsideReader {
  /** Columns more of a statement: how far the database has come. */
  readonly position: Sql
  /**
   * What such a statement answered. From then on, what replicas show is at least as new; and so is the structure, if the
   * catalogue in memory is not newer than this version.
   */
  seen(version: number, position: Row): void
}

export interface WriteOptions {
  /** Shares its transaction with no other write: for changes that others must not meet half-way. */
  readonly alone?: boolean
  /**
   * The name of what it changes, such as one record; '' for something new. It looks at nothing that such work under another
   * name could change meanwhile but unique values: so it may run between the statements of its like. Whatever fails there
   * is run again by itself.
   */
  readonly apart?: string
  /** Called right after the commit, before anybody hears of it. */
  readonly onCommit?: () => void
}

/** How another thread is let in to write as a guest (store/sqlite/writing-turns.ts): what it is started with. */
export interface Invitation {
  readonly file: string
  readonly port: MessagePort
  /** Numbers that both threads see (store/sqlite/writing-turns.ts). */
  readonly signals: Int32Array
}

/** Another thread as a guest. */
export interface Guest {
  /** For the thread; its port is transferred. */
  readonly invitation: Invitation
  /** Resolves when the guest has gone and all it has written is known here, which may be after its thread has ended. */
  readonly gone: Promise<void>
}

/** A database as the store sees it: SQLite in this process, PostgreSQL behind a pool. */
export interface Db extends Reader, AsideReader {
  readonly dialect: Dialect
  /**
   * Runs the work alone, in a transaction of its own or a savepoint of a shared one; durable on disk when the promise
   * resolves (group commit). What the work throws undoes it and rejects the promise. Work may be run again where others
   * got in its way, so it changes nothing but what it writes.
   */
  write<T>(work: (tx: Transaction) => Promise<T>, options?: WriteOptions): Promise<T>
  /**
   * Where the engine is in this process: runs statements in one transaction of a thread of its own. Other writes wait;
   * reads and this thread do not. They are asked for when their turn has come. Resolves with the milliseconds it took.
   */
  readonly writeAside?: (statements: () => Promise<readonly Sql[]>) => Promise<number>
  /** Where there are any: for what lists show. */
  readonly replicas?: Replicas
  /** Where the engine can tell of them: moves of the column's records, from the next commit on. */
  readonly watch?: (tableId: number, column: string) => Promise<void>
  /** Where the engine is in this process: as `read`, in this very turn. */
  readonly readNow?: (...queries: Sql[]) => Row[][]
  /** Where the engine is in this process: lets another thread write in turns with this one (store/sqlite/import-writer.ts). */
  readonly invite?: (version: () => number) => Guest
  close(): Promise<void>
}
