import { randomBytes } from 'node:crypto'
import { uptime } from 'node:os'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { usesSqlite, type Config } from './config.ts'
import { loggable } from './http/connections/failures.ts'
import { buildServer } from './http/server.ts'
import type { Log } from './http/connections/serving.ts'
import { deliverWebhooks, type Deliverer } from './deliveries/deliver.ts'
import { sweepChanges } from './store/changes/sweep-changes.ts'
import { sweepAudit } from './store/people/audit.ts'
import { fillChecksums } from './store/records/checksums.ts'
import { hasDatabase, LOCK } from './store/files/data-directory.ts'
import { lockDirectory } from './store/sqlite/directory-lock.ts'
import { firstAdministrator, type FirstAdministrator } from './store/people/first-administrator.ts'
import { sweepFiles } from './store/records/files.ts'
import { sweepAnswers } from './store/people/idempotency.ts'
import { leaps } from './store/upkeep/clock-leaps.ts'
import { openStore, type Opening } from './store/open.ts'
import { recordLedgers } from './store/ledgers.ts'
import { sweepDeliveries } from './store/webhooks/deliveries.ts'
import { rulesOf } from './webhooks/address.ts'
import { mustHaveDatabase } from './store/schema/standing.ts'
import type { Ledger } from './store/ground/db.ts'
import type { Environment, Store } from './store/ground/store.ts'
import { sweepTokens } from './store/people/tokens.ts'
import { purgeExpired } from './store/structure/trash.ts'

export type { Log }

/** Milliseconds between two rounds that erase what is old (trash, tokens, kept answers, audit log, bytes of files) and tend the indexes. */
const HOUSEKEEPING = 3_600_000

/** Milliseconds after the start at which work that is not urgent begins. */
const AFTER_START = 10_000

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
 * @throws `server.directory_in_use` if another process serves the directory
 */
export async function startServer(config: Config, log: Log): Promise<Application> {
  const unlock = lock(config)
  const opening = Promise.withResolvers<Store>()
  const server = buildServer({ store: opening.promise, environment, settings: config, log })
  let installation: Installation | undefined
  const delivering: { deliverer?: Deliverer } = {}
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
    opening.resolve(store)
    const stopHousekeeping = keepHouse(store, log)
    store.indexes.recheck()
    return {
      url,
      store,
      firstAdministrator: first,
      async close() {
        stopHousekeeping()
        // If other processes serve the same database, clients get time to change to them before their connections end.
        const ended = await Promise.allSettled([deliverer.close(), server.close(store.db.dialect.shared ? DRAIN : 0)])
        await close()
        for (const one of ended) if (one.status === 'rejected') throw one.reason
      },
    }
  } catch (error) {
    await delivering.deliverer?.close()
    await server.close()
    await installation?.close()
    throw error
  }
}

/** A ledger that writes nothing, and tells when records were changed. */
const whenCommitted = (committed: () => void): Ledger => ({ sendsAtOnce: true, beforeCommit: async () => {}, afterCommit: committed })

const nowhere: Log = { info: () => undefined, warn: () => undefined, error: () => undefined }

const replicaLog = (log: Log) => (replica: string, error?: Error) =>
  error ? log.warn({ replica, err: loggable(error) }, 'replica left out') : log.info({ replica }, 'replica answers')

function keepHouse(store: Store, log: Log): () => void {
  const { mayErase } = leaps(store, log.warn.bind(log))
  const round = async () => {
    if (await mayErase({ now: environment.now(), up: uptime() * 1000 })) {
      await purgeExpired(store)
      await sweepTokens(store)
      await sweepAnswers(store)
      await sweepAudit(store)
      await sweepChanges(store)
      await sweepDeliveries(store)
      await sweepFiles(store)
    }
    await store.indexes.keep()
  }
  let isStopped = false
  // Work that the end of the server interrupts is done after the next start, so it is not logged.
  const failed = (message: string) => (error: unknown) => {
    if (!isStopped) log.error({ err: loggable(error) }, message)
  }
  const timer = setInterval(() => void round().catch(failed('housekeeping failed')), HOUSEKEEPING)
  // Needed once, for a database of an older version without checksums.
  const filling = setTimeout(() => void fillChecksums(store.db).catch(failed('checksums failed')), AFTER_START)
  for (const one of [timer, filling]) one.unref()
  return () => {
    isStopped = true
    clearInterval(timer)
    clearTimeout(filling)
  }
}
