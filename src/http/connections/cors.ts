import type { IncomingHttpHeaders } from 'node:http'
import type { Reply } from '../routing/route.ts'

/* CORS: pages of other origins can read answers only if the operator has listed their origin. */

const READABLE = 'ETag, Location, Retry-After, WWW-Authenticate, Content-Disposition, Content-Range, Accept-Ranges, Allow, X-Request-Id'
const SENDABLE =
  'X-Auth-Token, Authorization, Content-Type, Accept, If-Match, If-None-Match, Range, If-Range, Idempotency-Key, Last-Event-ID'

/** Headers of every answer. Where any origin is listed, `Vary` tells caches that answers depend on it. */
export function corsHeaders(origins: readonly string[], origin: string | undefined): Readonly<Record<string, string>> {
  if (origins.length === 0) return none
  if (origin === undefined || !origins.includes(origin)) return { Vary: 'Accept, Origin' }
  return { Vary: 'Accept, Origin', 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': READABLE }
}

const none = {}

/** The answer to OPTIONS, which browsers send before a request from a page of another origin. */
export function preflight(origins: readonly string[], headers: IncomingHttpHeaders, allowed: string): Reply {
  const { origin } = headers
  const listed = origin !== undefined && origins.includes(origin) && headers['access-control-request-method'] !== undefined
  const grants = { 'Access-Control-Allow-Methods': allowed, 'Access-Control-Allow-Headers': SENDABLE, 'Access-Control-Max-Age': '600' }
  return { status: 204, headers: { Allow: allowed, ...(listed && grants) } }
}
