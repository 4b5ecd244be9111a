import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { fail } from '../errors.ts'
import { limits } from '../limits.ts'
import { Abandoned } from '../store/model/asker.ts'
import type { Store } from '../store/ground/store.ts'
import { countBytes, readBody } from './bodies/body.ts'
import { answerConnect, answerMalformed, refuseConnection, type LastAnswers } from './connections/client-errors.ts'
import { observeServer, type Counted } from './connections/request-counts.ts'
import { REQUEST_ID, requestIds } from './connections/request-id.ts'
import { closeInStages } from './connections/closing.ts'
import { keepConnections, type Admission } from './connections/connections.ts'
import { corsHeaders, preflight } from './connections/cors.ts'
import { mustBeAllowed, respond, type Endpoint } from './exchange.ts'
import { refusal } from './connections/failures.ts'
import { hasBody } from './answers/negotiation.ts'
import { awaitContinue, isWaiting } from './bodies/expectation.ts'
import { paramsReader, pathPattern, routerPath } from './routing/paths.ts'
import { defaults } from './routing/query.ts'
import type { Reply, Route } from './routing/route.ts'
import { pageParts, probes } from './probes.ts'
import type { Probe } from './routing/probe.ts'
import { routes } from './routes.ts'
import { answerProbe } from './watch.ts'
import { send } from './connections/send.ts'
import type { Serving } from './connections/serving.ts'
import { servingOf, type Beginning } from './serving-of.ts'

// Not `import`, which would load the WebSocket client (client-errors.ts).
const { createServer } = process.getBuiltinModule('node:http')

export interface Building extends Beginning {
  /** Until it resolves, every request is answered 503. */
  readonly store: Store | Promise<Store>
  /** Milliseconds for which a client may neither send nor read; default: limits.ts. */
  readonly stall?: number
  /** Milliseconds for a request to arrive; default: limits.ts. */
  readonly arrival?: number
}

export interface HttpServer {
  /** Returns the address it listens on, such as http://127.0.0.1:3000. Port 0: any that is free. */
  listen(host: string, port: number): Promise<string>
  /**
   * Refuses new requests and waits for running ones. The store stays open. `drain`: milliseconds for which new requests still get
   * a 503, before connections are closed: a load balancer needs that time to send its requests to other servers.
   */
  close(drain?: number): Promise<void>
}

const noSchemas = (): never => {
  throw new Error('Routes have no schemas.')
}

export function buildServer(building: Building): HttpServer {
  const { store, settings, stall = limits.stall.most, arrival = limits.requestTime.most } = building
  const serving = servingOf(building)
  if (store instanceof Promise)
    store.then(
      (opened) => (serving.store = opened),
      () => undefined,
    )
  else serving.store = store
  const answers: LastAnswers = new WeakMap()
  const server = Fastify({
    logger: false,
    genReqId: requestIds(settings.trustedProxies, serving.newId),
    // No schemas are used; without this Fastify would load Ajv, 3 MiB.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    bodyLimit: settings.bodyLimit,
    serverFactory: (handler) => httpServer(serving, { stall, arrival }, answers, handler),
    return503OnClosing: false,
    trustProxy: settings.trustedProxies.length > 0 ? [...settings.trustedProxies] : false,
    rewriteUrl: (request) => request.url!.replace(/^https?:\/\/[^/?]+/i, ''),
    routerOptions: {
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
      maxParamLength: limits.headers.most,
      querystringParser: (text) => ({ text }),
    },
    frameworkErrors: (error, request, reply) => fault(serving, error, request, reply),
    clientErrorHandler: (error, socket) => answerMalformed(serving, error, socket, answers),
  })
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', async (request: FastifyRequest) => {
    const { route } = request.routeOptions.config as { readonly route?: Route }
    return route && readBody(serving, route, request)
  })
  // Connections that already wait are accepted before the server stops listening: the system would reset them.
  server.addHook('preClose', (done) => void setImmediate(done))
  server.setErrorHandler((error, request, reply) => fault(serving, error, request, reply))
  server.server.on('checkExpectation', (request, response) => server.server.emit('request', request, response))
  const methods = [...new Set(routes.map(({ method }) => method))].join(', ')
  server.server.on('connect', (_, socket) => answerConnect(serving, `${methods}, HEAD, OPTIONS`, socket as Socket))
  for (const route of routes) addRoute(server, serving, route)
  for (const probe of [...probes, ...pageParts]) addProbe(server, serving, probe)
  observeServer(serving.metrics, server.server, serving.bodies)
  addOthers(server, serving)
  return {
    listen: (host, port) => server.listen({ host, port }),
    async close(drain = 0) {
      serving.stopping = true
      serving.ending.abort()
      await drained(server.server, drain)
      // Connections whose answer began before the stop were not told to close. They are closed when that answer has ended.
      const closing = setInterval(() => server.server.closeIdleConnections(), QUIET)
      await server.close().finally(() => clearInterval(closing))
      await serving.largeBodies.close()
    },
  }
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void

function httpServer(serving: Serving, waits: Pick<Admission, 'stall' | 'arrival'>, answers: LastAnswers, handler: Handler): Server {
  const { log, settings, unread } = serving
  // How long a request may take to arrive is checked in connections.ts: an upload may take longer.
  const times = { requestTimeout: 0, headersTimeout: limits.headersTime.most, connectionsCheckingInterval: 5_000 }
  const server = createServer({ maxHeaderSize: limits.headers.most, requireHostHeader: false, keepAliveTimeout: KEPT, ...times })
  const inTurn = keepConnections(server, {
    trustedProxies: settings.trustedProxies,
    ...waits,
    isStopping: () => serving.stopping,
    isUpload: serving.uploads.isUpload,
    log,
    refuse: (socket) => refuseConnection(serving, socket),
    timeOut: (socket) => answerMalformed(serving, Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket, answers),
    everyLook: unread.passed,
  })
  // Node calls this after an answer with Connection: close.
  server.on('connection', (socket: Socket) => {
    const destroySoon = socket.destroySoon.bind(socket)
    socket.destroySoon = () => (answers.get(socket)?.req.complete === false ? closeInStages(socket) : destroySoon())
  })
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    // Bodies of these are not read.
    if (request.method === 'GET' || request.method === 'HEAD') response.writeContinue()
    else awaitContinue(request, response)
    server.emit('request', request, response)
  })
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    serving.together.begins(response)
    serving.counts.began(request)
    answers.set(request.socket, response)
    inTurn(response, () => handler(request, response))
  })
  return server
}

/** Milliseconds for which an idle connection is kept open. */
const KEPT = 72_000

/** Milliseconds between two checks of the number of connections. */
const GLANCE = 20
/** Milliseconds for which there has to be no connection: clients that are just connecting should get an answer too. */
const QUIET = 400

/** Resolves when there has been no connection for a while, or when the time is over. */
async function drained(server: Server, milliseconds: number): Promise<void> {
  const connections = () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)))
  let quiet = 0
  for (let left = milliseconds; left > 0 && quiet < QUIET; left -= GLANCE) {
    await new Promise((next) => setTimeout(next, GLANCE))
    quiet = (await connections()) > 0 ? 0 : quiet + GLANCE
  }
}

function addRoute(server: FastifyInstance, serving: Serving, route: Route): void {
  const endpoint: Endpoint = { route, readParams: paramsReader(route.path), defaults: defaults(route.query) }
  server.route({
    method: route.method,
    url: routerPath(route.path),
    config: { route, counted: route },
    // Callers without the right get their failure before the body is read.
    ...(route.method !== 'GET' && {
      onRequest: (request, reply, done) => void early(serving, endpoint, request, reply).then((go) => go && done()),
    }),
    handler: (request, reply) => void answer(serving, request, reply, () => respond(serving, endpoint, request)),
  })
}

function addProbe(server: FastifyInstance, serving: Serving, probe: Probe): void {
  server.route({
    method: probe.method,
    url: probe.path,
    config: { counted: probe },
    handler: (request, reply) => void answer(serving, request, reply, () => answerProbe(serving, probe, request)),
  })
}

async function early(serving: Serving, endpoint: Endpoint, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
  try {
    const caller = await mustBeAllowed(serving, endpoint, request)
    if (caller && endpoint.route.receives) reply.raw.once('close', serving.uploads.begin(request.raw, caller.userId))
    countBytes(serving, request, reply)
    return true
  } catch (error) {
    const refused = refusal(serving, request, error)
    // A body would not be read; the connection is closed with the answer.
    const ends = hasBody(request.headers) && !(Number(request.headers['content-length']) <= limits.openBody.most)
    deliver(serving, request, reply, ends ? { ...refused, headers: { ...refused.headers, Connection: 'close' } } : refused)
    return false
  }
}

/** Requests without a route: another method of a known path, OPTIONS (also of `*`, all of them: RFC 9110, 9.3.7), and unknown paths. */
function addOthers(server: FastifyInstance, serving: Serving): void {
  const found = [...routes, ...probes.filter(({ forBrowsers }) => !forBrowsers)]
  const known = found.map(({ method, path }) => ({ method, pattern: pathPattern(path) }))
  server.setNotFoundHandler((request, reply) => {
    void answer(serving, request, reply, async () => {
      const path = decodeURI(request.url.split('?', 1)[0]!)
      const methods = new Set<string>(known.filter(({ pattern }) => path === '*' || pattern.test(path)).map(({ method }) => method))
      if (methods.size === 0) throw fail('request.no_such_path')
      if (methods.has('GET')) methods.add('HEAD')
      const allowed = [...methods.add('OPTIONS')].join(', ')
      if (request.method === 'OPTIONS') return preflight(serving.settings.corsOrigins, request.headers, allowed)
      throw fail('request.wrong_method', { allowed }, { headers: { Allow: allowed } })
    })
  })
}

/** The one catch: every error becomes an error document here. */
async function answer(serving: Serving, request: FastifyRequest, reply: FastifyReply, work: () => Promise<Reply>): Promise<void> {
  let result: Reply
  try {
    result = await work()
  } catch (error) {
    // The client has gone.
    if (error instanceof Abandoned) {
      serving.counts.abandoned()
      return void reply.hijack()
    }
    result = refusal(serving, request, error)
  }
  try {
    deliver(serving, request, reply, result)
  } catch (error) {
    // An error while the answer is serialized must not end the process.
    deliver(serving, request, reply, refusal(serving, request, error))
  }
}

/** Undefined, despite the type of the options, where there is no route. */
const endpointOf = (request: FastifyRequest): Counted | undefined =>
  (request.routeOptions as FastifyRequest['routeOptions'] | undefined)?.config &&
  (request.routeOptions.config as { readonly counted?: Counted }).counted

function fault(serving: Serving, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const refused = refusal(serving, request, error)
  deliver(serving, request, reply, { ...refused, headers: { ...refused.headers, Connection: 'close' } })
}

function deliver(serving: Serving, request: FastifyRequest, reply: FastifyReply, result: Reply): void {
  reply.hijack()
  const cors = corsHeaders(serving.settings.corsOrigins, request.headers.origin)
  // The server would wait for the end of a connection that is kept open; and a client that was not told to send its body need not send it.
  const ends = serving.stopping || isWaiting(request.raw) ? { Connection: 'close' } : undefined
  send(serving, reply.raw, request.method, result, { [REQUEST_ID]: request.id, ...cors, ...ends })
  serving.counts.answered(request.raw, endpointOf(request), result.status)
}
