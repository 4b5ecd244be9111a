import { resolve } from 'node:path'
import { environment } from '../../app/installation.ts'
import { isPostgresUrl, withoutPassword, type Config } from '../../config.ts'
import { localTime } from '../../store/ground/clock.ts'
import { databaseFiles, folderAside, hasDatabase, markUnfinished, moveAside, unfinished, unmark } from '../../store/files/data-directory.ts'
import type { Db } from '../../store/ground/db.ts'
import { lockDirectory } from '../../store/sqlite/directory-lock.ts'
import { migrateStore } from '../../store/upkeep/migrate-store.ts'
import { openDatabase, standingAt, withoutSecrets } from '../../store/open.ts'
import { mustHaveDatabase, reopen } from '../../store/schema/standing.ts'
import { UsageError } from '../explain/explain.ts'
import type { Output } from '../terminal/output.ts'
import { enterDirectory } from '../directory/enter-directory.ts'

/**
 * Copies an installation from one store to another, prints for each table what it compared, and marks the first store as moved, so that
 * no server writes to it by mistake.
 */
export async function migrate(config: Config, from: string, to: string, output: Output): Promise<void> {
  for (const address of [from, to]) mustBeAddress(address)
  if (from === to) throw new UsageError('Both addresses are the same.')
  const { data: directory } = config
  enterDirectory(directory)
  if (from === 'sqlite') mustHaveDatabase(directory)
  // This is checked before anything is created in the directory.
  const remote = from === 'sqlite' ? undefined : await openSource(from, directory)
  try {
    const unlock = from === 'sqlite' || to === 'sqlite' ? lockDirectory(directory) : () => undefined
    try {
      const source = remote ?? (await openSource(from, directory))
      try {
        await bring(config, { from, to, source }, output)
      } finally {
        if (source !== remote) await source.close()
      }
    } finally {
      unlock()
    }
  } finally {
    await remote?.close()
  }
}

interface Way {
  readonly from: string
  readonly to: string
  readonly source: Db
}

async function bring(config: Config, { from, to, source }: Way, output: Output): Promise<void> {
  const { data: directory, distribution, timeZone } = config
  const when = localTime(environment.now(), timeZone)
  if (to === 'sqlite') await makeRoom(source, directory, when, output)
  // The mark in the directory counts until the database has its own, which it gets with its first table.
  const isMarked = to === 'sqlite' && (!hasDatabase(directory) || (await unfinished(directory)) !== undefined)
  if (isMarked) await markUnfinished(directory, { command: 'migrate-store' })
  const target = await openDatabase(to, directory, distribution)
  if (isMarked) await unmark(directory)
  try {
    const moved = { to: nameOf(to, directory), when }
    const migrated = await migrateStore(source, target, (done, total) => output.progress('records', done, total), moved)
    for (const { table, rows, sum } of migrated) await output.line(`${table}: ${rows} rows, sha256 ${sum}`)
    await output.line('Both stores hold the same.')
  } finally {
    await target.close()
  }
  await output.line(`The installation is now in ${nameOf(to, directory)}; the copy in ${nameOf(from, directory)} is no longer used.`)
  await output.line(
    to === 'sqlite' ? 'From now on start without KARTOTEKA_DATABASE_URL.' : 'From now on set KARTOTEKA_DATABASE_URL to that address.',
  )
}

/** Moves aside what this installation left here when it was moved to another store before. */
async function makeRoom(source: Db, directory: string, when: string, output: Output): Promise<void> {
  if (!hasDatabase(directory)) return
  const [here, there] = [await standingAt('sqlite', directory), await standingAt(source)]
  if (!here.moved || here.instance !== there.instance) return
  const aside = await folderAside(directory, 'migrate-store', when)
  // A mark, so that no new installation is begun between the removal of the old database and the arrival of the new one.
  await markUnfinished(directory, { command: 'migrate-store' })
  await moveAside(directory, aside, databaseFiles(directory))
  await output.note(`The previous contents are now in ${aside}`)
}

/** @throws `migration.in_use` where a process is connected to a PostgreSQL database; a directory has its lock for that */
async function openSource(address: string, directory: string): Promise<Db> {
  const db = await openDatabase(address, directory, '', true)
  try {
    if (address !== 'sqlite') {
      const { mustBeAlone } = await import('../../store/postgres/other-connections.ts')
      await mustBeAlone(db)
    }
    return db
  } catch (error) {
    await db.close()
    throw error
  }
}

const nameOf = (address: string, directory: string): string =>
  address === 'sqlite' ? `SQLite in '${resolve(directory)}'` : withoutSecrets(address)

function mustBeAddress(address: string): void {
  if (address !== 'sqlite' && !isPostgresUrl(address))
    throw new UsageError(
      `'${withoutPassword(address)}' is neither 'sqlite' nor an address such as postgres://user:password@host:5432/database.`,
    )
}

/** Removes the mark of an installation that was moved. */
export async function reopenStore({ data: directory }: Config, address: string, output: Output): Promise<void> {
  mustBeAddress(address)
  enterDirectory(directory)
  if (address === 'sqlite') mustHaveDatabase(directory)
  const unlock = address === 'sqlite' ? lockDirectory(directory) : () => undefined
  try {
    const db = await openDatabase(address, directory, '', true)
    try {
      const isReopened = await reopen(db)
      await output.line(
        isReopened
          ? `${nameOf(address, directory)} is used again, with what it held when it was left. What was written elsewhere since is not in it.`
          : `${nameOf(address, directory)} was not marked as moved.`,
      )
    } finally {
      await db.close()
    }
  } finally {
    unlock()
  }
}
