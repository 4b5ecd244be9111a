import { mkdtempSync, rmSync } from 'node:fs'
import type { IncomingMessage, RequestListener } from 'node:http'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FileStorage } from '../../src/store/files/file-storage.ts'
import type { Bucket } from '../../src/store/s3/bucket.ts'
import { s3Files } from '../../src/store/s3/s3-files.ts'
import { selfSigned } from './self-signed.ts'

/** s3rver: an S3-speaking server in this process. It has no types, accepts every secret, and never says what it stores. */
interface Running {
  run(): Promise<AddressInfo>
  close(): Promise<void>
}

export interface TestBucket {
  readonly bucket: Bucket
  /** The settings of a server that uses it. */
  readonly environment: Readonly<Record<string, string>>
  files(directory: string): FileStorage
  close(): Promise<void>
}

/** What continues a list it encrypts with DES, which Node has as triple DES with the same key three times. */
function haveDes(require: NodeJS.Require): void {
  const crypto = require('node:crypto') as { createCipheriv: Cipher; createDecipheriv: Cipher }
  type Cipher = (name: string, key: Buffer, iv: Buffer) => unknown
  for (const method of ['createCipheriv', 'createDecipheriv'] as const) {
    const known = crypto[method]
    crypto[method] = (name, key, iv) => (name === 'des' ? known('des-ede3-cbc', Buffer.concat([key, key, key]), iv) : known(name, key, iv))
  }
}

/** An empty bucket on a real server. `isSecure`: with the certificate of self-signed.ts. */
export async function startBucket({ isSecure = false } = {}): Promise<TestBucket> {
  const directory = mkdtempSync(join(tmpdir(), 'kartoteka-bucket-'))
  const require = createRequire(import.meta.url)
  haveDes(require)
  const S3rver = require('s3rver') as new (options: object) => Running
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: 'papers' }],
    ...(isSecure && selfSigned),
  })
  const { port } = await server.run()
  const bucket = bucketAt(isSecure ? `https://localhost:${port}` : `http://127.0.0.1:${port}`)
  return {
    bucket,
    environment: {
      KARTOTEKA_S3_BUCKET: bucket.name,
      KARTOTEKA_S3_ENDPOINT: bucket.endpoint,
      KARTOTEKA_S3_ACCESS_KEY: bucket.accessKey,
      KARTOTEKA_S3_SECRET_KEY: bucket.secretKey,
      KARTOTEKA_S3_PREFIX: bucket.prefix,
    },
    files: (folder) => s3Files(bucket, folder),
    async close() {
      await server.close()
      rmSync(directory, { recursive: true })
    },
  }
}

export const bucketAt = (endpoint: string, more: Partial<Bucket> = {}): Bucket => ({
  endpoint,
  name: 'papers',
  region: 'eu-central-1',
  // s3rver knows no other.
  accessKey: 'S3RVER',
  secretKey: 'S3RVER',
  prefix: 'crm/files/',
  addressing: 'path',
  ...more,
})

/** A server that answers like none should. Its requests, without their bodies. */
export async function startFaulty(listener: RequestListener): Promise<{ url: string; asked: IncomingMessage[]; close(): void }> {
  const asked: IncomingMessage[] = []
  const server = createServer((request, response) => {
    asked.push(request)
    listener(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
