import type { FastifyRequest } from 'fastify'
import { fail } from '../errors.ts'
import type { Store } from '../store/ground/store.ts'
import type { Caller } from '../store/model/access.ts'
import { authenticate } from '../store/people/authenticate.ts'
import { mustBeOwnPage, sessionOf } from './connections/session-cookie.ts'
import { callerOfLink } from '../store/people/signed-links.ts'
import { paramsReader } from './routing/paths.ts'
import { mustReach } from './routing/reach.ts'
import type { Route } from './routing/route.ts'
import type { HttpSettings } from './connections/serving.ts'

/* Who sends a request: by a token in a header, else by the session of a browser. */

type Identified = Pick<Route, 'method' | 'token' | 'ownPages' | 'linked' | 'whileViewing'> & { readonly path?: string }

/** @throws `auth.…`, `access.denied`, `session.viewing` */
export async function identify(
  { publicUrl }: Pick<HttpSettings, 'publicUrl'>,
  store: Store,
  route: Identified,
  request: FastifyRequest,
): Promise<Caller> {
  // Undefined, despite its type, where the client has gone.
  const address = (request.ip as string | undefined) ?? ''
  if (route.ownPages) mustBeOwnPage(publicUrl, request)
  if (route.token === 'none') return stranger(address)
  const { token, header } = tokenOf(request.headers)
  const session = token === undefined ? sessionOf(request.headers) : undefined
  const secret = token ?? session
  const link = token === undefined && route.linked ? linkOf(request.raw.url!) : undefined
  if (link !== undefined) return byLink(store, route, request, link, address)
  if (secret === undefined) throw fail('auth.token_missing', undefined, unauthenticated(header))
  const caller = await authenticate(store, secret, address, session === undefined ? 'token' : 'session')
  if (!caller)
    throw fail('auth.token_invalid', undefined, unauthenticated(session === undefined ? header : 'Cookie', ', error="invalid_token"'))
  if (caller.isSession && route.method !== 'GET') mustBeOwnPage(publicUrl, request)
  if (caller.viewedBy && route.method !== 'GET' && !route.whileViewing) throw fail('session.viewing')
  mustReach(caller, route.token)
  return caller
}

/** The first parameter `link` of an address. */
function linkOf(url: string): string | undefined {
  const mark = url.indexOf('?')
  return mark < 0 ? undefined : (new URLSearchParams(url.slice(mark + 1)).get('link') ?? undefined)
}

/** @throws `auth.link_invalid` */
async function byLink(
  store: Store,
  { path, token, linked }: Identified,
  request: FastifyRequest,
  link: string,
  address: string,
): Promise<Caller> {
  const params = paramsReader(path!)(request.params as Readonly<Record<string, string>>)
  const caller = params && (await callerOfLink(store, linked!(params as never), link, address))
  if (!caller) throw fail('auth.link_invalid', undefined, { source: { parameter: 'link' } })
  mustReach(caller, token)
  return caller
}

/** The token in the headers of a request. */
export function tokenOf({ 'x-auth-token': token, authorization }: FastifyRequest['headers']): {
  token: string | undefined
  header: string
} {
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
