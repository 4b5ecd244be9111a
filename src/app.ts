import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { keepHouse } from './app/keep-house.ts'
import { observeHouse, observeJobs, observeProcess, observeStore, observeWebhooks } from './app/observe.ts'
import { officeOf } from './app/office.ts'
import { webPages } from './app/web-pages.ts'
import { requestNames } from './app/request-names.ts'
import { bucketOf, usesSqlite, type Config, type ShownSetting } from './config.ts'
import { loggable } from './http/connections/failures.ts'
import type { Pages } from './http/pages/pages.ts'
import { buildServer, type HttpServer } from './http/server.ts'
import type { HttpSettings, Log } from './http/connections/serving.ts'
import { deliverWebhooks, type Deliverer } from './deliveries/deliver.ts'
import { runJobs, type JobRunner } from './jobs/run-jobs.ts'
import type { Metrics } from './metrics/metrics.ts'
import { metricsRegistry } from './metrics/registry.ts'
import { hasDatabase, LOCK } from './store/files/data-directory.ts'
import { lockDirectory } from './store/sqlite/directory-lock.ts'
import { firstAdministrator, type FirstAdministrator } from './store/people/first-administrator.ts'
import { missingFiles } from './store/records/files.ts'
import { openStore, type Opening } from './store/open.ts'
import { recordLedgers } from './store/ledgers.ts'
import { rulesOf } from './webhooks/address.ts'
import { mustHaveDatabase } from './store/schema/standing.ts'
import type { Ledger } from './store/ground/db.ts'
import type { Environment, Store } from './store/ground/store.ts'

export type { Log }

/** If other processes serve the same database: the most milliseconds that new requests still get a 503 when this server stops. */
const DRAIN = 2_000

export const environment: Environment = { now: () => Date.now(), randomBytes: (count) => randomBytes(count) }

export interface Application {
  /** Such as http://127.0.0.1:3000. */
  readonly url: string
  readonly store: Store
  /** What to print about the administrator that the first start made. */
  readonly firstAdministrator: FirstAdministrator | undefined
  /** Refuses new requests, waits for running ones, and releases the data directory. */
  close(): Promise<void>
}

interface Installation {
  readonly store: Store
  close(): Promise<void>
}

/**
 * Opens an installation for a command that runs without a server. If there is none it is created, unless it `mustExist`. The data
 * directory is locked until the installation is closed; other processes may use a PostgreSQL database at the same time.
 */
export async function openInstallation(config: Config, log: Log = nowhere, mustExist = false): Promise<Installation> {
  if (mustExist && usesSqlite(config)) mustHoldOne(config.data)
  return openLocked(config, log, lock(config), { mustExist })
}

const lock = (config: Config): (() => void) => (usesSqlite(config) ? lockDirectory(config.data) : () => undefined)

/** Opens the store. Calls `unlock` if that fails, and when the store is closed. */
async function openLocked(
  config: Config,
  log: Log,
  unlock: () => void,
  how: Pick<Opening, 'mustExist' | 'serves' | 'ledgers'>,
): Promise<Installation> {
  const { data: directory, databaseUrl, distribution, replicaUrls } = config
  try {
    const store = await openStore({
      directory,
      databaseUrl,
      distribution,
      replicaUrls,
      bucket: bucketOf(config),
      onReplica: replicaLog(log),
      onFault: (what, error) => log.error({ err: loggable(error) }, what),
      onWarning: (what) => log.warn({}, what),
      environment,
      settings: config,
      ...how,
    })
    return {
      store,
      async close() {
        await store.close()
        unlock()
      },
    }
  } catch (error) {
    unlock()
    throw error
  }
}

/** Creates nothing in the directory, not even the lock. @throws `installation.missing`; `server.directory_in_use` while another process creates one */
function mustHoldOne(directory: string): void {
  if (!hasDatabase(directory) && existsSync(join(directory, LOCK))) lockDirectory(directory)()
  mustHaveDatabase(directory)
}

/**
 * Listens before it creates anything, so that nothing is left behind if the port is in use. Until the store is open, requests are
 * answered 503.
 * `shown`: the settings as administrators are told them.
 * @throws `server.directory_in_use` if another process serves the directory
 */
export async function startServer(config: Config, log: Log, shown: readonly ShownSetting[] = []): Promise<Application> {
  const office = officeOf(config)
  const unlock = lock(config)
  const opening = Promise.withResolvers<Store>()
  const metrics = metricsRegistry()
  observeProcess(metrics, performance.timeOrigin / 1000)
  const pages = config.pages === 'yes' ? webPages(log, { office }) : undefined
  const server = serverOf({ ...config, about: { version: versionOf(), settings: shown } }, log, opening.promise, metrics, pages)
  let installation: Installation | undefined
  const delivering: { deliverer?: Deliverer; jobs?: JobRunner } = {}
  try {
    const url = await server.listen(config.host, config.port).catch((error: unknown) => {
      unlock()
      throw error
    })
    const ledgers = [
      ...recordLedgers({ environment, settings: config }, !usesSqlite(config)),
      whenCommitted(() => delivering.deliverer?.committed()),
    ]
    installation = await openLocked(config, log, unlock, { serves: true, ledgers })
    const { store, close } = installation
    const first = await firstAdministrator(store)
    const deliverer = (delivering.deliverer = deliverWebhooks({ store, rules: rulesOf(config), log }))
    const jobs = (delivering.jobs = runJobs(store))
    const house = keepHouse(store, log)
    observeStore(metrics, store)
    observeWebhooks(metrics, deliverer)
    observeJobs(metrics, jobs)
    observeHouse(metrics, house)
    opening.resolve(store)
    store.indexes.recheck()
    void warnOfMissingFiles(store, log).catch((error: unknown) => log.error({ err: loggable(error) }, 'the files were not looked for'))
    return {
      url,
      store,
      firstAdministrator: first,
      async close() {
        house.stop()
        pages?.close()
        // If other processes serve the same database, clients get time to change to them before their connections end.
        const ended = await Promise.allSettled([deliverer.close(), jobs.close(), server.close(store.db.dialect.shared ? DRAIN : 0)])
        await close()
        for (const one of ended) if (one.status === 'rejected') throw one.reason
      },
    }
  } catch (error) {
    pages?.close()
    await delivering.deliverer?.close()
    await delivering.jobs?.close()
    await server.close()
    await installation?.close()
    throw error
  }
}

function serverOf(config: Config & HttpSettings, log: Log, store: Promise<Store>, metrics: Metrics, pages: Pages | undefined): HttpServer {
  const seconds = () => performance.now() / 1000
  return buildServer({
    store,
    environment,
    settings: config,
    log,
    metrics,
    seconds,
    newId: requestNames(environment),
    ...(pages && { pages }),
  })
}

/** A ledger that writes nothing, and tells when records were changed. */
const whenCommitted = (committed: () => void): Ledger => ({ sendsAtOnce: true, beforeCommit: async () => {}, afterCommit: committed })

/** Several processes over one database need one storage of files, and a copied database needs its files. */
async function warnOfMissingFiles(store: Store, log: Log): Promise<void> {
  await store.files.reach()
  const { missing, of } = await missingFiles(store)
  if (missing > 0) log.warn({ missing, of }, 'the storage of files lacks some that records name')
}

/** Of this program. */
const versionOf = (): string =>
  (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }).version

const nowhere: Log = { info: () => undefined, warn: () => undefined, error: () => undefined }

const replicaLog = (log: Log) => (replica: string, error?: Error) =>
  error ? log.warn({ replica, err: loggable(error) }, 'replica left out') : log.info({ replica }, 'replica answers')
