import { isAscii, isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { readSync, writeSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { Failure } from '../../errors.ts'
import { base64Reader } from '../../store/files/base64.ts'
import { notUtf8, readJson } from './json.ts'
import { filesIn, taking, type Gap, type Taken } from './take-out.ts'
import { unescape } from './unescape.ts'

/*
 * The thread that reads bodies which are too large for memory (large-bodies.ts), one at a time, each from its file. Contents of
 * file objects are decoded in place in that file: decoded they are never longer.
 */

export interface Task {
  /** The file descriptor. */
  readonly descriptor: number
  /** Bytes. */
  readonly size: number
  /** A random text, which no client can guess. */
  readonly nonce: string
}

/** The content of a file object, by the key that replaces it in the text: where it is in the file, decoded; or that it is not base64. */
export type Decoded = { readonly at: number; readonly size: number; readonly hash: string } | 'not base64'

export type Result =
  /** `text`: the body as JSON, without the contents of files; `hash`: of the body, SHA-256 in hex. */
  | { readonly text: string; readonly contents: ReadonlyMap<string, Decoded>; readonly hash: string }
  | { readonly refused: Pick<Failure, 'code' | 'status' | 'title' | 'retryAfter' | 'message' | 'where'> }
  | { readonly failed: Error }
  | 'abandoned'

/** Thrown where nobody waits for the answer any more. */
class Gone extends Error {}

/** Bytes that are read at once. */
const PIECE = 262_144

// In the main thread this module is only loaded to be put into the compile cache.
if (parentPort) serve(parentPort, workerData as Int32Array)

/** `signal`: 1 when nobody waits for the answer any more. */
function serve(port: NonNullable<typeof parentPort>, signal: Int32Array): void {
  const look = () => {
    if (Atomics.load(signal, 0) === 1) throw new Gone()
  }
  port.on('message', (task: Task) => port.postMessage(perform(task, look)))
}

function perform(task: Task, look: () => void): Result {
  try {
    const hash = createHash('sha256')
    const rest = taking(task.nonce)
    for (const piece of pieces(task.descriptor, 0, task.size, look)) {
      if (!isUtf8(piece)) throw notUtf8()
      hash.update(piece)
      rest.take(piece)
    }
    const taken = rest.end()
    const { text, value } = readJson(taken.bytes, (place) => placeInBody(task, taken, place, look))
    return { text, contents: decodeAll(task, taken, value, look), hash: hash.digest('hex') }
  } catch (error) {
    if (error instanceof Gone) return 'abandoned'
    if (!(error instanceof Failure)) return { failed: error instanceof Error ? error : new Error(String(error)) }
    const { code, status, title, retryAfter, message, where } = error
    return { refused: { code, status, title, retryAfter, message, where } }
  }
}

/** A part of a file in pieces, from one byte to another; no piece ends within a character. */
function* pieces(descriptor: number, from: number, to: number, look: () => void): Generator<Buffer> {
  const piece = Buffer.allocUnsafe(PIECE)
  for (let at = from; at < to;) {
    look()
    const length = readAll(descriptor, piece.subarray(0, Math.min(PIECE, to - at)), at)
    const end = at + length === to ? length : wholeCharacters(piece, length)
    yield piece.subarray(0, end)
    at += end
  }
}

function readAll(descriptor: number, into: Buffer, at: number): number {
  let length = 0
  while (length < into.length) {
    const count = readSync(descriptor, into, length, into.length - length, at + length)
    if (count === 0) throw new Error('The file of a body is shorter than the body.')
    length += count
  }
  return length
}

/** How many of these bytes of UTF-8 are whole characters. */
function wholeCharacters(bytes: Buffer, length: number): number {
  for (let end = length; end > length - 4; end--) if ((bytes[end]! & 0xc0) !== 0x80 && end < length) return end
  return length
}

/** The length of a part of the body in code units. */
function unitsOf({ descriptor }: Task, from: number, to: number, look: () => void): number {
  let units = 0
  for (const piece of pieces(descriptor, from, to, look)) units += isAscii(piece) ? piece.length : piece.toString('utf8').length
  return units
}

/** The place in the body of a code unit of the text without contents. */
function placeInBody(task: Task, { bytes, gaps }: Taken, place: number, look: () => void): number {
  const begin = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  let [done, units, moved] = [begin, 0, 0]
  for (const { key, at, from, to, fault } of gaps) {
    units += bytes.toString('utf8', done, at).length
    done = at
    if (place < units) break
    if (fault !== undefined && place === units) return place + moved + unitsOf(task, from, fault, look)
    moved += unitsOf(task, from, to, look) - key.length
  }
  return place + moved
}

/** Decodes the contents that the parsed text has: of several members with one name, the last one counts. */
function decodeAll(task: Task, { gaps }: Taken, value: unknown, look: () => void): Map<string, Decoded> {
  const contents = new Map<string, Decoded>()
  if (gaps.length === 0) return contents
  const byKey = new Map(gaps.map((gap) => [gap.key, gap]))
  for (const file of filesIn(value)) {
    const gap = byKey.get(file['content'] as string)
    if (gap) contents.set(gap.key, decode(task, gap, file['binary'] === true, look))
  }
  return contents
}

function decode({ descriptor }: Task, { from, to }: Gap, isBinary: boolean, look: () => void): Decoded {
  const hash = createHash('sha256')
  const reader = base64Reader()
  const piece = Buffer.allocUnsafe(Math.min(PIECE, to - from))
  let size = 0
  for (let at = from; at < to;) {
    look()
    const length = readAll(descriptor, piece.subarray(0, Math.min(piece.length, to - at)), at)
    const { read, written } = unescape(piece.subarray(0, length), at + length === to)
    at += read
    const bytes = isBinary ? reader.take(piece.toString('latin1', 0, written)) : piece.subarray(0, written)
    if (!bytes) return 'not base64'
    hash.update(bytes)
    for (let done = 0; done < bytes.length;) done += writeSync(descriptor, bytes, done, bytes.length - done, from + size + done)
    size += bytes.length
  }
  return reader.isWhole() ? { at: from, size, hash: hash.digest('hex') } : 'not base64'
}
