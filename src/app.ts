import { readFileSync } from 'node:fs'
import { environment, lock, openLocked, type Installation } from './app/installation.ts'
import { keepHouse } from './app/keep-house.ts'
import { observeHouse, observeJobs, observeProcess, observeStore, observeWebhooks } from './app/observe.ts'
import { officeOf } from './app/office.ts'
import { webPages } from './app/web-pages.ts'
import { requestNames } from './app/request-names.ts'
import { usesSqlite, type Config, type ShownSetting } from './config.ts'
import { loggable } from './http/connections/failures.ts'
import type { Pages } from './http/pages/pages.ts'
import { buildServer, type HttpServer } from './http/server.ts'
import type { HttpSettings, Log } from './http/connections/serving.ts'
import { deliverWebhooks, type Deliverer } from './deliveries/deliver.ts'
import { runJobs, type JobRunner } from './jobs/run-jobs.ts'
import type { Metrics } from './metrics/metrics.ts'
import { metricsRegistry } from './metrics/registry.ts'
import { firstAdministrator, type FirstAdministrator } from './store/people/first-administrator.ts'
import { missingFiles } from './store/records/files.ts'
import { recordLedgers } from './store/ledgers.ts'
import { rulesOf } from './webhooks/address.ts'
import type { Ledger } from './store/ground/db.ts'
import type { Store } from './store/ground/store.ts'

export type { Log }

/** If other processes serve the same database: the most milliseconds that new requests still get a 503 when this server stops. */
const DRAIN = 2_000

export interface Application {
  /** Such as http://127.0.0.1:3000. */
  readonly url: string
  readonly store: Store
  /** What to print about the administrator that the first start made. */
  readonly firstAdministrator: FirstAdministrator | undefined
  /** Refuses new requests, waits for running ones, and releases the data directory. */
  close(): Promise<void>
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
    // Whoever asks first would wait longer for a list than for the start.
    await store.pages.startAhead()
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
