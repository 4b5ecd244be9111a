import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fail } from '../../errors.ts'
import { LIST, LISTED, sha256 } from './backup.ts'
import type { FileStorage } from '../files/file-storage.ts'
import { isDamage } from '../sqlite/damage.ts'
import {
  DATABASE,
  flush,
  flushTree,
  folderAside,
  inTheWay,
  LOCK,
  markUnfinished,
  moveAside,
  STAGING,
  unfinished,
  unmark,
  type Placing,
} from '../files/data-directory.ts'
import { LOST } from '../changes/follow-changes.ts'
import { cancelUnfinished, forgetInstance, inOneFile, leapPositions } from '../sqlite/database-file.ts'
import { lockDirectory } from '../sqlite/directory-lock.ts'

/*
 * A backup is copied into a folder of the data directory, opened and checked there, and then put in place by renaming. The directory has
 * a mark from before the first byte until after the last, so that no server starts in it if the restore is interrupted. Repeated, a
 * restore that had not copied everything starts again; one that had, finishes.
 */

/** Changes that may have been made since a backup was, at most. Positions have room for eight thousand such leaps. */
const LEAP = 2 ** 40

export interface Restoring {
  /** Opens the installation in a directory and looks for damage, a sentence each. */
  readonly inspect: (directory: string) => Promise<readonly string[]>
  /** Where the bytes of files go; left out: into the directory. */
  readonly files?: Pick<FileStorage, 'putAs'> | undefined
  /** Whether existing files may be moved aside. */
  readonly moveAside: boolean
  /** The present second, as the store writes times. */
  readonly time: string
}

export interface Restored {
  readonly files: number
  /** Where the former files are now. */
  readonly aside: string | undefined
  /** Faults that the installation already had when the backup was made. */
  readonly findings: readonly string[]
}

/**
 * Restores a backup into an empty data directory, which is locked meanwhile.
 * @throws `backup.not_found`, `backup.damaged`, `restore.not_empty`, `server.directory_in_use`
 */
export async function restoreBackup(source: string, directory: string, restoring: Restoring): Promise<Restored> {
  const list = await readFile(join(source, LIST), 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw isMissing(error) ? fail('backup.not_found', { source }) : error
  })
  const isOurs = !existsSync(directory)
  const unlock = lockDirectory(directory)
  let isDone = false
  try {
    const restored = (await finished(directory, list)) ?? (await begun(source, list, directory, restoring))
    isDone = true
    return restored
  } finally {
    if (isOurs && !isDone) await rm(join(directory, LOCK), { force: true })
    unlock()
    if (isOurs && !isDone) await rmdir(directory).catch(() => undefined)
  }
}

/** Finishes an earlier run that had copied everything. Undefined if there is none, or it was of another backup. */
async function finished(directory: string, list: string): Promise<Restored | undefined> {
  const mark = await unfinished(directory)
  if (mark?.command !== 'restore' || !mark.placing) return undefined
  await place(directory, mark.placing)
  if (mark.placing.list !== hashOf(list)) return undefined
  return { files: pathsOf(list).length, aside: mark.placing.names.length > 0 ? mark.placing.aside : undefined, findings: [] }
}

async function begun(
  source: string,
  list: string,
  directory: string,
  { inspect, files, moveAside: mayMove, time }: Restoring,
): Promise<Restored> {
  const names = await inTheWay(directory)
  if (names.length > 0 && !mayMove) throw fail('restore.not_empty', { directory, found: some(names) })
  await verify(source, list)
  await markUnfinished(directory, { command: 'restore' })
  const staging = join(directory, STAGING)
  let findings: readonly string[]
  try {
    await rm(staging, { recursive: true, force: true })
    await gather(source, pathsOf(list), staging, files)
    findings = await inspect(staging)
    const damage = findings.find((finding) => finding.startsWith('Database: '))
    if (damage !== undefined) throw fail('backup.damaged', { path: DATABASE })
    // Now it has the tables of this version. A job would go on with what its user may have asked for again since.
    cancelUnfinished(join(staging, DATABASE), time)
    inOneFile(join(staging, DATABASE))
    await flushTree(staging)
  } catch (error) {
    await rm(staging, { recursive: true, force: true })
    await unmark(directory)
    throw isDamage(error) ? fail('backup.damaged', { path: DATABASE }) : error
  }
  const aside = names.length > 0 ? await folderAside(directory, 'restore', time) : ''
  const placing = { list: hashOf(list), aside, names }
  await markUnfinished(directory, { command: 'restore', placing })
  await place(directory, placing)
  return { files: pathsOf(list).length, aside: aside === '' ? undefined : aside, findings }
}

/** Verifies all checksums before anything is copied. */
async function verify(source: string, list: string): Promise<void> {
  if (!pathsOf(list).includes(DATABASE)) throw fail('backup.damaged', { path: DATABASE })
  for (const line of linesOf(list)) {
    const [hash, path] = [line.slice(0, 64), line.slice(66)]
    const found = LISTED.test(path) && (await sha256(join(source, path)).catch(unlessLost))
    if (found !== hash) throw fail('backup.damaged', { path })
  }
}

const isMissing = ({ code = '' }: NodeJS.ErrnoException): boolean => /^(ENOENT|ENOTDIR|EISDIR)$/.test(code)

/** Whether an error means that the backup is damaged: a missing or unreadable file is; a missing permission is not. */
function unlessLost(error: NodeJS.ErrnoException): undefined {
  if (!isMissing(error) && error.code !== 'EIO') throw error
}

async function gather(source: string, paths: readonly string[], staging: string, files: Restoring['files']): Promise<void> {
  await mkdir(files ? staging : join(staging, 'files'), { recursive: true, mode: 0o700 })
  for (const path of paths) {
    if (files && path !== DATABASE) {
      await files.putAs(path.replace(/^files|\//g, ''), bytesOf(join(source, path)))
      continue
    }
    await mkdir(dirname(join(staging, path)), { recursive: true, mode: 0o700 })
    await pipeline(createReadStream(join(source, path)), createWriteStream(join(staging, path), { mode: 0o600, flush: true }))
  }
  // Versions of records are counted from here again and may repeat, so they belong to a new instance.
  forgetInstance(join(staging, DATABASE))
  // So may positions of changes.
  leapPositions(join(staging, DATABASE), LEAP, LOST)
}

/** Opened when it is read: bytes that are stored already are not. */
async function* bytesOf(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path)
}

/** Moves the former files aside and the restored ones into place, as far as that is not done yet. */
async function place(directory: string, { aside, names }: Placing): Promise<void> {
  if (names.length > 0) await moveAside(directory, aside, names)
  const staging = join(directory, STAGING)
  for (const name of ['files', DATABASE]) if (existsSync(join(staging, name))) await rename(join(staging, name), join(directory, name))
  await flush(directory)
  await rm(staging, { recursive: true, force: true })
  await unmark(directory)
}

const linesOf = (list: string): string[] => list.trimEnd().split('\n')
const pathsOf = (list: string): string[] => linesOf(list).map((line) => line.slice(66))
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')
const some = (names: readonly string[]): string => names.slice(0, 5).join(', ') + (names.length > 5 ? ', …' : '')
