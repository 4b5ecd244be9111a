import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { FileStorage, IsNamed, Stored, StoredBytes } from '../files/file-storage.ts'
import { newName, removeParts, roomIn } from '../files/local-files.ts'
import { spools, type Spool } from '../files/spool.ts'
import { limits } from '../../limits.ts'
import { textOf, type Content } from './answers.ts'
import { asideOf, hashAside, hashOf, smallOf, type Bucket } from './bucket.ts'
import { listObjects } from './list-objects.ts'
import { objectsOf, type Objects } from './objects.ts'
import { s3Requests, type Requests } from './requests.ts'

/*
 * Bytes of file fields in a bucket. What arrives is first written to a file without a name in the data directory, and hashed; then it is sent
 * in one request under its final key, with its hash and length. So the bucket has whole objects only, whose bytes the service has
 * compared with the hash; a process that ends in the middle leaves nothing, and an attempt can be repeated.
 */

/** Milliseconds for which bytes are kept after a sweep has put them aside. */
const ASIDE = 86_400_000
/** Milliseconds of age from which on bytes that are stored again are touched; a sweep spares them for longer. */
const TOUCHED = 600_000
/** Milliseconds for which an answer of `reach` is used again. */
const KEPT = 10_000

/** `directory`: for bytes that have not left yet. */
export function s3Files(bucket: Bucket, directory: string, requests: Requests = s3Requests(bucket)): FileStorage {
  const objects = objectsOf(bucket, requests)
  const folder = join(directory, 'files')
  // Unlike answers, uploads are bounded by their number and size.
  const newSpool = spools(folder, newName, Infinity)
  let holds = 0

  async function receive(bytes: AsyncIterable<Uint8Array>): Promise<StoredBytes> {
    const spool = await newSpool()
    try {
      const hash = await writeHashed(spool, bytes)
      if (!(await isKept(objects, hash, spool.size))) await objects.put({ hash, size: spool.size, pieces: () => spool.part(0, spool.size) })
      return { hash, size: spool.size }
    } finally {
      await spool.close()
    }
  }

  return {
    receive,
    async put(bytes) {
      const content = contentOf(bytes)
      if (!(await isKept(objects, content.hash, content.size))) await objects.put(content)
      return content.hash
    },
    async putAs(hash, bytes) {
      if (await isKept(objects, hash)) return
      const found = await receive(bytes)
      if (found.hash !== hash) throw new Error('Bytes are not those of their hash.')
    },
    stream: objects.get,
    spool: spools(folder, newName),
    room: () => roomIn(folder),
    async *list() {
      for await (const { key } of listObjects(requests, bucket.prefix)) {
        const hash = hashOf(key)
        if (hash !== undefined) yield hash
      }
    },
    stat: (hash): Promise<Stored | undefined> => objects.stat(hash),
    hold() {
      holds++
      let held = true
      return () => {
        if (held) holds--
        held = false
      }
    },
    small: smallObjects(requests),
    sweep: async (isNamed, milliseconds) =>
      (await removeParts(folder, milliseconds)) +
      (await sweepBucket({ bucket, requests, objects }, isNamed, milliseconds, () => holds > 0)),
    reach: reaching(bucket, requests),
    requests: requests.counts,
  }
}

/** Whether the bytes are stored already, and stay for the time that their record takes. */
async function isKept(objects: Objects, hash: string, size?: number): Promise<boolean> {
  const found = await objects.stat(hash)
  return found !== undefined && found.size === (size ?? found.size) && (found.age < TOUCHED || (await objects.touch(hash)))
}

async function writeHashed(spool: Spool, bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of bytes) {
    hash.update(chunk)
    await spool.write(chunk)
  }
  return hash.digest('hex')
}

function contentOf(bytes: Uint8Array): Content {
  const hash = createHash('sha256').update(bytes).digest('hex')
  return { hash, size: bytes.length, pieces: () => (bytes.length === 0 ? [] : [bytes]) }
}

function smallObjects(requests: Requests): FileStorage['small'] {
  return {
    async get(hash, name) {
      const answer = await requests.ask({ method: 'GET', key: smallOf(hash) + name, expects: [200, 404] })
      const chunks: Buffer[] = []
      for await (const chunk of answer.body as AsyncIterable<Buffer>) chunks.push(chunk)
      return answer.status === 200 ? Buffer.concat(chunks) : undefined
    },
    async put(hash, name, bytes) {
      await requests.ask({ method: 'PUT', key: smallOf(hash) + name, body: contentOf(bytes), expects: [200] })
    },
  }
}

/**
 * One walk through the bucket. Of what nothing names, old bytes are put aside, and those put aside are removed a day later, after another
 * look for names. Several processes may do this at once.
 */
async function sweepBucket(
  { bucket, requests, objects }: { readonly bucket: Bucket; readonly requests: Requests; readonly objects: Objects },
  isNamed: IsNamed,
  milliseconds: number,
  isHeld: () => boolean,
): Promise<number> {
  let swept = 0
  for await (const { key, age } of listObjects(requests, bucket.prefix)) {
    const [hash, aside] = [hashOf(key), hashAside(key)]
    if (hash !== undefined && age >= milliseconds && !(await isNamed(hash)) && !isHeld()) {
      // It may have been stored again since the page was read.
      const now = await objects.statHere(hash)
      if (now === undefined || now.age < milliseconds) continue
      await objects.putAside(hash)
      swept++
    }
    if (aside !== undefined && age >= Math.max(ASIDE, milliseconds)) {
      if (await isNamed(aside)) await objects.bringBack(aside)
      else await objects.remove(asideOf(aside))
    }
  }
  return swept
}

/** One question at a time, and one in some seconds. */
function reaching(bucket: Bucket, requests: Requests): () => Promise<void> {
  let last: Promise<void> | undefined
  const look = async () => {
    const query = { 'list-type': '2', 'max-keys': '1', prefix: bucket.prefix }
    await textOf((await requests.ask({ method: 'GET', query, expects: [200], attempts: 1 })).body, limits.s3Error.most)
  }
  return () => {
    if (last) return last
    const forget = () => void setTimeout(() => (last = undefined), KEPT).unref()
    last = look()
    last.then(forget, forget)
    return last
  }
}
