import assert from 'node:assert/strict'
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { it, describe } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { SignatureV4 } from '@smithy/signature-v4'
import { bucketAt, startBucket, startFaulty } from '../../../test/support/bucket.ts'
import { limits } from '../../limits.ts'
import { addressOf, type Bucket } from './bucket.ts'
import { listObjects } from './list-objects.ts'
import { s3Requests, type Asked } from './requests.ts'
import { s3Files } from './s3-files.ts'

const HASH = 'ab'.repeat(32)
const KEY = `ab/${'ab'.repeat(31)}`
const get: Asked = { method: 'GET', key: KEY, expects: [200, 206, 404] }
const hurried = { connect: 5_000, stall: 5_000, pause: 1 }
const content = (bytes: Buffer) => ({ hash: createHash('sha256').update(bytes).digest('hex'), size: bytes.length, pieces: () => [bytes] })

/** Runs work against a server that answers so. Returns what was asked. */
async function against(listener: RequestListener, work: (bucket: Bucket) => Promise<unknown>) {
  const server = await startFaulty(listener)
  try {
    await work(bucketAt(server.url))
  } finally {
    server.close()
  }
  return server.asked
}

/** The code of the failure, and what its cause says. */
const fault = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => assert.fail('it succeeded'),
    (failure: Error & { code?: string }) => failure,
  )
  return `${error.code}: ${(error.cause as Error).message}`
}

describe('requests to a bucket', () => {
  it('are signed as @smithy/signature-v4 signs them', async () => {
    const bytes = Buffer.from('bytes')
    class Sha256 {
      readonly hash
      constructor(secret?: string | Uint8Array) {
        this.hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret)
      }
      update(data: Uint8Array) {
        this.hash.update(data)
      }
      async digest() {
        return this.hash.digest()
      }
    }
    const asked: readonly Asked[] = [
      { ...get, headers: { Range: 'bytes=0-1' } },
      { method: 'HEAD', key: KEY, expects: [200] },
      { method: 'PUT', key: KEY, body: content(bytes), expects: [200] },
      { method: 'PUT', key: KEY, headers: { 'x-amz-copy-source': '/papers/a b', 'x-amz-metadata-directive': 'REPLACE' }, expects: [200] },
      { method: 'GET', query: { 'list-type': '2', prefix: 'crm/files/', 'continuation-token': 'a+b/c=&d e' }, expects: [200] },
    ]
    const seen = await against(
      (request, response) => request.resume().once('end', () => response.end()),
      async (bucket) => {
        for (const one of asked) (await s3Requests({ ...bucket, secretKey: 'a/secret+key=' }).ask(one)).body.resume()
      },
    )
    assert.equal(seen.length, asked.length)
    for (const [i, { method, url, headers }] of seen.entries()) {
      const { pathname, searchParams } = new URL(url!, 'http://x')
      const signedNames = /SignedHeaders=([^,]+)/.exec(headers.authorization!)![1]!.split(';')
      assert.ok(signedNames.includes('host') && signedNames.includes('x-amz-content-sha256'))
      const [date, time] = [headers['x-amz-date'] as string, (headers['x-amz-date'] as string).replace(/T(..)(..)/, 'T$1:$2:')]
      const signer = new SignatureV4({
        credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'a/secret+key=' },
        region: 'eu-central-1',
        service: 's3',
        sha256: Sha256 as never,
        uriEscapePath: false,
        applyChecksum: false,
      })
      const oracle = await signer.sign(
        {
          method: method!,
          protocol: 'http:',
          hostname: 'x',
          path: pathname,
          query: Object.fromEntries(searchParams),
          headers: Object.fromEntries(signedNames.filter((name) => name !== 'x-amz-date').map((name) => [name, String(headers[name])])),
        },
        { signingDate: new Date(time.replace(/^(....)(..)/, '$1-$2-')) },
      )
      assert.equal(oracle.headers['x-amz-date'], date)
      assert.equal(headers.authorization, oracle.headers['authorization'], asked[i]!.method)
    }
    assert.equal(seen[2]!.headers['x-amz-content-sha256'], content(bytes).hash)
  })

  it('go to the bucket in the path or in the host, under the prefix', () => {
    const bucket = bucketAt('https://s3.example.com')
    assert.equal(addressOf(bucket, KEY).href, `https://s3.example.com/papers/crm/files/${KEY}`)
    assert.equal(addressOf(bucket, undefined, { 'list-type': '2' }).href, 'https://s3.example.com/papers?list-type=2')
    const inHost = { ...bucket, addressing: 'host', prefix: '' } as const
    assert.equal(addressOf(inHost, KEY).href, `https://papers.s3.example.com/${KEY}`)
    assert.equal(addressOf({ ...bucket, endpoint: 'http://minio:9000/s3/' }).href, 'http://minio:9000/s3/papers')
  })

  it('are tried again for what may pass, up to limits.s3Attempts times', async () => {
    let count = 0
    const asked = await against(
      (request, response) => {
        count++
        if (count === 1) request.socket.destroy()
        else if (count === 2) response.writeHead(503).end('<Error><Code>SlowDown</Code></Error>')
        else request.pipe(response)
      },
      async (bucket) => {
        const requests = s3Requests(bucket, hurried)
        await requests.ask({ method: 'PUT', key: KEY, body: content(Buffer.from('again')), expects: [200] })
        assert.deepEqual(
          requests.counts().map(({ labels, value }) => [labels.method, labels.result, value]),
          [
            ['PUT', 'failed', 2],
            ['PUT', '200', 1],
          ],
        )
      },
    )
    assert.equal(asked.length, 3)
    const failing = await against(
      (_, response) => response.writeHead(500).end(),
      async (bucket) => assert.equal(await fault(s3Requests(bucket, hurried).ask(get)), 'server.files_unavailable: S3: GET: answered 500'),
    )
    assert.equal(failing.length, limits.s3Attempts.most)
  })

  it('are not tried again where they are refused, and follow no redirect', async () => {
    for (const [status, code] of [
      [403, 'SignatureDoesNotMatch'],
      [400, 'InvalidRequest'],
      [301, 'PermanentRedirect'],
      [307, 'TemporaryRedirect'],
    ] as const) {
      const asked = await against(
        (_, response) =>
          response.writeHead(status, { Location: 'http://127.0.0.1:1/' }).end(`<Error><Code>${code}</Code><Key>k</Key></Error>`),
        async (bucket) =>
          assert.equal(await fault(s3Requests(bucket).ask(get)), `server.files_unavailable: S3: GET: answered ${status} ${code}`),
      )
      assert.equal(asked.length, 1)
    }
  })

  it('of many bytes are refused by the head, before the bytes are sent', async () => {
    const bytes = randomBytes(8 << 20)
    let received = 0
    await against(
      () => assert.fail('it did not ask'),
      async (bucket) => {
        const server = await startFaulty(() => {})
        server.close()
        assert.match(await fault(s3Requests({ ...bucket, endpoint: server.url }, hurried).ask(get)), /no answer/)
      },
    )
    const refusing = await startFaulty((request, response) => {
      request.on('data', (chunk: Buffer) => (received += chunk.length))
      response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>')
    })
    const asked: Asked = { method: 'PUT', key: KEY, body: content(bytes), expects: [200] }
    assert.match(await fault(s3Requests(bucketAt(refusing.url)).ask(asked)), /answered 403 AccessDenied/)
    refusing.close()
    assert.ok(received < bytes.length)
  })

  it('that take too long end, whichever side is slow (limits.s3Connect, limits.s3Stall)', async () => {
    const patience = { connect: 5_000, stall: 300, pause: 1 }
    const asked = await against(
      () => {},
      async (bucket) => {
        assert.match(await fault(s3Requests(bucket, patience).ask(get)), /no answer/)
        const put: Asked = { method: 'PUT', key: KEY, body: content(Buffer.from('x')), expects: [200] }
        assert.match(await fault(s3Requests(bucket, patience).ask(put)), /no answer/)
      },
    )
    // Not tried again: whoever waits has waited long enough.
    assert.equal(asked.length, 2)
    await against(
      (_, response) => response.writeHead(200, { 'Content-Length': '10' }).write('12345'),
      async (bucket) => {
        const { body } = await s3Requests(bucket, patience).ask(get)
        await assert.rejects(buffer(body), /no byte in time/)
      },
    )
  })

  it('end with the client that reads their bytes, and wait for a slow one', async () => {
    const closed = Promise.withResolvers<void>()
    await against(
      (_, response) => {
        response.once('close', closed.resolve)
        response.writeHead(200).write(Buffer.alloc(1 << 20))
      },
      async (bucket) => {
        const { body } = await s3Requests(bucket, { connect: 5_000, stall: 400, pause: 1 }).ask(get)
        await new Promise((resolve) => body.once('readable', resolve))
        await sleep(600)
        assert.equal(body.errored, null)
        body.destroy()
        await closed.promise
      },
    )
  })

  it('take no answer that is too long', async () => {
    await against(
      (_, response) => response.end(Buffer.alloc(limits.s3Error.most + 1)),
      async (bucket) =>
        assert.match(await fault(s3Requests(bucket, hurried).ask({ method: 'DELETE', key: KEY, expects: [200] })), /cut short/),
    )
    await against(
      (_, response) => response.end(Buffer.alloc(limits.s3Page.most + 1)),
      async (bucket) =>
        assert.match(await fault(listObjects(s3Requests(bucket), bucket.prefix).next()), /an answer of more than 8388608 bytes/),
    )
  })

  it('tell nothing secret of what fails', async () => {
    await against(
      (_, response) => response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>'),
      async (bucket) => {
        const secret = 'wJalrXUtnFEMI/K7MDENG'
        const requests = s3Requests({ ...bucket, secretKey: secret, accessKey: 'AKIDEXAMPLE' })
        const error = (await requests.ask(get).catch((failure: unknown) => failure)) as Error & { cause: Error }
        const told = [error.message, error.stack, error.cause.message, error.cause.stack, JSON.stringify(requests.counts())].join()
        for (const word of [secret, 'AKIDEXAMPLE', 'Signature', HASH.slice(2)]) assert.ok(!told.includes(word), word)
      },
    )
  })

  it('for a copy that fails late is a failure, although it is answered with 200', async () => {
    await against(
      (_, response) => response.end('<?xml version="1.0"?><Error><Code>InternalError</Code></Error>'),
      async (bucket) => {
        const asked: Asked = { method: 'PUT', key: KEY, headers: { 'x-amz-copy-source': '/papers/x' }, expects: [200], attempts: 1 }
        assert.match(await fault(s3Requests(bucket).ask(asked)), /answered 200 with an error/)
      },
    )
  })
})

describe('a list of objects', () => {
  it('has all pages, and only what is under the prefix', async () => {
    const { bucket, files, close } = await startBucket()
    const directory = mkdtempSync(join(tmpdir(), 'kartoteka-files-'))
    const hashes = await Promise.all(Array.from({ length: 5 }, () => files(directory).put(randomBytes(9))))
    await s3Files({ ...bucket, prefix: 'other/' }, directory).put(Buffer.from('of another installation'))
    const requests = s3Requests(bucket)
    const found: string[] = []
    for await (const { key, age } of listObjects(requests, bucket.prefix, '', 2)) {
      assert.ok(age < 60_000)
      found.push(key.replace('/', ''))
    }
    assert.deepEqual(found, hashes.sort())
    assert.equal(requests.counts()[0]!.value, 3)
    await close()
    rmSync(directory, { recursive: true })
  })

  it('is no list where the answer is none', async () => {
    await against(
      (_, response) =>
        response.writeHead(200, { Date: 'soon' }).end('<ListBucketResult><Contents><Key>crm/files/a</Key></Contents></ListBucketResult>'),
      async (bucket) => {
        const reading = listObjects(s3Requests(bucket), bucket.prefix).next()
        assert.equal(await fault(reading), 'server.files_unavailable: S3: an answer without a time')
      },
    )
  })
})
