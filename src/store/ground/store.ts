import type { ValueContext } from '../../fields/field-type.ts'
import type { Catalogue } from '../model/catalogue.ts'
import type { AdmittedWriter, Db, ServedDb, Transaction } from './db.ts'
import type { Commits } from './commits.ts'
import type { FileStorage } from '../files/file-storage.ts'
import type { OnFault } from './fault.ts'
import type { Indexes } from './indexes.ts'
import type { Pages } from './pages.ts'
import type { Positions } from './positions.ts'

/** Time and random bytes. Tests pass fixed ones. */
export interface Environment {
  /** Milliseconds since 1970. */
  now(): number
  /** Cryptographically random bytes. */
  randomBytes(count: number): Uint8Array
}

/** The settings that the store takes (config.ts). */
export interface StoreSettings {
  /** IANA zone of add_time and of date-times sent with an offset. */
  readonly timeZone: string
  readonly trashDays: number
  readonly auditDays: number
  readonly changeDays: number
  readonly deliveryDays: number
  readonly jobDays: number
  /** `yes`: webhooks may be sent to http addresses too. */
  readonly webhookHttp: string
  /** Networks that webhooks may be sent to although they are not public. */
  readonly webhookNetworks: readonly string[]
  /** Seconds: the default lifetime of a token, and the longest that a request can ask for. */
  readonly tokenLifetime: number
  readonly tokenLifetimeMax: number
  /** Seconds: the longest lifetime of a signed link. */
  readonly linkLifetimeMax: number
  /** Threads for reads that take long; 0: one less than the processor has cores. */
  readonly workers: number
  /** Milliseconds after which a read is given up. */
  readonly queryTimeout: number
  /** MiB of memory for sets and orders of lists; 0 or left out: an eighth of the machine's, at most 256. */
  readonly listMemory?: number
  /** Records of a table from which on its lists are answered from sets (lists/set-list-reader.ts); tests have it lower than 1,000. */
  readonly listedFrom?: number
  /** The country by whose rules telephone numbers are compared; '': none. Left out: that which is kept. */
  readonly phoneCountry?: string
}

/** What values and filters depend on besides the structure. */
export interface StoreContext extends ValueContext {
  /** The present second in the zone of the instance, YYYY-MM-DD HH:MM:SS. */
  now(): string
}

/** The installation: its database, files and structure. Functions of store/ take the parts they use as their first argument. */
export interface Store {
  readonly db: Db
  /** That of the database: what takes long, in a thread or on a connection of its own. */
  readonly writeAside: ServedDb['writeAside']
  /** Those of the database. */
  readonly readApart: ServedDb['readApart']
  readonly load: ServedDb['load']
  readonly positions: Positions
  readonly pages: Pages
  readonly indexes: Indexes
  readonly files: FileStorage
  readonly environment: Environment
  readonly settings: StoreSettings
  readonly context: StoreContext
  readonly onFault: OnFault
  /** Calls a function after each commit of this process. Returns how to end that. */
  readonly onCommit: Commits['onCommit']
  /** A random name, changed by restoring a backup: versions of records go back then, and ETags from before must not match. */
  readonly instance: string
  /** Whether the installation was created by opening it. */
  readonly isNew: boolean
  /** The structure and rights as they are now; where other processes write too, as they were at the last `catchUp`. */
  catalogue(): Catalogue
  /** Brings the catalogue up to date with what other processes have committed. Called at the beginning of every request; undefined where there are none. */
  readonly catchUp: (() => Promise<void>) | undefined
  /** A position of the log of changes, up to which everything was committed at the last `catchUp`; undefined where there are no other processes. */
  readonly caughtUpTo: (() => number) | undefined
  /**
   * A write that changes structure or rights. When the promise resolves, the new catalogue counts for every request, and what was
   * remembered by the old one is not used any more.
   */
  restructure<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /**
   * A write that changes users or tokens and nothing else of the catalogue. As `restructure`, but no process reads the structure
   * again: every user can cause it by changing their own token.
   */
  changePeople<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** Lets another thread write records while this one does not; undefined where a thread would connect by itself. */
  readonly admitWriter: (() => AdmittedWriter) | undefined
  close(): Promise<void>
}

/** The parts of a store that a function takes. */
export type Uses<K extends keyof Store> = Pick<Store, K>

/** What writing records takes: a thread that imports has no more. */
export type WritingStore = Uses<'db' | 'files' | 'environment' | 'settings' | 'context' | 'catalogue' | 'close'>
