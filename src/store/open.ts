import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from '../sql/sql.ts'
import type { Catalogue } from './catalogue.ts'
import { localTime } from './clock.ts'
import type { Db } from './db.ts'
import type { FileStorage } from './file-storage.ts'
import { indexes } from './indexes.ts'
import { listMemory } from './list-memory.ts'
import { loadCatalogue } from './load-catalogue.ts'
import { localFiles } from './local-files.ts'
import { migrations } from './migrations/index.ts'
import { positions, type Positions } from './positions.ts'
import { randomText } from './random-text.ts'
import { ranks, type Ranks } from './ranks.ts'
import { openSqlite } from './sqlite-db.ts'
import type { Environment, Store, StoreSettings } from './store.ts'

export interface Opening {
  /** Holds the database file and the bytes of file fields; made where it is missing. */
  readonly directory: string
  readonly environment: Environment
  readonly settings: StoreSettings
  /** Default: the folder `files` of the directory. */
  readonly files?: FileStorage
}

/** Milliseconds. */
const DAY = 86_400_000

/** Opens the installation in a directory, bringing its database up to date. The caller holds the directory's lock. */
export async function openStore({ directory, environment, settings, files }: Opening): Promise<Store> {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  let counted: Positions | undefined
  let ranked: Ranks | undefined
  const db = openSqlite(join(directory, 'kartoteka.sqlite'), {
    ledgerOf: (read) => {
      const { settle, settled, announced } = (counted = positions(read))
      return {
        settle,
        announced,
        settled(tallies, moves) {
          settled(tallies)
          ranked?.moved(moves)
        },
      }
    },
    workers: settings.workers,
    queryTimeout: settings.queryTimeout,
  })
  const { dialect, readNow, watch } = db
  if (readNow && watch) ranked = ranks({ dialect, readNow, watch })
  await migrate(db)
  let catalogue: Catalogue = await loadCatalogue((query) => db.read(query).then(([rows]) => rows!))
  const time = (daysAgo: number) => localTime(environment.now() - daysAgo * DAY, settings.timeZone)
  const own = indexes({ db, positions: counted!, catalogue: () => catalogue, time })
  const store: Store = {
    db,
    positions: counted!,
    ranks: ranked,
    lists: listMemory(),
    indexes: own,
    files: files ?? localFiles(join(directory, 'files')),
    environment,
    settings,
    context: { timeZone: settings.timeZone },
    instance: await instanceOf(db, environment),
    catalogue: () => catalogue,
    async restructure(work) {
      let next = catalogue
      return db.write(
        async (tx) => {
          const result = await work(tx)
          next = await loadCatalogue((query) => tx.all(query), catalogue)
          return result
        },
        {
          alone: true,
          onCommit: () => {
            catalogue = next
            own.recheck()
          },
        },
      )
    },
    close: () => own.stop().then(db.close),
  }
  await own.load()
  return store
}

async function instanceOf(db: Db, environment: Environment): Promise<string> {
  const read = async () => (await db.read(sql`SELECT value FROM meta WHERE name = 'instance'`))[0]![0]?.[0]
  // Several nodes may open a new database at once: the first one names it.
  if ((await read()) === undefined) {
    const name = randomText({ environment }, 8)
    await db.write((tx) => tx.run(sql`INSERT INTO meta (name, value) VALUES ('instance', ${name}) ON CONFLICT (name) DO NOTHING`))
  }
  return String(await read())
}

/** Applies what is missing, each migration in a transaction of its own. */
async function migrate(db: Db): Promise<void> {
  await db.write((tx) => tx.run(sql`CREATE TABLE IF NOT EXISTS migrations (number ${db.dialect.integer} NOT NULL PRIMARY KEY)`))
  const [rows] = await db.read(sql`SELECT number FROM migrations`)
  const done = new Set(rows!.map(([number]) => Number(number)))
  if (done.size > migrations.length) throw new Error('The data directory was written by a newer version of Kartoteka.')
  for (const [i, migration] of migrations.entries()) {
    if (done.has(i + 1)) continue
    await db.write(
      async (tx) => {
        for (const statement of migration(db.dialect)) await tx.run(statement)
        await tx.run(sql`INSERT INTO migrations (number) VALUES (${i + 1})`)
      },
      { alone: true },
    )
  }
}
