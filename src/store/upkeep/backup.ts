import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fail } from '../../errors.ts'
import { copyDatabase, fileHashesIn, inOneFile, isSound } from '../sqlite/database-file.ts'
import { DATABASE, flush, flushTree, LOCK, isReadOnly } from '../files/data-directory.ts'
import { lockDirectory } from '../sqlite/directory-lock.ts'
import type { Uses } from '../ground/store.ts'

/*
 * A backup is a directory with the database as one consistent snapshot, the bytes of files, and a list with the SHA-256 of each, in the
 * format of `sha256sum --check`. A directory without the list is not a complete backup.
 */

export const LIST = 'SHA256SUMS'
/** The names that a list may contain: none outside the directory of the backup. */
export const LISTED = /^(?:kartoteka\.sqlite|files\/[0-9a-f]{2}\/[0-9a-f]{62})$/

/**
 * Makes a backup in a locked folder beside the target. The folder gets the name of the target when everything is verified and on the disk.
 * `takesFiles`: otherwise they stay where they are, and a restore expects them there.
 * @throws `backup.target_exists`, `backup.source_damaged`, `server.directory_in_use` where another backup goes to the same place
 */
export async function backUp(
  store: Uses<'db' | 'files'>,
  directory: string,
  target: string,
  progress: (files: number) => Promise<void>,
  takesFiles = true,
): Promise<{ files: number; bytes: number }> {
  if (store.db.dialect.shared) throw fail('backup.of_its_own')
  if (await exists(target)) throw fail('backup.target_exists', { target })
  const partial = `${target}.part`
  // As the system says it: the directory is none of data.
  if (isReadOnly(partial)) throw Object.assign(new Error('EROFS: read-only file system'), { code: 'EROFS', path: target })
  const unlock = lockDirectory(partial)
  try {
    // The folder of an earlier backup that was interrupted.
    for (const name of await readdir(partial)) if (name !== LOCK) await rm(join(partial, name), { recursive: true })
    const files = await copyInto(partial, store, directory, takesFiles ? progress : undefined)
    const bytes = await listSums(partial)
    await rm(join(partial, LOCK))
    await flushTree(partial)
    await rename(partial, target)
    await flush(dirname(target))
    return { files, bytes }
  } catch (error) {
    // Half a backup is none, and the disk may be full of it. One that cannot be removed now is removed by the next one.
    await rm(partial, { recursive: true, force: true }).catch(() => {})
    throw error
  } finally {
    unlock()
  }
}

/** Copies the database, and then, with `progress`, the bytes of the files that it names. These were stored before it named them, and are held until they are copied. */
async function copyInto(
  partial: string,
  store: Uses<'files'>,
  directory: string,
  progress: ((files: number) => Promise<void>) | undefined,
): Promise<number> {
  const release = store.files.hold()
  try {
    await mkdir(join(partial, 'files'), { recursive: true, mode: 0o700 })
    await copyDatabase(join(directory, DATABASE), join(partial, DATABASE))
    mustBeSound(join(partial, DATABASE))
    let files = 0
    if (!progress) return files
    for (const hash of fileHashesIn(join(partial, DATABASE))) {
      const path = `files/${hash.slice(0, 2)}/${hash.slice(2)}`
      const bytes = await store.files.stream(hash)
      if (!bytes) throw fail('backup.source_damaged', { path })
      await mkdir(dirname(join(partial, path)), { recursive: true, mode: 0o700 })
      await pipeline(bytes, createWriteStream(join(partial, path), { mode: 0o600, flush: true }))
      await progress(++files)
    }
    return files
  } finally {
    release()
  }
}

/** Writes the list of checksums. Returns the bytes of all files in it. */
async function listSums(partial: string): Promise<number> {
  const sums: string[] = []
  let size = 0
  for (const path of await filesUnder(partial)) {
    sums.push(`${await sha256(join(partial, path))}  ${path}`)
    size += (await stat(join(partial, path))).size
  }
  for (const line of sums) mustNameItself(line)
  await writeFile(join(partial, LIST), `${sums.join('\n')}\n`, { mode: 0o600, flush: true })
  return size
}

/** The bytes of a file field are stored under their own hash. */
function mustNameItself(line: string): void {
  const named = /^([0-9a-f]{64}) {2}files\/(..)\/(.*)$/.exec(line)
  if (named && named[1] !== named[2]! + named[3]!) throw fail('backup.source_damaged', { path: line.slice(66) })
}

function mustBeSound(path: string): void {
  inOneFile(path)
  if (!isSound(path)) throw fail('backup.source_damaged', { path: DATABASE })
}

async function filesUnder(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
    .filter((path) => path !== LOCK)
    .sort()
}

export async function sha256(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )
