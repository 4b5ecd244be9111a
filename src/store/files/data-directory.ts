import { accessSync, constants, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fail } from '../../errors.ts'

/*
 * A data directory: whether it has an installation, the mark while one is restored or moved into it, and how former files are moved
 * aside. SQLite replays a log beside a database file even if the log belongs to another database. So no database is put or created
 * beside the log of another one.
 */

export const DATABASE = 'kartoteka.sqlite'
/** The file that `lockDirectory` locks. */
export const LOCK = 'lock.sqlite'
/** Suffixes of the files that SQLite keeps beside a database file. */
const beside = ['-wal', '-shm', '-journal'] as const
/** The mark. It is written before the first byte of a restore or move, and removed after the last one. */
const MARK = 'UNFINISHED'
/** Folders of files that were moved aside and had to stay in the directory. */
const ASIDE = /^before-(?:restore|migrate-store)-/

/** The content of the mark. A restore that has copied everything also stores what is left to do. */
export interface Unfinished {
  readonly command: 'restore' | 'migrate-store'
  readonly placing?: Placing
}

export interface Placing {
  /** SHA-256 of the list of the backup. */
  readonly list: string
  /** The folder for the former files, and their names. */
  readonly aside: string
  readonly names: readonly string[]
}

export const hasDatabase = (directory: string): boolean => existsSync(join(directory, DATABASE))

/** Creates the data directory if it does not exist. @throws `server.directory_read_only` */
export function makeDirectory(directory: string): void {
  if (isReadOnly(directory)) throw fail('server.directory_read_only', { directory })
  makeWithParents(resolve(directory))
}

/** As `mkdir` with `recursive`, which never ends where a file system makes no directories and says that the path does not exist, such as /proc. */
function makeWithParents(path: string): void {
  if (!existsSync(dirname(path))) makeWithParents(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !statSync(path).isDirectory()) throw error
  }
}

/** Whether the file system of a path, which need not exist, is read-only. `mkdir` with `recursive` fails with ENOENT there. */
export function isReadOnly(path: string): boolean {
  const whole = resolve(path)
  try {
    accessSync(whole, constants.W_OK)
    return false
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'EROFS' || (code === 'ENOENT' && dirname(whole) !== whole && isReadOnly(dirname(whole)))
  }
}

export async function unfinished(directory: string): Promise<Unfinished | undefined> {
  const text = await readFile(join(directory, MARK), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw error
  })
  return text === undefined ? undefined : (JSON.parse(text) as Unfinished)
}

/** @throws `restore.unfinished`, `migration.unfinished` */
export async function mustBeFinished(directory: string): Promise<void> {
  refuse(await unfinished(directory))
}

/** The same at once. */
export function mustBeFinishedNow(directory: string): void {
  const path = join(directory, MARK)
  if (existsSync(path)) refuse(JSON.parse(readFileSync(path, 'utf8')) as Unfinished)
}

function refuse(found: Unfinished | undefined): void {
  if (found) throw fail(found.command === 'restore' ? 'restore.unfinished' : 'migration.unfinished')
}

/** Durable when the promise resolves. */
export async function markUnfinished(directory: string, mark: Unfinished): Promise<void> {
  const temporary = join(directory, `${MARK}.part`)
  const file = await open(temporary, 'w', 0o600)
  try {
    await file.writeFile(JSON.stringify(mark))
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(temporary, join(directory, MARK))
  await flush(directory)
}

export async function unmark(directory: string): Promise<void> {
  await rm(join(directory, MARK), { force: true })
  await flush(directory)
}

/**
 * Called before a new database is created.
 * @throws `installation.leftover` if the log of another database would be replayed into it, or be lost
 */
export function mustHaveNoLog(directory: string): void {
  const log = ['-wal', '-journal'].map((end) => DATABASE + end).find((name) => existsSync(join(directory, name)))
  if (log !== undefined && !hasDatabase(directory)) throw fail('installation.leftover', { directory, log })
}

/** Files in the way of a new installation: all but the lock, the mark, STAGING, folders of files moved aside, and `lost+found`. */
export async function inTheWay(directory: string): Promise<string[]> {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const own = new Set([LOCK, `${LOCK}-journal`, MARK, `${MARK}.part`, STAGING, 'lost+found'])
  return names.filter((name) => !own.has(name) && !ASIDE.test(name)).sort()
}

/** The database file and the files that SQLite keeps beside it, if they exist. */
export const databaseFiles = (directory: string): string[] =>
  [DATABASE, ...beside.map((end) => DATABASE + end)].filter((name) => existsSync(join(directory, name)))

/** The folder in which a restore prepares the whole installation. */
export const STAGING = 'restoring'

/** The folder for former files: beside the directory, or in it if the parent is on another file system or not writable. */
export async function folderAside(directory: string, command: Unfinished['command'], time: string): Promise<string> {
  const whole = resolve(directory)
  const name = `before-${command}-${time.replace(' ', 'T').replaceAll(':', '')}`
  for (let count = 1; ; count++) {
    const numbered = count === 1 ? name : `${name}-${count}`
    const sibling = `${whole}-${numbered}`
    const within = join(whole, numbered)
    if (existsSync(sibling) || existsSync(within)) continue
    if (await takesFilesOf(whole, sibling)) return sibling
    await mkdir(within, { mode: 0o700 })
    return within
  }
}

/** Creates the folder. False if files of the directory cannot be renamed into it. */
async function takesFilesOf(directory: string, folder: string): Promise<boolean> {
  const probe = join(directory, `${MARK}.part`)
  try {
    await mkdir(folder, { mode: 0o700 })
    await (await open(probe, 'w', 0o600)).close()
    await rename(probe, join(folder, 'probe'))
    await rm(join(folder, 'probe'))
    return true
  } catch (error) {
    if (!/^(EACCES|EPERM|EROFS|EXDEV)$/.test(String((error as NodeJS.ErrnoException).code))) throw error
    await rm(probe, { force: true })
    await rm(folder, { recursive: true, force: true })
    return false
  }
}

/** Moves the files that are still there. It can be repeated after an interruption. */
export async function moveAside(directory: string, aside: string, names: readonly string[]): Promise<void> {
  for (const name of names)
    if (existsSync(join(directory, name)) && !existsSync(join(aside, name))) await rename(join(directory, name), join(aside, name))
  await flush(aside)
  await flush(dirname(aside))
  await flush(directory)
}

/** Flushes a directory, so that new names in it are durable. */
export async function flush(directory: string): Promise<void> {
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Flushes a directory and all directories in it. */
export async function flushTree(directory: string): Promise<void> {
  for (const entry of await readdir(directory, { withFileTypes: true }))
    if (entry.isDirectory()) await flushTree(join(directory, entry.name))
  await flush(directory)
}
