import { resolve } from 'node:path'
import { fail } from '../../errors.ts'
import { sql } from '../../sql/sql.ts'
import type { Db, Transaction } from '../ground/db.ts'
import { hasDatabase, mustBeFinishedNow } from '../files/data-directory.ts'

/* What a store contains before anything is changed: nothing, an installation, one that is being moved here, or one that was moved away. */

/** In `meta` of a store that is not complete: the installation that is being moved here. */
export const MARK = 'migrating'
/** In `meta` of a store whose installation was moved to another one. */
export const MOVED = 'moved'
/** In `migrations`, from the transaction that makes that table on: an installation is being moved here. */
export const COMING = 0

export interface Moved {
  /** The address without its password, or the directory. */
  readonly to: string
  /** As the store writes times. */
  readonly when: string
}

export interface Standing {
  readonly isThere: boolean
  /** Whether an installation is being moved here, and is not complete. */
  readonly isComing: boolean
  readonly moved: Moved | undefined
  readonly instance: string | undefined
}

export async function standingOf({ read, dialect }: Pick<Db, 'read' | 'dialect'>): Promise<Standing> {
  const tables = new Set((await read(dialect.tablesAmong(['migrations', 'meta'])))[0]!.map(([table]) => String(table)))
  const [coming] = tables.has('migrations') ? await read(sql`SELECT number FROM migrations WHERE number = ${COMING}`) : [[]]
  const [rows] = tables.has('meta') ? await read(sql`SELECT name, value FROM meta`) : [[]]
  const meta = new Map(rows!.map(([name, value]) => [String(name), String(value)]))
  const moved = meta.get(MOVED)
  return {
    isThere: tables.has('meta'),
    isComing: coming!.length > 0 || meta.has(MARK),
    moved: moved === undefined ? undefined : (JSON.parse(moved) as Moved),
    instance: meta.get('instance'),
  }
}

/** @throws `migration.unfinished`, `installation.moved` */
export function mustBeInUse({ isComing, moved }: Standing): void {
  if (isComing) throw fail('migration.unfinished')
  if (moved) throw hasMoved(moved)
}

export const hasMoved = ({ to, when }: Moved) =>
  fail('installation.moved', {
    to,
    when,
    how: to.startsWith('postgres')
      ? "Set KARTOTEKA_DATABASE_URL to that address. To use what is left here all the same: 'kartoteka reopen-store sqlite'."
      : "Leave KARTOTEKA_DATABASE_URL out and name that directory with --data. To use what is left here all the same: 'kartoteka reopen-store' with its address.",
  })

/** Creates nothing. @throws `installation.missing` for a directory without a database, or why it has none yet: `restore.unfinished`, `migration.unfinished` */
export function mustHaveDatabase(directory: string): void {
  if (hasDatabase(directory)) return
  mustBeFinishedNow(directory)
  throw fail('installation.missing', { place: resolve(directory), setting: '--data or KARTOTEKA_DATA' })
}

/** Marks a store whose installation is in another store after this transaction. Processes that still serve it notice. */
export async function markMoved(tx: Transaction, { dialect }: Pick<Db, 'dialect'>, moved: Moved): Promise<void> {
  await tx.run(sql`DELETE FROM meta WHERE name = ${MOVED}`)
  await tx.run(sql`INSERT INTO meta (name, value) VALUES (${MOVED}, ${JSON.stringify(moved)})`)
  await tellProcesses(tx, dialect.shared)
}

/** Removes the mark; false where there was none. */
export const reopen = ({ write, dialect }: Pick<Db, 'write' | 'dialect'>): Promise<boolean> =>
  write(
    async (tx) => {
      const isMarked = (await tx.run(sql`DELETE FROM meta WHERE name = ${MOVED}`)) > 0
      if (isMarked) await tellProcesses(tx, dialect.shared)
      return isMarked
    },
    { alone: true },
  )

/** Raises the version of the catalogue, so that other processes read it again, and with it whether the installation has moved. */
export async function tellProcesses(tx: Transaction, isShared: boolean): Promise<void> {
  if (isShared) await tx.run(sql`UPDATE catalogue_version SET version = version + 1`)
}
