import { ATOMIC_TYPE } from '../../src/http/answers/jsonapi.ts'
import { METHODS } from 'node:http'
import type { Route } from '../../src/http/routing/route.ts'
import { routes as allRoutes } from '../../src/http/routes.ts'
import { oddBody } from './bodies.ts'
import type { Random } from '../support/random.ts'
import { bentPath, filledPath, oddQuery } from './targets.ts'
import type { Sent } from './wire.ts'
import type { World } from './world.ts'

/** A request, and the route it was made for. */
export interface Attempt extends Sent {
  readonly route: Route
  /** Whose token it carries, or what instead. */
  readonly holder: string
}

type Header = readonly [name: string, value: string]

const JSON_API = 'application/vnd.api+json'

/** Without the one whose answer has no end. */
const routes = allRoutes.filter(({ path }) => path !== '/api/dev/events')
/** These lead deepest. */
const recordRoutes = routes.filter(({ path }) => /data|file/.test(path))

/** What is odd about a request: mostly one thing, so that it comes as far as to where that is noticed. */
const aspects = ['path', 'query', 'query', 'query', 'header', 'identity', 'type', 'method', 'frame', 'host', 'text', 'tree', 'tree', 'tree', 'tree', 'nothing'] as const // prettier-ignore
type Aspect = (typeof aspects)[number]

/** A request that a route should refuse, or take: who knows. */
export function oddRequest(random: Random, world: World): Attempt {
  const route = random.pick(random.percent(40) ? recordRoutes : routes)
  const odd = new Set<Aspect>([random.pick(aspects), ...(random.percent(20) ? [random.pick(aspects)] : [])])
  const method = odd.has('method') ? random.pick([...METHODS, 'HEAD', 'HEAD', 'OPTIONS', 'FOO', 'get', 'Post', '']) : route.method
  const { path, type, id } = filledPath(random, route, world, odd.has('path'))
  const query = odd.has('query') ? oddQuery(random, route, world) : ''
  const target = (odd.has('path') && random.percent(50) ? bentPath(random, path) : path) + query
  const bodied = route.method !== 'GET' && route.method !== 'DELETE' ? !random.percent(2) : random.percent(3)
  const subject = { method: route.method, type, id, isSearch: path.endsWith('/search') }
  const body = bodied ? oddBody(random, world, subject, odd.has('tree'), odd.has('text')) : undefined
  const { holder, headers: identity } = identified(random, world, route, odd.has('identity'))
  const headers: Header[] = [
    ...(odd.has('host') ? oddHost(random) : sound),
    ...identity,
    ...(odd.has('type')
      ? oddType(random)
      : body === undefined
        ? []
        : [['Content-Type', route.extension === undefined ? JSON_API : ATOMIC_TYPE] as const]),
    ...(odd.has('header') ? oddHeaders(random) : []),
  ]
  const request = { method, target: sendable(target), headers, body }
  return { route, holder, content: body, ...(odd.has('frame') ? oddlyFramed(random, request) : framed(random, request)) }
}

/** A request that the route must refuse: without a token, and with a parameter that no route knows. */
export function refusedRequest(random: Random, world: World, route: Route): Attempt {
  const target = `${filledPath(random, route, world, false).path}?nothing=1`
  const request = { method: route.method, target, headers: sound, body: undefined }
  return { route, holder: 'nobody', content: undefined, ...framed(random, request) }
}

/** What cannot stand in a request line is left to the requests that are meant to break it. */
const sendable = (target: string): string => Buffer.from(target, 'utf8').toString('latin1')

const sound: Header[] = [['Host', '127.0.0.1']]
const oddHost = (random: Random): Header[] =>
  random.pick<Header[]>([
    [],
    [['Host', '']],
    [['Host', 'a b']],
    [['Host', 'evil.example']],
    [['Host', 'a/../b']],
    [['Host', '[::1]:80']],
    [
      ['Host', 'a'],
      ['Host', 'b'],
    ],
  ])

function identified(random: Random, { tokens }: World, { token }: Route, odd: boolean): { holder: string; headers: Header[] } {
  if (token === 'none' && random.percent(60)) return { holder: 'nobody', headers: [] }
  if (!odd) {
    const holder = random.percent(55) ? 'administrator' : random.pick([...Object.keys(tokens), 'limited', 'limited'])
    const token = tokens[holder]!
    return { holder, headers: [random.percent(90) ? ['X-Auth-Token', token] : ['Authorization', `Bearer ${token}`]] }
  }
  const header = random.pick<Header[]>([
    [],
    [['X-Auth-Token', '']],
    [['X-Auth-Token', 'x'.repeat(48)]],
    [['X-Auth-Token', "' OR 1=1 --"]],
    [['X-Auth-Token', 'x'.repeat(5_000)]],
    [['Authorization', 'Basic YTpi']],
    [['Authorization', 'Bearer']],
    [['Authorization', 'Bearer \xe9\xff']],
    [['X-Auth-Token', `${tokens['administrator']!}, ${tokens['administrator']!}`]],
    [
      ['X-Auth-Token', 'x'],
      ['X-Auth-Token', 'y'],
    ],
  ])
  return { holder: 'stranger', headers: header }
}

const types = [
  '', 'application/json', 'text/plain', `${JSON_API}; charset=utf-8`, `${JSON_API}; ext="https://jsonapi.org/ext/atomic"`, `${JSON_API};profile="x y"`, `${JSON_API};`,
  `${JSON_API}; a`, `${JSON_API}; a="`, `${JSON_API}, ${JSON_API}`, 'APPLICATION/VND.API+JSON', 'multipart/form-data; boundary=x', 'application/x-www-form-urlencoded', '*/*', ';', '\xff',
] // prettier-ignore

const oddType = (random: Random): Header[] => (random.percent(20) ? [] : [['Content-Type', random.pick(types)]])

const oddOnes: readonly (readonly [name: string, values: readonly string[]])[] = [
  ['Accept', ['', '*/*', JSON_API, `${JSON_API}; charset=utf-8`, `${JSON_API};q=0`, `${JSON_API}; ext=x, */*`, 'text/html', ',,,', ';', `${JSON_API}; profile=x`, 'x'.repeat(3_000)]],
  ['If-Match', ['', '*', '"1-x"', '"2-x"', 'W/"1-x"', '"', '1', '"1-x", "3-y"', '"999999999999999999999-x"', ',']],
  ['If-None-Match', ['', '*', '"1-x"', 'W/"', 'x'.repeat(3_000)]],
  ['Idempotency-Key', ['', 'k', '"k"', 'x'.repeat(256), 'x'.repeat(255), '\xe9', "'; --", '__proto__']],
  ['Range', ['bytes=0-', 'bytes=5-1', 'bytes=-1', 'items=0-1', 'bytes=0-0,1-1', 'bytes=99999999999999999999-']],
  ['Expect', ['100-continue', 'nothing', '']],
  ['Content-Encoding', ['gzip', 'br', 'identity', 'x']],
  ['Transfer-Encoding', ['identity', 'gzip', 'chunked, chunked', 'xchunked']],
  ['Upgrade', ['websocket', 'h2c']],
  ['Connection', ['close', 'upgrade', 'keep-alive, Host', 'x']],
  ['X-HTTP-Method-Override', ['DELETE', 'GET']],
  ['X-Forwarded-For', ['1.2.3.4', '::1', 'x', "'", '1.2.3.4, 5.6.7.8']],
  ['X-Forwarded-Proto', ['https', 'javascript']],
  ['X-Forwarded-Host', ['evil.example', 'a b']],
  ['Origin', ['null', 'https://evil.example', '']],
  ['Access-Control-Request-Method', ['DELETE', 'x']],
  ['Cookie', ['a=b', ';'.repeat(1_000), 'kartoteka_session', `kartoteka_session=${'x'.repeat(48)}`, 'kartoteka_session=a; kartoteka_session=b']],
  ['Referer', ['x']],
  ['Date', ['yesterday']],
  ['TE', ['trailers']],
  ['Max-Forwards', ['0']],
  ['X-Long', ['x'.repeat(60_000), 'x'.repeat(140_000)]],
  ['__proto__', ['x']],
  ['constructor', ['x']],
  ['Bad Name', ['x']],
  ['Bad', ['a\x00b', 'a\rb', 'a\nb: c', '\x7f', '\xff\xfe']],
  ['', ['x']],
] // prettier-ignore

function oddHeaders(random: Random): Header[] {
  return Array.from({ length: 1 + random.int(2) }, (): Header => {
    const [name, values] = random.pick(oddOnes)
    return [random.percent(95) ? name : name.toLowerCase(), random.pick(values)]
  })
}

type Unframed = Pick<Sent, 'method' | 'target' | 'headers' | 'body'>

type Framed = Omit<Sent, 'content'>
const told = ({ headers }: Unframed, length: string | number): Header[] => [...headers, ['Content-Length', String(length)]]
const chunked = ({ headers }: Unframed): Header[] => [...headers, ['Transfer-Encoding', 'chunked']]
const chunks = (bytes: Buffer, end = '0\r\n\r\n') =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from(`\r\n${end}`)])

function framed(random: Random, request: Unframed): Framed {
  const { body } = request
  const cutShort = request.headers.some(([name]) => name.toLowerCase() === 'transfer-encoding')
  const how = { cutShort, oddlyFramed: mayConfuse(request) }
  if (body === undefined) return { ...request, ...how }
  if (body.length > 0 && random.percent(5)) return { ...request, headers: chunked(request), body: chunks(body), ...how }
  return { ...request, headers: told(request, body.length), ...how }
}

/** Where the message ends is told wrongly. */
function oddlyFramed(random: Random, request: Unframed): Framed {
  const bytes = request.body ?? Buffer.alloc(0)
  const { length } = bytes
  const odd = { ...request, oddlyFramed: true, cutShort: false }
  const short = { ...odd, cutShort: true }
  switch (random.int(8)) {
    case 0:
      return { ...short, headers: told(request, length + 1 + random.int(1_000)) }
    case 1:
      return { ...odd, headers: told(request, Math.max(0, length - 1 - random.int(10))) }
    case 2:
      return { ...short, headers: told(request, random.pick(['-1', '1.5', 'x', '', '0x10', '99999999999999999999', '+1', '1,1'])) }
    case 3:
      return { ...short, headers: [...told(request, length), ['Content-Length', String(length + 1)]] }
    case 4:
      return { ...odd, headers: [...chunked(request), ['Content-Length', String(length)]], body: chunks(bytes) }
    case 5:
      return {
        ...short,
        headers: chunked(request),
        body: chunks(bytes, random.pick(['x\r\n', '', '0\r\n', '-1\r\n\r\n', 'ffffffffffffffff\r\n'])),
      }
    case 6:
      return { ...short, headers: chunked(request) }
    default:
      return odd
  }
}

/** Whether the two sides may come to see the end of this message differently. */
const mayConfuse = ({ method, target, headers }: Unframed): boolean =>
  !METHODS.includes(method) ||
  method === 'CONNECT' ||
  /[^\x21-\x7e]/.test(target) ||
  target === '' ||
  headers.some(([name, value]) => /^(|Bad.*|X-Long|Connection|Upgrade|Transfer-Encoding|Expect)$/i.test(name) || /[^\x20-\x7e]/.test(value))
