import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { setDefaultCACertificates } from 'node:tls'
import { startBucket, type TestBucket } from '../../../test/support/bucket.ts'
import { selfSigned } from '../../../test/support/self-signed.ts'
import type { FileStorage } from '../files/file-storage.ts'
import { localFiles } from '../files/local-files.ts'
import { asideOf, keyOf } from './bucket.ts'
import { listObjects } from './list-objects.ts'
import { s3Requests, type Requests } from './requests.ts'
import { s3Files } from './s3-files.ts'

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const nobody = async () => false

/** What every storage of files does: the same tests for both. */
for (const [name, begin] of [
  ['a directory', async (directory: string) => ({ files: localFiles(join(directory, 'files')), close: async () => {} })],
  [
    'a bucket',
    async (directory: string) => {
      const bucket = await startBucket()
      return { files: bucket.files(directory), close: bucket.close }
    },
  ],
] as const)
  describe(`files in ${name}`, () => {
    let directory: string
    let files: FileStorage
    let close: () => Promise<void>
    before(async () => {
      directory = mkdtempSync(join(tmpdir(), 'kartoteka-files-'))
      ;({ files, close } = await begin(directory))
    })
    after(async () => {
      await close()
      rmSync(directory, { recursive: true })
    })
    async function* inPieces(bytes: Buffer, size = 70_000) {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
    }
    const read = async (hash: string, range?: { start: number; end: number }) => buffer((await files.stream(hash, range))!)

    it('are kept by their hash, however they come', async () => {
      const [small, large, other] = [randomBytes(10), randomBytes(3_000_000), randomBytes(100_000)]
      assert.equal(await files.put(small), sha256(small))
      assert.deepEqual(await files.receive(inPieces(large)), { hash: sha256(large), size: large.length })
      await files.putAs(sha256(other), inPieces(other))
      for (const bytes of [small, large, other]) assert.deepEqual(await read(sha256(bytes)), bytes)
      assert.equal((await files.stat(sha256(large)))!.size, large.length)
      assert.ok((await files.stat(sha256(large)))!.age < 60_000)
      assert.deepEqual(await read(sha256(large), { start: 1_000_000, end: 1_000_004 }), large.subarray(1_000_000, 1_000_005))
      const all: string[] = []
      for await (const hash of files.list()) all.push(hash)
      assert.deepEqual(all, [small, large, other].map(sha256).sort())
    })

    it('may be empty, and stored again', async () => {
      const none = Buffer.alloc(0)
      assert.equal(await files.put(none), sha256(none))
      assert.deepEqual(await files.receive(inPieces(none)), { hash: sha256(none), size: 0 })
      assert.deepEqual(await read(sha256(none)), none)
    })

    it('are unknown where they are not stored', async () => {
      const hash = sha256(Buffer.from('never stored'))
      assert.equal(await files.stat(hash), undefined)
      assert.equal(await files.stream(hash), undefined)
      assert.equal(await files.small.get(hash, '64'), undefined)
    })

    it('that break off leave nothing', async () => {
      const bytes = randomBytes(200_000)
      async function* breaking() {
        yield bytes
        throw new Error('The client has gone.')
      }
      await assert.rejects(files.receive(breaking()), /The client has gone/)
      assert.equal(await files.stat(sha256(bytes)), undefined)
      assert.deepEqual(
        readdirSync(join(directory, 'files')).filter((one) => one.endsWith('.part')),
        [],
      )
    })

    it('are swept when nothing names them, with what was made from them, and not while a backup holds them', async () => {
      const [named, orphan] = [await files.put(randomBytes(50)), await files.put(randomBytes(50))]
      const isNamed = async (hash: string) => hash !== orphan
      for (const hash of [named, orphan]) await files.small.put(hash, '64', Buffer.from('small'))
      assert.equal(await files.sweep(isNamed, 3_600_000), 0)
      const release = files.hold()
      assert.equal(await files.sweep(isNamed, 0), 0)
      release()
      assert.equal(await files.sweep(isNamed, 0), 1)
      assert.deepEqual([(await files.stat(named))?.size, (await files.small.get(named, '64'))?.toString()], [50, 'small'])
      assert.equal(await files.small.get(orphan, '64'), undefined)
      const left: string[] = []
      for await (const hash of files.list()) left.push(hash)
      assert.ok(left.includes(named) && !left.includes(orphan))
    })

    it('can be reached', () => files.reach())
  })

describe('an object of a bucket', () => {
  let bucket: TestBucket
  let files: FileStorage
  const directory = mkdtempSync(join(tmpdir(), 'kartoteka-files-'))
  before(async () => {
    bucket = await startBucket()
    files = bucket.files(directory)
  })
  after(async () => {
    await bucket.close()
    rmSync(directory, { recursive: true })
  })
  const keys = async () => {
    const all: string[] = []
    for await (const { key } of listObjects(s3Requests(bucket.bucket), bucket.bucket.prefix)) all.push(key)
    return all
  }

  it('that a sweep has put aside comes back when it is asked for: a record may have named it at the same moment', async () => {
    for (const ask of [
      (hash: string) => files.stat(hash),
      async (hash: string) => buffer((await files.stream(hash))!),
      () => files.put(Buffer.from('named')),
    ]) {
      const hash = await files.put(Buffer.from('named'))
      assert.equal(await files.sweep(nobody, 0), 1)
      assert.deepEqual(await keys(), [asideOf(hash)])
      await ask(hash)
      assert.deepEqual(await keys(), [keyOf(hash)])
    }
  })

  it('is never lost by two sweeps at once, while somebody stores the same bytes again and names them', async () => {
    const other = bucket.files(directory)
    const bytes = Buffer.from('the same bytes')
    const hash = sha256(bytes)
    for (let round = 0; round < 3; round++) {
      await files.put(bytes)
      let isNamed = false
      const sweeps = [files, other].map((one) => one.sweep(async (of) => of !== hash || isNamed, 0))
      await other.put(bytes)
      isNamed = true
      await Promise.all(sweeps)
      assert.equal((await files.stat(hash))?.size, bytes.length)
    }
  })

  it('is replaced where it has another size than the same bytes that are stored again', async () => {
    const bytes = Buffer.from('whole')
    const [hash, part] = [sha256(bytes), Buffer.from('wh')]
    const body = { hash: sha256(part), size: part.length, pieces: () => [part] }
    await s3Requests(bucket.bucket).ask({ method: 'PUT', key: keyOf(hash), body, expects: [200] })
    await files.put(bytes)
    assert.deepEqual(await buffer((await files.stream(hash))!), bytes)
  })

  it('that was put aside is removed a day later, unless something names it by then', async () => {
    const day = 86_400_000
    const [named, orphan] = ['named later', 'orphan'].map((text) => sha256(Buffer.from(text))) as [string, string]
    let ages = 0
    /** A bucket whose clock is so far ahead. */
    const ahead = s3Requests(bucket.bucket)
    const requests: Requests = {
      ...ahead,
      async ask(asked) {
        const answer = await ahead.ask(asked)
        return { ...answer, headers: { ...answer.headers, date: new Date(Date.parse(answer.headers.date!) + ages).toUTCString() } }
      },
    }
    const later = s3Files(bucket.bucket, directory, requests)
    for (const text of ['named later', 'orphan']) await later.put(Buffer.from(text))
    const isNamed = async (hash: string) => hash === named && ages > 0
    await later.sweep(nobody, 0)
    ages = day - 60_000
    await later.sweep(isNamed, 3_600_000)
    assert.ok((await keys()).includes(asideOf(orphan)))
    ages = day + 60_000
    await later.sweep(isNamed, 3_600_000)
    const left = await keys()
    assert.deepEqual(
      [keyOf(named), asideOf(named), keyOf(orphan), asideOf(orphan)].map((key) => left.includes(key)),
      [true, false, false, false],
    )
  })
})

it('a bucket over TLS is used if its certificate is trusted', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'kartoteka-files-'))
  const { bucket, close } = await startBucket({ isSecure: true })
  const files = s3Files(bucket, directory, s3Requests(bucket, { connect: 5_000, stall: 5_000, pause: 1 }))
  const bytes = randomBytes(2_000_000)
  await assert.rejects(files.put(bytes), { code: 'server.files_unavailable' })
  setDefaultCACertificates([selfSigned.cert])
  const hash = await files.put(bytes)
  assert.deepEqual(await buffer((await files.stream(hash))!), bytes)
  await close()
  rmSync(directory, { recursive: true })
})
