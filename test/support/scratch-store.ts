import { mkdtempSync, rmSync } from 'node:fs'
import { randomBytes as nodeRandomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FileStorage } from '../../src/store/files/file-storage.ts'
import type { Distribution } from '../../src/store/postgres/distribution.ts'
import { openStore } from '../../src/store/open.ts'
import type { Environment, Store, StoreSettings } from '../../src/store/ground/store.ts'
import type { Ledger } from '../../src/store/ground/db.ts'
import { cluster, distribution as ofThisRun, layOutFile, scratchDatabase } from './scratch-database.ts'

/**
 * An installation, new in a directory of its own unless one is named, with a clock that stands still until it is moved: on
 * SQLite, or on PostgreSQL where the run is about that.
 */
export async function scratchStore(
  settings: Partial<StoreSettings> = {},
  chosen?: string,
  files?: (directory: string) => FileStorage,
): Promise<{ store: Store; clock: { now: number }; directory: string; faults: string[]; remove(): Promise<void> }> {
  const { directory, clock, faults, open, remove } = await scratchInstallation(settings, {
    files,
    ...(chosen !== undefined && { directory: chosen }),
  })
  const store = await open()
  return {
    store,
    clock,
    directory,
    faults,
    async remove() {
      await store.close()
      await remove()
    },
  }
}

interface Particulars {
  /** Default: PostgreSQL where the run is about that. */
  readonly engine?: 'sqlite' | 'postgres'
  readonly randomBytes?: Environment['randomBytes']
  /** A database of the test's own. */
  readonly url?: string
  readonly distribution?: Distribution
  readonly replicaUrls?: readonly string[]
  readonly directory?: string
  readonly ledgers?: readonly Ledger[]
  /** The storage of files. */
  readonly files?: ((directory: string) => FileStorage) | undefined
}

/** The same, opened as often as one likes: one after the other, or with PostgreSQL several at once. */
export async function scratchInstallation(
  settings: Partial<StoreSettings> = {},
  {
    engine = cluster === undefined ? 'sqlite' : 'postgres',
    randomBytes = (count) => nodeRandomBytes(count),
    url,
    distribution,
    replicaUrls = [],
    ledgers,
    files,
    directory: chosen,
  }: Particulars = {},
) {
  const database =
    url !== undefined ? { url, drop: async () => undefined } : engine === 'sqlite' ? undefined : await scratchDatabase({ isLaidOut: true })
  const directory = chosen ?? mkdtempSync(join(tmpdir(), 'kartoteka-store-'))
  const clock = { now: Date.UTC(2024, 4, 1, 9, 30, 15) }
  /** What the store reported of work beside requests. */
  const faults: string[] = []
  const environment = { now: () => clock.now, randomBytes }
  const day = 86_400
  return {
    directory,
    clock,
    faults,
    async open(): Promise<Store> {
      if (database === undefined && chosen === undefined) layOutFile(directory)
      return openStore({
        directory,
        databaseUrl: database?.url ?? '',
        distribution: distribution ?? (database === undefined ? '' : ofThisRun),
        replicaUrls,
        onFault: (what, error) => void faults.push(`${what}: ${(error as Error).message}`),
        ...(ledgers && { ledgers }),
        ...(files && { files: files(directory) }),
        environment,
        serves: true,
        settings: {
          timeZone: 'UTC',
          trashDays: 30,
          auditDays: 365,
          changeDays: 365,
          deliveryDays: 30,
          jobDays: 30,
          webhookHttp: 'yes',
          webhookNetworks: ['127.0.0.0/8'],
          tokenLifetime: day / 2,
          tokenLifetimeMax: 30 * day,
          linkLifetimeMax: day,
          workers: 1,
          listedFrom: 1,
          queryTimeout: 20_000,
          ...settings,
        },
      })
    },
    async remove() {
      await database?.drop()
      rmSync(directory, { recursive: true })
    },
  }
}
