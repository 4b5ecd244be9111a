import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { bucketOf, usesSqlite, type Config } from '../config.ts'
import { loggable } from '../http/connections/failures.ts'
import type { Log } from '../http/connections/serving.ts'
import { hasDatabase, LOCK } from '../store/files/data-directory.ts'
import type { Environment, Store } from '../store/ground/store.ts'
import { openStore, type Opening } from '../store/open.ts'
import { mustHaveDatabase } from '../store/schema/standing.ts'
import { lockDirectory } from '../store/sqlite/directory-lock.ts'

/* An installation that is open, with or without a server: commands that run without one load nothing of it. */

export const environment: Environment = { now: () => Date.now(), randomBytes: (count) => randomBytes(count) }

export interface Installation {
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

export const lock = (config: Config): (() => void) => (usesSqlite(config) ? lockDirectory(config.data) : () => undefined)

/** Opens the store. Calls `unlock` if that fails, and when the store is closed. */
export async function openLocked(
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

const nowhere: Log = { info: () => undefined, warn: () => undefined, error: () => undefined }

const replicaLog = (log: Log) => (replica: string, error?: Error) =>
  error ? log.warn({ replica, err: loggable(error) }, 'replica left out') : log.info({ replica }, 'replica answers')
