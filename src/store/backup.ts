import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import Database from 'better-sqlite3'
import { fail } from '../errors.ts'
import type { Store } from './store.ts'

/*
 * A backup is a directory: the database as one consistent snapshot, the bytes of files, and a list of the SHA-256 of each,
 * in the form that `sha256sum --check` reads. A directory without the list is not a whole backup.
 */

const DATABASE = 'kartoteka.sqlite'
const LIST = 'SHA256SUMS'
/** What a backup can hold: nothing that would be put elsewhere. */
const LISTED = /^(?:kartoteka\.sqlite|files\/[0-9a-f]{2}\/[0-9a-f]{62})$/

/** @throws `backup.target_exists` */
export async function backUp(
  store: Store,
  directory: string,
  target: string,
  progress: (files: number) => Promise<void>,
): Promise<{ files: number; bytes: number }> {
  if (store.db.dialect.shared) throw fail('backup.of_its_own')
  if (await exists(target)) throw fail('backup.target_exists', { target })
  const partial = `${target}.part`
  await rm(partial, { recursive: true, force: true })
  await mkdir(join(partial, 'files'), { recursive: true, mode: 0o700 })
  // A connection of its own, so that nobody waits; what is committed while it copies is left for the next backup.
  const database = new Database(join(directory, DATABASE), { readonly: true })
  try {
    await database.backup(join(partial, DATABASE))
  } finally {
    database.close()
  }
  mustBeSound(join(partial, DATABASE))
  // After the database: bytes are stored before a record names them, so all that the copy names should be there.
  let files = 0
  for (const hash of namedIn(join(partial, DATABASE))) {
    const path = `files/${hash.slice(0, 2)}/${hash.slice(2)}`
    const bytes = await store.files.stream(hash)
    if (!bytes) throw fail('backup.damaged', { path })
    await mkdir(dirname(join(partial, path)), { recursive: true, mode: 0o700 })
    await pipeline(bytes, createWriteStream(join(partial, path), { mode: 0o600, flush: true }))
    await progress(++files)
  }
  const sums: string[] = []
  let size = 0
  for (const path of await filesUnder(partial)) {
    sums.push(`${await sha256(join(partial, path))}  ${path}`)
    size += (await stat(join(partial, path))).size
  }
  for (const line of sums) mustNameItself(line)
  await writeFile(join(partial, LIST), `${sums.join('\n')}\n`, { mode: 0o600, flush: true })
  await rename(partial, target)
  return { files, bytes: size }
}

/**
 * Brings a backup back into an empty data directory. Every checksum is verified before anything is put in place.
 * @throws `backup.not_found`, `backup.damaged`, `backup.target_exists`
 */
export async function restoreBackup(source: string, directory: string): Promise<number> {
  const list = await readFile(join(source, LIST), 'utf8').catch(() => {
    throw fail('backup.not_found', { source })
  })
  if (await exists(join(directory, DATABASE))) throw fail('backup.target_exists', { target: directory })
  const lines = list.trimEnd().split('\n')
  if (!lines.some((line) => line.slice(66) === DATABASE)) throw fail('backup.damaged', { path: DATABASE })
  for (const line of lines) {
    const [hash, path] = [line.slice(0, 64), line.slice(66)]
    const found = LISTED.test(path) && (await sha256(join(source, path)).catch(() => undefined))
    if (found !== hash) throw fail('backup.damaged', { path })
  }
  await mkdir(directory, { recursive: true, mode: 0o700 })
  // The database last: a directory without it counts as empty, so a restore that was cut short can be repeated.
  for (const path of lines.map((line) => line.slice(66)).sort((one) => (one === DATABASE ? 1 : -1))) {
    await mkdir(dirname(join(directory, path)), { recursive: true, mode: 0o700 })
    await pipeline(createReadStream(join(source, path)), createWriteStream(join(directory, `${path}.part`), { mode: 0o600, flush: true }))
    if (path === DATABASE) beginAnew(join(directory, `${path}.part`))
    await rename(join(directory, `${path}.part`), join(directory, path))
  }
  return lines.length
}

/** The bytes of a file field are stored under their own hash. */
function mustNameItself(line: string): void {
  const named = /^([0-9a-f]{64}) {2}files\/(..)\/(.*)$/.exec(line)
  if (named && named[1] !== named[2]! + named[3]!) throw fail('backup.damaged', { path: line.slice(66) })
}

function mustBeSound(path: string): void {
  const copy = new Database(path)
  try {
    // The copy is one file: no log beside it that could be forgotten.
    copy.pragma('journal_mode = DELETE')
    if (copy.pragma('integrity_check', { simple: true }) !== 'ok') throw fail('backup.damaged', { path: DATABASE })
  } finally {
    copy.close()
  }
}

/** The hashes of all files that records of the copy have, live or in the trash. */
function* namedIn(path: string): Generator<string> {
  const copy = new Database(path, { readonly: true })
  try {
    yield* copy.prepare<[], string>('SELECT DISTINCT hash FROM files ORDER BY hash').pluck().iterate()
  } finally {
    copy.close()
  }
}

/** Versions that are counted from here on may come a second time: they belong to another instance than those of before. */
function beginAnew(path: string): void {
  const database = new Database(path)
  try {
    database.exec("DELETE FROM meta WHERE name = 'instance'")
  } finally {
    database.close()
  }
}

async function filesUnder(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
    .sort()
}

async function sha256(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )
