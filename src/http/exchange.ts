import type { FastifyRequest } from 'fastify'
import { fail } from '../errors.ts'
import type { Caller } from '../store/model/access.ts'
import { Stale } from '../store/model/stale.ts'
import type { StoredBytes } from '../store/files/file-storage.ts'
import type { Store } from '../store/ground/store.ts'
import type { Client } from '../store/model/asker.ts'
import { digest } from '../store/people/idempotency.ts'
import { clientOf } from './connections/client-gone.ts'
import { isSpooled, type Body } from './bodies/body.ts'
import { open, parseJson } from './bodies/json.ts'
import { hasBody, mustBeAcceptable, mustBeFollowed, mustBeReadable, mustBeShort } from './answers/negotiation.ts'
import { originOf } from './connections/origin.ts'
import { identify } from './identify.ts'
import type { paramsReader } from './routing/paths.ts'
import { readQuery, type Query } from './routing/query.ts'
import type { Incoming, Reply, Route } from './routing/route.ts'
import type { Serving } from './connections/serving.ts'
import { loggable } from './connections/failures.ts'

/* One request: authenticate, read, run. Failures are thrown, and caught in server.ts. */

/** A route with what is computed once at the start. */
export interface Endpoint {
  readonly route: Route
  readonly readParams: ReturnType<typeof paramsReader>
  readonly defaults: Query
}

/** How often a request is run again because the structure changed meanwhile: an import that makes many columns changes it for each. */
const RUNS = 100

/** Bytes from which on a body is long. */
const LONG = 262_144

const nextTurn = (): Promise<void> => new Promise((next) => setImmediate(next))

export async function respond(serving: Serving, endpoint: Endpoint, request: FastifyRequest): Promise<Reply> {
  const body = request.body as Body
  if (endpoint.route.receives) {
    const stored = body !== undefined && 'hash' in body ? body : undefined
    return perform(serving, endpoint, request, async () => received(stored ?? (await nothingStored(serving.store!))))
  }
  if (!isSpooled(body)) {
    const most = endpoint.route.token === 'none' ? open : undefined
    return perform(serving, endpoint, request, () => read(body as Uint8Array | undefined, most))
  }
  body.isTaken = true
  try {
    return await perform(serving, endpoint, request, async (client) => {
      const nonce = Buffer.from(serving.environment.randomBytes(16)).toString('hex')
      const { body: document, hash } = await serving.largeBodies.read(body.spool, nonce, client)
      return { body: document, bodyHash: () => hash, stored: undefined }
    })
  } finally {
    await body.spool.close()
  }
}

type Read = Pick<Incoming, 'body' | 'bodyHash' | 'stored'>

const read = (body: Uint8Array | undefined, most: Parameters<typeof parseJson>[1]): Read => ({
  body: body && parseJson(body, most),
  bodyHash: () => digest(body ?? ''),
  stored: undefined,
})

const received = (stored: StoredBytes): Read => ({ body: undefined, bodyHash: () => stored.hash, stored })

/** An upload without a body is an empty file. */
const nothingStored = async ({ files }: Store): Promise<StoredBytes> => ({ hash: await files.put(new Uint8Array()), size: 0 })

async function perform(
  serving: Serving,
  endpoint: Endpoint,
  request: FastifyRequest,
  read: (client: Client) => Read | Promise<Read>,
): Promise<Reply> {
  const { route, defaults } = endpoint
  // A request with a body was accepted before its body was read; it is finished even if the server is stopping by now.
  const store = route.method === 'GET' ? await mustBeKnown(serving, endpoint, request) : serving.store!
  const params = paramsOf(endpoint, request)
  const url = request.raw.url!
  if (url.includes('#')) throw fail('request.malformed', { why: 'The address of a request must not have a fragment (#).' })
  const mark = url.indexOf('?')
  const { pairs, parameters, query } = mark < 0 ? defaults : readQuery(url.slice(mark + 1), route)
  const path = mark < 0 ? url : url.slice(0, mark)
  const client = clientOf(request.raw.socket)
  const reading = read(client)
  const { body, bodyHash, stored } = reading instanceof Promise ? await reading : reading
  const sent = request.body as Body
  // The event loop handles other requests between the steps of a long body, which take some 10 ms each.
  const isLong = isSpooled(sent) || (sent instanceof Uint8Array && sent.length > LONG)
  if (isLong) await nextTurn()
  for (let run = 1; ; run++) {
    if (run > 1) await store.catchUp?.()
    const caller: Caller = { ...(await identify(serving.settings, store, route, request)), client }
    const incoming: Incoming = {
      store,
      catalogue: store.catalogue(),
      caller,
      params,
      query,
      parameters,
      pairs,
      isHead: request.method === 'HEAD',
      path: plainPath(path),
      origin: originOf(serving.settings.publicUrl, request),
      body,
      bodyHash,
      stored,
      header: headerOf(request),
    }
    try {
      const reply = await route.run(incoming)
      if (isLong) await nextTurn()
      return reply
    } catch (error) {
      if (!(error instanceof Stale)) throw error
      if (run === RUNS) {
        // A statement that fails each time for a missing column is a fault, not a change of the structure.
        serving.log.warn(
          { request: request.id, err: loggable(error) },
          'a request was given up: the structure changed under each of its runs',
        )
        throw fail('server.structure_changing')
      }
    }
  }
}

/**
 * All checks that do not need the body: the server is ready, the media types are right, and the caller, who is returned, may do what the
 * route does.
 * @throws `server.unavailable`, `request.…`, `auth.…`, and what `route.allow` throws
 */
export async function mustBeAllowed(serving: Serving, endpoint: Endpoint, request: FastifyRequest): Promise<Caller | undefined> {
  const store = await mustBeKnown(serving, endpoint, request)
  const { route } = endpoint
  if (!route.allow) return undefined
  const params = paramsOf(endpoint, request)
  const url = request.raw.url!
  // `perform` refuses wrong parameters: rights come first.
  const parameters = new Map(url.includes('?') ? new URLSearchParams(url.slice(url.indexOf('?') + 1)) : [])
  const caller = await identify(serving.settings, store, route, request)
  await route.allow({
    store,
    catalogue: store.catalogue(),
    caller,
    params,
    parameters,
    header: headerOf(request),
    length: lengthOf(request),
  })
  return caller
}

const lengthOf = ({ headers }: FastifyRequest): number | undefined =>
  headers['content-length'] === undefined ? undefined : Number(headers['content-length'])

const headerOf =
  ({ headers }: FastifyRequest): Incoming['header'] =>
  (name) =>
    headers[name.toLowerCase()] as string | undefined

function paramsOf({ readParams }: Endpoint, request: FastifyRequest): NonNullable<ReturnType<Endpoint['readParams']>> {
  const params = readParams(request.params as Readonly<Record<string, string>>)
  if (!params) throw fail('request.no_such_path')
  return params
}

async function mustBeKnown(serving: Serving, { route }: Endpoint, request: FastifyRequest): Promise<Store> {
  if (!serving.warnedOfProxy && request.headers['x-forwarded-for'] !== undefined) warnOfProxy(serving, request)
  const store = mustBeServing(serving)
  mustBeShort(request.headers)
  mustBeAcceptable(request.headers.accept, route.extension)
  const isDocument = !route.receives && request.method !== 'GET' && hasBody(request.headers)
  mustBeReadable(route.receives ? undefined : request.headers['content-type'], isDocument, route.extension)
  if (store.catchUp) await store.catchUp()
  await identify(serving.settings, store, route, request)
  mustBeFollowed(request.method, request.headers, route.headers ?? [])
  return store
}

/** @throws `server.unavailable` */
export function mustBeServing({ store, stopping }: Serving): Store {
  if (store && !stopping) return store
  throw fail('server.unavailable', { why: stopping ? 'The service is stopping.' : 'The service is starting.' })
}

/** Slashes at the end, and several in a row, count like one that is not there: some clients make addresses with empty parts. */
function plainPath(path: string): string {
  const single = path.includes('//') ? path.replace(/\/{2,}/g, '/') : path
  return single.endsWith('/') ? single.slice(0, -1) : single
}

/** Logged once: behind a proxy that is not trusted, all clients have the address of the proxy. */
function warnOfProxy(serving: Serving, request: FastifyRequest): void {
  // The address of the peer; where that is a trusted proxy, the address that it passed on.
  if ((request.ips?.length ?? 1) > 1) return
  serving.warnedOfProxy = true
  const setting = 'KARTOTEKA_TRUSTED_PROXIES'
  serving.log.warn(
    { setting, peer: request.raw.socket.remoteAddress },
    `${setting} does not name the sender of an X-Forwarded-For: all its clients count as one address where failed sign-ins are limited`,
  )
}
