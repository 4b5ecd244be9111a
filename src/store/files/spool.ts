import { mkdir, open, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { fail } from '../../errors.ts'
import { limits } from '../../limits.ts'

/** A file without a name for what is too large for memory: it is gone when it is closed, or when the process ends. */
export interface Spool {
  readonly size: number
  /** The file descriptor, for other threads of this process; the file has no name. */
  readonly descriptor: number
  /** @throws `server.busy` where all of them together are too large, `server.disk_full` */
  write(bytes: Uint8Array): Promise<void>
  /** A stream of the whole file, which is closed with the stream. */
  stream(): Readable
  /** A part of it in pieces. A piece is valid until the next one is requested. */
  part(from: number, size: number): AsyncIterable<Uint8Array>
  close(): Promise<void>
}

/** Creates such files in a directory; each has a name for a moment. They share one limit. `isDue`: created also beyond it. */
export function spools(directory: string, newName: () => string, most = limits.answersOnDisk.most): (isDue?: boolean) => Promise<Spool> {
  let total = 0
  return async (isDue = false) => {
    const path = join(directory, newName())
    const file = await openNew(directory, path)
    let size = 0
    let isOpen = true
    const ended = () => {
      if (isOpen) total -= size
      isOpen = false
    }
    return {
      get size() {
        return size
      },
      descriptor: file.fd,
      async write(bytes) {
        if (!isDue && total + bytes.length > most) throw fail('server.busy')
        size += bytes.length
        total += bytes.length
        await writeAll(file, bytes)
      },
      stream() {
        return file.createReadStream({ start: 0 }).once('close', ended)
      },
      part: (from, length) => partOf(file, from, length),
      async close() {
        ended()
        await file.close()
      },
    }
  }
}

/** Bytes. */
const PIECE = 262_144

async function* partOf(file: FileHandle, from: number, size: number): AsyncGenerator<Uint8Array> {
  const piece = Buffer.allocUnsafe(Math.min(PIECE, size))
  for (let done = 0; done < size;) {
    const { bytesRead } = await file.read(piece, 0, Math.min(piece.length, size - done), from + done)
    if (bytesRead === 0) throw new Error('A file is shorter than it was.')
    yield piece.subarray(0, bytesRead)
    done += bytesRead
  }
}

async function openNew(directory: string, path: string): Promise<FileHandle> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    const file = await open(path, 'wx+', 0o600)
    try {
      await rm(path, { force: true })
    } catch (error) {
      await file.close()
      throw error
    }
    return file
  } catch (error) {
    throw fullDisk(error)
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  try {
    for (let at = 0; at < bytes.length;) at += (await file.write(bytes, at)).bytesWritten
  } catch (error) {
    throw fullDisk(error)
  }
}

/** ENOSPC: the disk is full; EDQUOT: a quota on it; EFBIG: a limit of the process. */
const isFull = (error: unknown): boolean => /^(ENOSPC|EDQUOT|EFBIG)$/.test(String((error as NodeJS.ErrnoException).code))

/** `server.disk_full` for an error that says so, any other error as it is. */
export const fullDisk = (error: unknown): unknown => (isFull(error) ? Object.assign(fail('server.disk_full'), { cause: error }) : error)
