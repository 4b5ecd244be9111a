import { totalmem } from 'node:os'
import { constrainedMemory } from 'node:process'
import { join, resolve } from 'node:path'
import { fail } from '../errors.ts'
import { sql } from '../sql/sql.ts'
import { contextOf, localTime } from './ground/clock.ts'
import { commitSignal } from './ground/commits.ts'
import { DATABASE, mustBeFinished, mustHaveNoLog, unfinished, makeDirectory } from './files/data-directory.ts'
import type { Db, Ledger, SharedDb } from './ground/db.ts'
import type { Distribution } from './postgres/distribution.ts'
import type { OnFault } from './ground/fault.ts'
import type { FileStorage } from './files/file-storage.ts'
import { noteNamesOfAll } from './catalogue/hidden-names.ts'
import { indexes } from './indexes/indexes.ts'
import { continuePositions } from './changes/continue-positions.ts'
import { lowHorizon } from './changes/follow-changes.ts'
import { followCatalogue, keepCatalogue } from './catalogue/keep-catalogue.ts'
import { settlePhoneCountry } from './catalogue/phone-country.ts'
import { localFiles } from './files/local-files.ts'
import { migrate } from './schema/migrate.ts'
import type { ListKeeping } from './lists/keep-lists.ts'
import { keepLocal } from './lists/keep-local.ts'
import { randomText } from './ground/random-text.ts'
import { combineLedgers, recordLedgers } from './ledgers.ts'
import type { Bucket } from './s3/bucket.ts'
import { openSqlite } from './sqlite/database.ts'
import { mustBeInUse, mustHaveDatabase, standingOf, type Standing } from './schema/standing.ts'
import type { Environment, Store, StoreSettings, Uses } from './ground/store.ts'

export interface Opening {
  /** Holds the bytes of file fields and, without a database address, the database file; made where it is missing. */
  readonly directory: string
  /** Of a PostgreSQL; '' or left out: SQLite in the directory. */
  readonly databaseUrl?: string
  /** Over the servers of that PostgreSQL. */
  readonly distribution?: Distribution
  /** Servers that follow it. */
  readonly replicaUrls?: readonly string[]
  /** Told when one of them answers, and with an error when it is left out. */
  readonly onReplica?: (replica: string, error?: Error) => void
  /** Default: nobody is told. */
  readonly onFault?: OnFault
  /** Told of what the operator can mend. Default: nobody is told. */
  readonly onWarning?: (what: string) => void
  readonly environment: Environment
  readonly settings: StoreSettings
  /** Where the bytes of file fields are, if not in the folder `files` of the directory. */
  readonly bucket?: Bucket | undefined
  /** Instead of those. */
  readonly files?: FileStorage
  /** Told of every change of records, beside the counts of the engine; the thread of an import opens its own. Default: `recordLedgers`. */
  readonly ledgers?: readonly Ledger[]
  /** Nothing is begun where no installation is. */
  readonly mustExist?: boolean
  /** Whether it answers requests: then every statement that one of them waits for has a time limit. Commands read whole tables. */
  readonly serves?: boolean
}

const untold: OnFault = () => undefined

/** Milliseconds. */
const DAY = 86_400_000

/**
 * Opens an installation, bringing its database up to date. With SQLite the caller holds the directory's lock.
 * @throws `installation.missing`, `installation.moved`, `installation.leftover`, `restore.unfinished`, `migration.unfinished`,
 * `server.directory_read_only`, before anything is written
 */
export async function openStore(opening: Opening): Promise<Store> {
  const { directory, databaseUrl = '', distribution = '', environment, settings, files, onFault = untold } = opening
  if (distribution !== '' && databaseUrl === '')
    throw fail('database.distribution', { why: 'SQLite is one file; give KARTOTEKA_DATABASE_URL.' })
  if (!opening.mustExist) makeDirectory(directory)
  const commits = commitSignal()
  const { pagesOf, ...opened } =
    databaseUrl === '' ? await openAlone(opening, commits.ledger) : await openShared(databaseUrl, opening, commits.ledger)
  const { db, positions, catalogue } = opened
  const context = contextOf(environment, settings)
  const time = (daysAgo: number) => localTime(environment.now() - daysAgo * DAY, settings.timeZone)
  const own = indexes({ db, positions, catalogue, time, onFault })
  const store: Store = {
    ...opened,
    writeAside: db.writeAside,
    readApart: db.readApart,
    load: db.load,
    indexes: own,
    pages: pagesOf({ catalogue, context, indexes: own }),
    files: files ?? (await openFiles(directory, opening.bucket)),
    environment,
    settings,
    context,
    onFault,
    onCommit: commits.onCommit,
    instance: await instanceOf(db, environment),
    isNew: opened.isNew,
    async restructure(work) {
      const result = await opened.restructure(work)
      own.recheck()
      return result
    },
    close: () => own.stop().then(db.close),
  }
  await noteNamesOfAll(db)
  await own.load()
  return store
}

/** The bytes of file fields: in the bucket, if there is one, else in the directory. */
export async function openFiles(directory: string, bucket: Bucket | undefined): Promise<FileStorage> {
  return bucket ? (await import('./s3/s3-files.ts')).s3Files(bucket, directory) : localFiles(join(directory, 'files'))
}

/** What lists are answered with, besides the database. */
type ForLists = Uses<'indexes' | 'context' | 'catalogue'>

async function openAlone(
  {
    directory,
    mustExist = false,
    serves = false,
    onFault = untold,
    environment,
    settings,
    ledgers = recordLedgers({ environment, settings }, false),
  }: Opening,
  signal: Ledger,
) {
  const { workers, queryTimeout } = settings
  if (mustExist) mustHaveDatabase(directory)
  await mustBeFinished(directory)
  mustHaveNoLog(directory)
  let keeping: ReturnType<typeof keepLocal> | undefined
  const ledgerOf = (read: Db['read']) =>
    combineLedgers((keeping = keepLocal(read, listLimits(settings), onFault)).ledger, [...ledgers, signal], onFault)
  const db = openSqlite(join(directory, DATABASE), { ledgerOf, workers, queryTimeout, onFault })
  // They load while the rest is opened.
  if (serves) void db.startAhead?.()
  try {
    const isNew = await isToBegin(db, mustExist, resolve(directory), '--data or KARTOTEKA_DATA')
    await migrate(db)
    await settlePhoneCountry(db, serves || isNew ? settings.phoneCountry : undefined)
    const kept = await keepCatalogue(db)
    const admitWriter = () => db.admitWriter(() => kept.catalogue().version)
    const { positions, pages } = keeping!
    return { db, positions, pagesOf: (parts: ForLists) => pages({ db, ...parts }), admitWriter, isNew, ...kept }
  } catch (error) {
    await db.close()
    throw error
  }
}

/** If the setting does not say, sets may take a part of the memory of the machine, or of the container. */
const listLimits = ({ listMemory = 0, listedFrom = 1_000 }: StoreSettings) => ({
  most: listMemory > 0 ? listMemory * MIB : Math.min(256 * MIB, Math.floor(Math.min(totalmem(), constrainedMemory() || Infinity) / 8)),
  least: listedFrom,
})
const MIB = 2 ** 20

async function openShared(url: string, opening: Opening, signal: Ledger) {
  const {
    distribution = '',
    replicaUrls = [],
    onReplica,
    onFault = untold,
    onWarning = () => undefined,
    mustExist = false,
    serves = false,
    environment,
    settings,
    ledgers = recordLedgers({ environment, settings }, true),
  } = opening
  const { queryTimeout } = settings
  // Loaded only here: most installations never need it.
  const [{ openPostgres, withTrigrams }, { atStart }, { keepShared, keepDistributed }, { mustFit }, { mustBeOurs }] = await Promise.all([
    import('./postgres/database.ts'),
    import('./postgres/address.ts'),
    import('./lists/keep-shared.ts'),
    import('./postgres/distribution.ts'),
    import('./postgres/foreign-tables.ts'),
  ])
  let keeping: ListKeeping<SharedDb> | undefined
  const { follower, keep } = followCatalogue()
  const keepingOf = distribution === '' ? keepShared : keepDistributed
  const ledgerOf = (write: Db['write']) =>
    combineLedgers((keeping = keepingOf(write, listLimits(settings), onFault)).ledger, [...ledgers, signal], onFault)
  const plain = openPostgres(url, { follower, ledgerOf, queryTimeout, serves, replicaUrls, onReplica, distribution })
  try {
    await mustFit(plain, distribution, replicaUrls.length)
    await mustBeOurs(plain)
    const isNew = await isToBegin(plain, mustExist, withoutSecrets(url), 'KARTOTEKA_DATABASE_URL')
    await migrate(plain)
    await continuePositions(plain)
    await settlePhoneCountry(plain, serves || isNew ? settings.phoneCountry : undefined)
    const kept = await keep(plain, lowHorizon)
    const db = await withTrigrams(plain, onFault, onWarning)
    const { positions, pages } = keeping!
    return { db, positions, pagesOf: (parts: ForLists) => pages({ db, ...parts }), admitWriter: undefined, isNew, ...kept }
  } catch (error) {
    await plain.close()
    throw atStart(error)
  }
}

/** Whether there is nothing yet. @throws what says why what is there must not be opened */
async function isToBegin(db: Db, mustExist: boolean, place: string, setting: string): Promise<boolean> {
  const standing = await standingOf(db)
  mustBeInUse(standing)
  if (mustExist && !standing.isThere) throw fail('installation.missing', { place, setting })
  return !standing.isThere
}

/** An address as it may be shown: the server and the database. */
export const withoutSecrets = (url: string): string => url.replace(/\?.*$/s, '').replace(/:\/\/[^@]*@/, '://')

async function instanceOf(db: Db, environment: Environment): Promise<string> {
  const read = async () => (await db.read(sql`SELECT value FROM meta WHERE name = 'instance'`))[0]![0]?.[0]
  // Several nodes may open a new database at once: the first one names it.
  if ((await read()) === undefined) {
    const name = randomText({ environment }, 8)
    await db.write((tx) => tx.run(sql`INSERT INTO meta (name, value) VALUES ('instance', ${name}) ON CONFLICT (name) DO NOTHING`))
  }
  return String(await read())
}

/**
 * Brings an older database up to date, and nothing else: what an installation is brought to, or from. An empty one is laid out as
 * `wanted`, and marked before anything is in it; or refused where it must not be empty.
 * @throws `installation.missing`, `installation.leftover`, `restore.unfinished`, `migration.unfinished`
 */
export async function openDatabase(address: string, directory: string, wanted: Distribution = '', mustExist = false): Promise<Db> {
  const isSqlite = address === 'sqlite'
  if (isSqlite && mustExist) {
    mustHaveDatabase(directory)
    await mustBeFinished(directory)
  }
  if (isSqlite && (await unfinished(directory))?.command === 'restore') throw fail('restore.unfinished')
  if (isSqlite) mustHaveNoLog(directory)
  const db = isSqlite ? openSqlite(join(directory, DATABASE)) : await openAddress(address, wanted)
  try {
    const { isThere, isComing } = await standingOf(db)
    if (mustExist && isComing) throw fail('migration.unfinished')
    if (mustExist && !isThere) throw fail('installation.missing', { place: withoutSecrets(address), setting: '--from' })
    await migrate(db, isThere ? 'allowed' : 'begun')
    return db
  } catch (error) {
    await db.close()
    throw error
  }
}

async function openAddress(url: string, wanted: Distribution): Promise<Db> {
  const [{ openPostgres }, { atStart }, { distributionOf, mustFit }, { mustBeOurs }] = await Promise.all([
    import('./postgres/database.ts'),
    import('./postgres/address.ts'),
    import('./postgres/distribution.ts'),
    import('./postgres/foreign-tables.ts'),
  ])
  const plain = openPostgres(url)
  try {
    const distribution = await distributionOf(plain, wanted)
    await mustFit(plain, distribution, 0)
    await mustBeOurs(plain)
    return openPostgres(url, { distribution })
  } catch (error) {
    throw atStart(error)
  } finally {
    await plain.close()
  }
}

/** What a store is; of the database in a directory, without doing anything to it. */
export async function standingAt(store: Db | 'sqlite', directory = ''): Promise<Standing> {
  if (store !== 'sqlite') return standingOf(store)
  const db = openSqlite(join(directory, DATABASE))
  try {
    return await standingOf(db)
  } finally {
    await db.close()
  }
}
