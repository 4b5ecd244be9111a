import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access, mkdir, open, readdir, readFile, rename, rm, stat, statfs, utimes, writeFile, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { flush } from './data-directory.ts'
import type { FileStorage, IsNamed, StoredBytes } from './file-storage.ts'
import { fullDisk, spools } from './spool.ts'

const HASH = /^[0-9a-f]{64}$/

/** Bytes of file fields in a directory, content-addressed: `ab/cd…` is the SHA-256 in hex. */
export function localFiles(directory: string): FileStorage {
  const pathOf = (hash: string) => join(directory, hash.slice(0, 2), hash.slice(2))
  const known = async (hash: string) => {
    const found = await stat(pathOf(hash)).catch(unlessMissing(undefined))
    return found && { size: found.size, age: Date.now() - found.mtimeMs }
  }
  const inTurn = turns()
  let holds = 0

  const removeOlder = (hash: string, milliseconds: number): Promise<boolean> =>
    inTurn(async () => {
      if (holds > 0) return false
      const now = await known(hash)
      if (now === undefined || now.age < milliseconds) return false
      await rm(pathOf(hash), { force: true })
      await rm(smallOf(directory, hash), { recursive: true, force: true })
      return true
    })

  return {
    ...writing(directory, pathOf, inTurn),
    async stream(hash, range) {
      return (await exists(pathOf(hash))) ? createReadStream(pathOf(hash), { ...range }) : undefined
    },
    room: () => roomIn(directory),
    list: () => hashesIn(directory),
    stat: known,
    small: smallFiles(directory),
    spool: spools(directory, newName),
    hold() {
      holds++
      let held = true
      return () => {
        if (held) holds--
        held = false
      }
    },
    async sweep(isNamed: IsNamed, milliseconds) {
      let swept = await removeParts(directory, milliseconds)
      for await (const hash of hashesIn(directory)) {
        const found = await known(hash)
        if (found === undefined || found.age < milliseconds || (await isNamed(hash))) continue
        if (await removeOlder(hash, milliseconds)) swept++
      }
      return swept
    },
    // A disk that does not answer has no room.
    reach: async () => {},
    requests: () => [],
  }
}

async function* hashesIn(directory: string): AsyncGenerator<string> {
  for (const folder of await readdir(directory).catch(unlessMissing([]))) {
    if (!/^[0-9a-f]{2}$/.test(folder)) continue
    for (const rest of await readdir(join(directory, folder))) if (HASH.test(folder + rest)) yield folder + rest
  }
}

/** Free bytes of the disk of a directory, which is made with the first file. */
export async function roomIn(directory: string): Promise<number> {
  const { bavail, bsize, blocks } = (await statfs(directory).catch(unlessMissing(undefined))) ?? (await statfs(dirname(directory)))
  // Some file systems do not tell.
  return blocks === 0 ? Infinity : bavail * bsize
}

/** Everything that stores bytes. They have a temporary name until all of them are on the disk. */
function writing(directory: string, pathOf: (hash: string) => string, inTurn: Turns): Pick<FileStorage, 'put' | 'putAs' | 'receive'> {
  async function putAs(hash: string, bytes: Uint8Array | AsyncIterable<Uint8Array>): Promise<void> {
    const path = pathOf(hash)
    if (await inTurn(() => touch(path))) return
    const temporary = join(directory, newName())
    await removedOnError(temporary, async () => {
      await makeFolder(directory)
      await write(temporary, (file) => writeFile(file, bytes))
      await place(path, temporary)
    })
  }
  return {
    async put(bytes) {
      const hash = createHash('sha256').update(bytes).digest('hex')
      await putAs(hash, bytes)
      return hash
    },
    putAs,
    async receive(bytes) {
      const temporary = join(directory, newName())
      return removedOnError(temporary, async () => {
        await makeFolder(directory)
        const stored = await write(temporary, (file) => writeHashed(file, bytes))
        const path = pathOf(stored.hash)
        if (await inTurn(() => touch(path))) await rm(temporary)
        else await place(path, temporary)
        return stored
      })
    },
  }
}

/** The directory of what is made from some bytes. */
const smallOf = (directory: string, hash: string): string => join(directory, 'small', hash.slice(0, 2), hash.slice(2))

function smallFiles(directory: string): FileStorage['small'] {
  const pathOf = (hash: string, name: string) => join(smallOf(directory, hash), name)
  return {
    get: (hash, name) => readFile(pathOf(hash, name)).catch(unlessMissing(undefined)),
    async put(hash, name, bytes) {
      const temporary = join(directory, newName())
      await removedOnError(temporary, async () => {
        await write(temporary, (file) => writeFile(file, bytes))
        await makeFolder(smallOf(directory, hash))
        await rename(temporary, pathOf(hash, name))
      })
    },
  }
}

/** Files with temporary names to which nothing was written for so long. Those of uploads that still arrive are younger. */
export async function removeParts(directory: string, milliseconds: number): Promise<number> {
  let removed = 0
  for (const name of await readdir(directory).catch(unlessMissing([]))) {
    if (!PART.test(name)) continue
    const path = join(directory, name)
    const found = await stat(path).catch(unlessMissing(undefined))
    if (!found || Date.now() - found.mtimeMs < milliseconds) continue
    await rm(path, { force: true })
    removed++
  }
  return removed
}

/** Runs work that writes a file with a temporary name. If it fails, the file is removed. */
async function removedOnError<T>(temporary: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await rm(temporary, { force: true })
    throw fullDisk(error)
  }
}

/** Makes a directory where there is none; durable when the promise resolves. */
async function makeFolder(folder: string): Promise<void> {
  const made = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (made !== undefined) await flushAbove(folder, made)
}

/** Gives a file that is on the disk its name. The name is durable when the promise resolves. */
async function place(path: string, temporary: string): Promise<void> {
  await makeFolder(dirname(path))
  await rename(temporary, path)
  await flush(dirname(path))
}

/** Ignores the error for a missing file; throws any other. */
const unlessMissing =
  <T>(instead: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === 'ENOENT') return instead
    throw error
  }

/** Of a file that is not complete. */
export const newName = (): string => `${randomUUID()}.part`
const PART = /^[0-9a-f-]{36}\.part$/

/** Sets the file's time to now, so that a sweep does not remove it. Returns whether it exists. */
async function touch(path: string): Promise<boolean> {
  if (!(await exists(path))) return false
  const now = new Date()
  await utimes(path, now, now)
  return true
}

type Turns = <T>(work: () => Promise<T>) => Promise<T>

/** Runs one piece of work after the other: between a look at a file and its change, no other work may change it. */
function turns(): Turns {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const done = last.then(work)
    last = done.catch(() => undefined)
    return done
  }
}

/** Makes a file, which is on the disk when the promise resolves. */
async function write<T>(path: string, work: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path, 'wx', 0o600)
  try {
    const result = await work(file)
    await file.sync()
    return result
  } finally {
    await file.close()
  }
}

/** Bytes after which what was written is passed to the disk: at the end, little is left, and commits of the database do not wait for it. */
const FLUSHED = 33_554_432

async function writeHashed(file: FileHandle, bytes: AsyncIterable<Uint8Array>): Promise<StoredBytes> {
  const hash = createHash('sha256')
  let size = 0
  let waiting = 0
  for await (const chunk of bytes) {
    hash.update(chunk)
    for (let at = 0; at < chunk.length;) at += (await file.write(chunk, at)).bytesWritten
    size += chunk.length
    waiting += chunk.length
    if (waiting < FLUSHED) continue
    await file.datasync()
    waiting = 0
  }
  return { hash: hash.digest('hex'), size }
}

/** The directories in which new ones, from `made` down to `lowest`, have their names. */
async function flushAbove(lowest: string, made: string): Promise<void> {
  for (let one = lowest; one.length >= made.length; one = dirname(one)) await flush(dirname(one))
}

const exists = (path: string): Promise<boolean> => access(path).then(() => true, unlessMissing(false))
