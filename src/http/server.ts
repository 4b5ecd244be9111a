import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { fail } from '../errors.ts'
import { limits } from '../limits.ts'
import { Abandoned } from '../store/model/asker.ts'
import type { Environment, Store } from '../store/ground/store.ts'
import { countBytes, readBody } from './bodies/body.ts'
import { answerConnect, answerMalformed, refuseConnection, type LastAnswers } from './connections/client-errors.ts'
import { closeInStages } from './connections/closing.ts'
import { keepConnections } from './connections/connections.ts'
import { corsHeaders, preflight } from './connections/cors.ts'
import { mustBeAllowed, respond, type Endpoint } from './exchange.ts'
import { refusal } from './connections/failures.ts'
import { hasBody } from './answers/negotiation.ts'
import { largeBodies } from './bodies/large-bodies.ts'
import { paramsReader, pathPattern, routerPath } from './routing/paths.ts'
import { defaults } from './routing/query.ts'
import type { Reply, Route } from './routing/route.ts'
import { routes } from './routes.ts'
import { send } from './connections/send.ts'
import type { HttpSettings, Log, Serving } from './connections/serving.ts'
import { unreadAnswers } from './connections/unread.ts'

// Not `import`, which would load the WebSocket client (client-errors.ts).
const { createServer } = process.getBuiltinModule('node:http')

export interface Building {
  /** Until it resolves, every request is answered 503. */
  readonly store: Store | Promise<Store>
  readonly environment: Environment
  readonly settings: HttpSettings
  readonly log: Log
  /** Milliseconds for which a client may neither send nor read; default: limits.ts. */
  readonly stall?: number
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

export function buildServer({ store, environment, settings, log, stall = limits.stall.most }: Building): HttpServer {
  const serving: Serving = {
    settings,
    environment,
    log,
    unread: unreadAnswers(log),
    bodies: { bytes: 0 },
    largeBodies: largeBodies(),
    store: undefined,
    stopping: false,
    ending: new AbortController(),
  }
  if (store instanceof Promise)
    store.then(
      (opened) => (serving.store = opened),
      () => undefined,
    )
  else serving.store = store
  const answers: LastAnswers = new WeakMap()
  const server = Fastify({
    logger: false,
    // No schemas are used; without this Fastify would load Ajv, 3 MiB.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    bodyLimit: settings.bodyLimit,
    serverFactory: (handler) => httpServer(serving, stall, answers, handler),
    return503OnClosing: false,
    trustProxy: settings.trustedProxies.length > 0 ? [...settings.trustedProxies] : false,
    rewriteUrl: (request) => request.url!.replace(/^https?:\/\/[^/?]+/i, ''),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: limits.headers.most, querystringParser: (text) => ({ text }) },
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

function httpServer(serving: Serving, stall: number, answers: LastAnswers, handler: Handler): Server {
  const { log, settings, unread } = serving
  const times = { requestTimeout: limits.requestTime.most, headersTimeout: limits.headersTime.most, connectionsCheckingInterval: 5_000 }
  const server = createServer({ maxHeaderSize: limits.headers.most, requireHostHeader: false, keepAliveTimeout: KEPT, ...times })
  const inTurn = keepConnections(server, {
    trustedProxies: settings.trustedProxies,
    stall,
    isStopping: () => serving.stopping,
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
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
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
    config: { route },
    // Callers without the right get their failure before the body is read.
    ...(route.method !== 'GET' && {
      onRequest: (request, reply, done) => void early(serving, endpoint, request, reply).then((go) => go && done()),
    }),
    handler: (request, reply) => void answer(serving, request, reply, () => respond(serving, endpoint, request)),
  })
}

async function early(serving: Serving, endpoint: Endpoint, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
  try {
    await mustBeAllowed(serving, endpoint, request)
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

/** Requests without a route: another method of a known path, OPTIONS, and unknown paths. */
function addOthers(server: FastifyInstance, serving: Serving): void {
  const known = routes.map(({ method, path }) => ({ method, pattern: pathPattern(path) }))
  server.setNotFoundHandler((request, reply) => {
    void answer(serving, request, reply, async () => {
      const path = decodeURI(request.url.split('?', 1)[0]!)
      const methods = new Set<string>(known.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))
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
    if (error instanceof Abandoned) return void reply.hijack()
    result = refusal(serving, request, error)
  }
  try {
    deliver(serving, request, reply, result)
  } catch (error) {
    // An error while the answer is serialized must not end the process.
    deliver(serving, request, reply, refusal(serving, request, error))
  }
}

function fault(serving: Serving, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const refused = refusal(serving, request, error)
  deliver(serving, request, reply, { ...refused, headers: { ...refused.headers, Connection: 'close' } })
}

function deliver(serving: Serving, request: FastifyRequest, reply: FastifyReply, result: Reply): void {
  reply.hijack()
  const cors = corsHeaders(serving.settings.corsOrigins, request.headers.origin)
  // The server would wait for the end of a connection that is kept open.
  send(serving, reply.raw, request.method, result, serving.stopping ? { ...cors, Connection: 'close' } : cors)
}
