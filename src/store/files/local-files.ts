import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access, mkdir, open, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { flush } from './data-directory.ts'
import type { FileStorage } from './file-storage.ts'
import { fullDisk, spools } from './spool.ts'

const HASH = /^[0-9a-f]{64}$/

/** Bytes of file fields in a directory, content-addressed: `ab/cd…` is the SHA-256 in hex. */
export function localFiles(directory: string): FileStorage {
  const pathOf = (hash: string) => join(directory, hash.slice(0, 2), hash.slice(2))
  const age = async (hash: string) => {
    const found = await stat(pathOf(hash)).catch(unlessMissing(undefined))
    return found && Date.now() - found.mtimeMs
  }
  const inTurn = turns()
  let holds = 0

  async function putAs(hash: string, bytes: Uint8Array | AsyncIterable<Uint8Array>): Promise<void> {
    const path = pathOf(hash)
    if (!(await inTurn(() => touch(path)))) await place(path, join(directory, newName()), bytes)
  }

  return {
    async put(bytes) {
      const hash = createHash('sha256').update(bytes).digest('hex')
      await putAs(hash, bytes)
      return hash
    },
    putAs,
    async get(hash) {
      return (await exists(pathOf(hash))) ? readFile(pathOf(hash)) : undefined
    },
    async stream(hash) {
      return (await exists(pathOf(hash))) ? createReadStream(pathOf(hash)) : undefined
    },
    async *list() {
      for (const folder of await readdir(directory).catch(unlessMissing([]))) {
        if (!/^[0-9a-f]{2}$/.test(folder)) continue
        for (const rest of await readdir(join(directory, folder))) if (HASH.test(folder + rest)) yield folder + rest
      }
    },
    age,
    spool: spools(directory, newName),
    hold() {
      holds++
      let held = true
      return () => {
        if (held) holds--
        held = false
      }
    },
    removeOlder: (hash, milliseconds) =>
      inTurn(async () => {
        if (holds > 0) return false
        const now = await age(hash)
        if (now === undefined || now < milliseconds) return false
        await rm(pathOf(hash), { force: true })
        return true
      }),
  }
}

/** The file has a temporary name until all of it is on the disk. */
async function place(path: string, temporary: string, bytes: Uint8Array | AsyncIterable<Uint8Array>): Promise<void> {
  try {
    const made = await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await write(temporary, bytes)
    await rename(temporary, path)
    await flush(dirname(path))
    if (made !== undefined) await flushAbove(dirname(path), made)
  } catch (error) {
    await rm(temporary, { force: true })
    throw fullDisk(error)
  }
}

/** Ignores the error for a missing file; throws any other. */
const unlessMissing =
  <T>(instead: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === 'ENOENT') return instead
    throw error
  }

const newName = (): string => `${randomUUID()}.part`

/** Sets the file's time to now, so that a sweep does not remove it. Returns whether it exists. */
async function touch(path: string): Promise<boolean> {
  if (!(await exists(path))) return false
  const now = new Date()
  await utimes(path, now, now)
  return true
}

/** Runs one piece of work after the other: between a look at a file and its change, no other work may change it. */
function turns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const done = last.then(work)
    last = done.catch(() => undefined)
    return done
  }
}

async function write(path: string, bytes: Uint8Array | AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await writeFile(file, bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** The directories in which new ones, from `made` down to `lowest`, have their names. */
async function flushAbove(lowest: string, made: string): Promise<void> {
  for (let one = lowest; one.length >= made.length; one = dirname(one)) await flush(dirname(one))
}

const exists = (path: string): Promise<boolean> => access(path).then(() => true, unlessMissing(false))
