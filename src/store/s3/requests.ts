import { Agent, request as requestPlain, type IncomingHttpHeaders } from 'node:http'
import { Agent as SecureAgent, request as requestSecure } from 'node:https'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { fail } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { StorageRequests } from '../files/file-storage.ts'
import { addressOf, type Bucket } from './bucket.ts'
import { LARGE, Stalled, start, streamOf, textOf, type Content, type Patience } from './answers.ts'

/*
 * Signed requests to the bucket that the operator chose, and to nothing else: redirects are not followed. Each is bounded in time and tried
 * again a few times. Nothing that is thrown or counted has a key or a signature in it.
 */

export interface Asked {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  /** None: the bucket itself. */
  readonly key?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Content
  /** Statuses of the answer; any other is a failure. */
  readonly expects: readonly number[]
  /** Default: limits.s3Attempts. */
  readonly attempts?: number
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** To be read or destroyed by who asked, for GET; otherwise it is read already. */
  readonly body: Readable
}

export interface Requests {
  /** @throws `server.files_unavailable` */
  ask(asked: Asked): Promise<Answer>
  counts(): readonly StorageRequests[]
}

/** Why an attempt failed, for the log. */
class Fault extends Error {
  readonly mayRepeat: boolean
  constructor(message: string, mayRepeat: boolean, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause })
    this.mayRepeat = mayRepeat
  }
}

const cutShort = (error: unknown): never => {
  throw new Fault('the answer was cut short', !(error instanceof Stalled), error)
}
/** The status says enough. */
const unsaid = (): string => ''

const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
/** Connections without work that are kept. Those with work are as many as there are requests of clients, which are bounded. */
const IDLE = 32

const PATIENCE: Patience = { connect: limits.s3Connect.most, stall: limits.s3Stall.most, pause: 250 }

export function s3Requests(bucket: Bucket, patience = PATIENCE): Requests {
  // Whatever NODE_TLS_REJECT_UNAUTHORIZED says.
  const options = { keepAlive: true, maxFreeSockets: IDLE, scheduling: 'lifo', rejectUnauthorized: true } as const
  const agent = isSecure(bucket) ? new SecureAgent(options) : new Agent(options)
  const counted = new Map<string, { labels: StorageRequests['labels']; value: number }>()
  const signingKeys: SigningKeys = new Map()

  function count(method: string, result: string): void {
    const name = `${method} ${result}`
    const one = counted.get(name) ?? { labels: { method, result }, value: 0 }
    counted.set(name, one)
    one.value++
  }

  return {
    async ask(asked) {
      const { method, attempts = limits.s3Attempts.most } = asked
      for (let attempt = 1; ; attempt++) {
        try {
          const answer = await answered(await begin(bucket, agent, signingKeys, asked, patience), asked)
          count(method, String(answer.status))
          return answer
        } catch (error) {
          if (!(error instanceof Fault)) throw error
          count(method, 'failed')
          const { message, cause } = error
          if (!error.mayRepeat || attempt >= attempts)
            throw Object.assign(fail('server.files_unavailable'), { cause: new Error(`S3: ${method}: ${message}`, { cause }) })
        }
        await sleep(patience.pause * 4 ** (attempt - 1))
      }
    },
    counts: () => [...counted.values()].map(({ labels, value }) => ({ labels, value })),
  }
}

type SigningKeys = Map<string, ArrayBuffer>

const isSecure = ({ endpoint }: Bucket): boolean => endpoint.startsWith('https:')

/** Signs and sends a request. Resolves with the head of its answer. */
async function begin(
  bucket: Bucket,
  agent: Agent,
  cache: SigningKeys,
  { method, key, query, headers, body }: Asked,
  patience: Patience,
): Promise<Answer> {
  const signed = await new AwsV4Signer({
    method,
    url: addressOf(bucket, key, query).href,
    headers: { 'x-amz-content-sha256': body?.hash ?? EMPTY, ...headers },
    accessKeyId: bucket.accessKey,
    secretAccessKey: bucket.secretKey,
    region: bucket.region,
    service: 's3',
    cache,
  }).sign()
  const request = (isSecure(bucket) ? requestSecure : requestPlain)(signed.url, {
    method,
    agent,
    headers: {
      ...Object.fromEntries(signed.headers),
      ...(method === 'PUT' && { 'Content-Length': String(body?.size ?? 0) }),
      ...(body && { 'Content-Type': 'application/octet-stream' }),
      ...(body && body.size >= LARGE && { Expect: '100-continue' }),
    },
  })
  const answer = await start(request, body, patience).catch((error: unknown) => {
    throw new Fault('no answer', !(error instanceof Stalled), error)
  })
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: streamOf(answer, patience.stall) }
}

/** The answer, if it is one that is expected. */
async function answered(answer: Answer, { method, expects }: Asked): Promise<Answer> {
  const { status, body } = answer
  if (expects.includes(status)) {
    // A copy that fails late is answered with 200 and an error.
    if (method !== 'GET' && (await textOf(body, limits.s3Error.most).catch(cutShort)).includes('<Error>') && status === 200)
      throw new Fault('answered 200 with an error', true)
    return answer
  }
  const said = /<Code>(\w{1,60})<\/Code>/.exec(await textOf(body, limits.s3Error.most).catch(unsaid))?.[1] ?? ''
  throw new Fault(`answered ${status} ${said}`.trim(), status >= 500 || status === 429 || status === 408)
}
