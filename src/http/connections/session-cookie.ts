import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { fail } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { originOf } from './origin.ts'

/* The session of a browser: a token in a cookie, which scripts cannot read. */

export const COOKIE = 'kartoteka_session'

/** Seconds for which a browser keeps the cookie, as long as browsers allow: the service ends the session. */
const KEPT = 34_560_000

/** What a page sends with each request that may write. Pages of other origins cannot, unless the service allows them. */
const REQUESTED_WITH = 'kartoteka'

/** The session that a request names; undefined: none. @throws `request.headers_too_large` */
export function sessionOf({ cookie }: IncomingHttpHeaders): string | undefined {
  if (cookie === undefined || !cookie.includes(COOKIE)) return undefined
  if (cookie.length > limits.header.most) throw fail('request.headers_too_large', undefined, { source: { header: 'Cookie' } })
  const sent = cookie.split(';').flatMap((pair) => {
    const [name = '', value = ''] = pair.trim().split('=', 2)
    return name === COOKIE ? [value] : []
  })
  // Another site of the same domain can set a cookie of this name: it is not known which one is ours.
  return new Set(sent).size > 1 ? '' : sent[0]
}

/** The header Set-Cookie that keeps a session. `origin`: of this service, as the browser sees it. */
export const keeping = (token: string, origin: string): string => cookieOf(token, KEPT, origin)
/** The header Set-Cookie that removes it. */
export const removing = (origin: string): string => cookieOf('', 0, origin)

const cookieOf = (value: string, seconds: number, origin: string): string =>
  `${COOKIE}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${origin.startsWith('https:') ? '; Secure' : ''}`

/**
 * Checks that a request is of a page of this service: by `Sec-Fetch-Site`, which pages cannot set, or by `Origin` where the browser does not
 * send that (over http, or an old one). @throws `auth.cross_site`
 */
export function mustBeOwnPage(publicUrl: string, request: FastifyRequest): void {
  const { 'x-requested-with': by, 'sec-fetch-site': site, origin } = request.headers
  const isOwn = site === undefined ? origin !== undefined && isOwnOrigin(origin, publicUrl, request) : site === 'same-origin'
  if (by !== REQUESTED_WITH || !isOwn) throw fail('auth.cross_site')
}

/** The configured origin, or that of the request: a browser sends the cookie to the host that has set it. */
const isOwnOrigin = (origin: string, publicUrl: string, request: FastifyRequest): boolean =>
  (publicUrl !== '' && origin === new URL(publicUrl).origin) || origin === originOf('', request)
