import type { FastifyRequest } from 'fastify'
import { fail } from '../errors.ts'
import type { Caller } from '../store/model/access.ts'
import { Stale } from '../store/model/stale.ts'
import type { Store } from '../store/ground/store.ts'
import { authenticate } from '../store/people/authenticate.ts'
import type { Client } from '../store/model/asker.ts'
import { digest } from '../store/people/idempotency.ts'
import { clientOf } from './connections/client-gone.ts'
import { isSpooled, type SpooledBody } from './bodies/body.ts'
import { open, parseJson } from './bodies/json.ts'
import { hasBody, mustBeAcceptable, mustBeReadable, mustBeShort } from './answers/negotiation.ts'
import { originOf } from './connections/origin.ts'
import type { paramsReader } from './routing/paths.ts'
import { readQuery, type Query } from './routing/query.ts'
import { mustReach } from './routing/reach.ts'
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
  const body = request.body as Uint8Array | SpooledBody | undefined
  if (!isSpooled(body)) {
    const most = endpoint.route.token === 'none' ? open : undefined
    return perform(serving, endpoint, request, () => ({ body: body && parseJson(body, most), bodyHash: () => digest(body ?? '') }))
  }
  body.isTaken = true
  try {
    return await perform(serving, endpoint, request, async (client) => {
      const nonce = Buffer.from(serving.environment.randomBytes(16)).toString('hex')
      const { body: document, hash } = await serving.largeBodies.read(body.spool, nonce, client)
      return { body: document, bodyHash: () => hash }
    })
  } finally {
    await body.spool.close()
  }
}

type Read = Pick<Incoming, 'body' | 'bodyHash'>

async function perform(
  serving: Serving,
  endpoint: Endpoint,
  request: FastifyRequest,
  read: (client: Client) => Read | Promise<Read>,
): Promise<Reply> {
  const { route, defaults } = endpoint
  // A request with a body was accepted before its body was read; it is finished even if the server is stopping by now.
  const store = route.method === 'GET' ? await mustBeKnown(serving, endpoint, request) : serving.store!
  const { headers } = request
  const params = paramsOf(endpoint, request)
  const url = request.raw.url!
  if (url.includes('#')) throw fail('request.malformed', { why: 'The address of a request must not have a fragment (#).' })
  const mark = url.indexOf('?')
  const { pairs, parameters, query } = mark < 0 ? defaults : readQuery(url.slice(mark + 1), route)
  const path = mark < 0 ? url : url.slice(0, mark)
  const client = clientOf(request.raw.socket)
  const reading = read(client)
  const { body, bodyHash } = reading instanceof Promise ? await reading : reading
  const sent = request.body as Uint8Array | SpooledBody | undefined
  // The event loop handles other requests between the steps of a long body, which take some 10 ms each.
  const isLong = sent !== undefined && (isSpooled(sent) || sent.length > LONG)
  if (isLong) await nextTurn()
  for (let run = 1; ; run++) {
    if (run > 1) await store.catchUp?.()
    const caller: Caller = { ...(await identify(store, route, request)), client }
    const incoming: Incoming = {
      store,
      catalogue: store.catalogue(),
      caller,
      params,
      query,
      parameters,
      pairs,
      isHead: request.method === 'HEAD',
      path: path.endsWith('/') ? path.slice(0, -1) : path,
      origin: originOf(serving.settings.publicUrl, request),
      body,
      bodyHash,
      header: (name) => headers[name.toLowerCase()] as string | undefined,
    }
    try {
      const reply = await route.run(incoming)
      if (isLong) await nextTurn()
      return reply
    } catch (error) {
      if (!(error instanceof Stale)) throw error
      if (run === RUNS) {
        // A statement that fails each time for a missing column is a fault, not a change of the structure.
        serving.log.warn({ err: loggable(error) }, 'a request was given up: the structure changed under each of its runs')
        throw fail('server.structure_changing')
      }
    }
  }
}

/**
 * All checks that do not need the body: the server is ready, the media types are right, and the caller may do what the route does.
 * @throws `server.unavailable`, `request.…`, `auth.…`, and what `route.allow` throws
 */
export async function mustBeAllowed(serving: Serving, endpoint: Endpoint, request: FastifyRequest): Promise<void> {
  const store = await mustBeKnown(serving, endpoint, request)
  const { route } = endpoint
  if (!route.allow) return
  const params = paramsOf(endpoint, request)
  await route.allow({ store, catalogue: store.catalogue(), caller: await identify(store, route, request), params })
}

function paramsOf({ readParams }: Endpoint, request: FastifyRequest): NonNullable<ReturnType<Endpoint['readParams']>> {
  const params = readParams(request.params as Readonly<Record<string, string>>)
  if (!params) throw fail('request.no_such_path')
  return params
}

async function mustBeKnown(serving: Serving, { route }: Endpoint, request: FastifyRequest): Promise<Store> {
  if (!serving.warnedOfProxy && request.headers['x-forwarded-for'] !== undefined) warnOfProxy(serving, request)
  const { store, stopping } = serving
  if (!store || stopping) {
    throw fail('server.unavailable', { why: stopping ? 'The service is stopping.' : 'The service is starting.' })
  }
  mustBeShort(request.headers)
  mustBeAcceptable(request.headers.accept)
  mustBeReadable(request.headers['content-type'], request.method !== 'GET' && hasBody(request.headers))
  if (store.catchUp) await store.catchUp()
  await identify(store, route, request)
  return store
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

async function identify(store: Store, route: Route, request: FastifyRequest): Promise<Caller> {
  // Undefined, despite its type, where the client has gone.
  const address = (request.ip as string | undefined) ?? ''
  if (route.token === 'none') return stranger(address)
  const { token, header } = tokenOf(request.headers)
  if (token === undefined) throw fail('auth.token_missing', undefined, unauthenticated('X-Auth-Token'))
  const caller = await authenticate(store, token, address)
  if (!caller) throw fail('auth.token_invalid', undefined, unauthenticated(header, ', error="invalid_token"'))
  mustReach(caller, route.token)
  return caller
}

function tokenOf({ 'x-auth-token': token, authorization }: FastifyRequest['headers']): { token: string | undefined; header: string } {
  if (typeof token === 'string') return { token, header: 'X-Auth-Token' }
  if (authorization === undefined) return { token: undefined, header: 'X-Auth-Token' }
  return { token: /^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? '', header: 'Authorization' }
}

const unauthenticated = (header: string, detail = '') => ({
  source: { header },
  headers: { 'WWW-Authenticate': `Bearer realm="Kartoteka"${detail}` },
})

/** The caller of a route that needs no token. */
const stranger = (address: string): Caller => ({
  userId: 0,
  groupId: 0,
  administrator: false,
  tokenId: 0,
  scope: 'read',
  tables: new Set(),
  address,
  door: 'api',
})
