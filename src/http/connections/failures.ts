import type { FastifyRequest } from 'fastify'
import { fail, Failure, Failures } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { isDamage } from '../../store/sqlite/damage.ts'
import type { Environment } from '../../store/ground/store.ts'
import { errorDocument } from '../answers/jsonapi.ts'
import type { Reply } from '../routing/route.ts'
import { sourceOf } from '../routing/source.ts'
import type { Refusing } from './serving.ts'

/** Characters of a sentence in the log, of a path, and of an address that a proxy passed on. */
const LONGEST_LOGGED = 500
const LONGEST_PATH = 200
const LONGEST_ADDRESS = 100
/** Errors of one document that are logged in full; of the others the log has id and code. */
const LOGGED_IN_FULL = 20

/**
 * The error document for anything that was thrown; each error has an id, which the log has too. `requestId`: where no request could be read.
 */
export function refusal(serving: Refusing, request: FastifyRequest | undefined, error: unknown, requestId = request?.id): Reply {
  const { environment, log, store, stopping } = serving
  const failures =
    error instanceof Failures ? error.failures.slice(0, limits.errors.most) : [error instanceof Failure ? error : translated(error)]
  const about = {
    request: requestId,
    method: request?.method,
    path: request && pathOf(request.url).slice(0, LONGEST_PATH),
    // Undefined, despite its type, where the client has gone.
    address: (request?.ip as string | undefined)?.slice(0, LONGEST_ADDRESS),
  }
  if (failures[0]!.code === 'database.damaged' && !serving.toldOfDamage) tellOfDamage(serving)
  const errors = failures.map((failure, i) => {
    const { status, code, title, message, where } = failure
    const id = uuid(environment)
    const details =
      i < LOGGED_IN_FULL
        ? { id, status, code, detail: message.slice(0, LONGEST_LOGGED), ...about }
        : { id, status, code, request: requestId }
    // While the server starts or stops, refusals are expected, and not logged as errors.
    if (status >= 500 && store && !stopping) log.error({ ...details, err: loggable(error) }, 'request failed')
    else log.info(details, 'request refused')
    return {
      id,
      status: String(status),
      code,
      title,
      detail: message,
      ...(failure.isPlaced && { source: sourceOf(where) }),
      ...(where.type && { links: { type: where.type } }),
      ...(where.meta && { meta: where.meta }),
    }
  })
  const { status, retryAfter, where } = failures[0]!
  const challenge = status === 401 ? { 'WWW-Authenticate': 'Bearer realm="Kartoteka"' } : {}
  const later = retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }
  return { status, body: errorDocument(errors), headers: { ...challenge, ...later, ...where.headers } }
}

/** Logged once, for the operator. */
function tellOfDamage(serving: Refusing): void {
  serving.toldOfDamage = true
  serving.log.error(
    { code: 'database.damaged' },
    "the database file is damaged: stop the server, look with 'kartoteka check', and restore a backup with 'kartoteka restore --move-aside'",
  )
}

function pathOf(url: string): string {
  const mark = url.indexOf('?')
  return mark < 0 ? url : url.slice(0, mark)
}

/** Characters of the stack of an error in the log. */
const LONGEST_STACK = 4_000

/** What the log shows of an error and its cause; without the details of a database error, which quote values of records. */
export function loggable(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error).slice(0, LONGEST_LOGGED)
  const { name, message, stack = '', code, cause } = error as Error & { readonly code?: unknown }
  return {
    type: name,
    message: message.slice(0, LONGEST_LOGGED),
    stack: stack.slice(0, LONGEST_STACK),
    ...(code !== undefined && { code }),
    ...(cause !== undefined && { cause: loggable(cause) }),
  }
}

/** The failure for an error that Fastify found in a request; any other error is a fault of the server. */
function translated(error: unknown): Failure {
  if (isDamage(error)) return fail('database.damaged')
  const { code = '', statusCode = 500 } = error as { code?: string; statusCode?: number }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return fail('request.wrong_media_type', { extension: undefined }, { source: { header: 'Content-Type' } })
  if (code === 'ECONNRESET') return fail('request.malformed', { why: 'The request ended before its body did.' })
  if (code === 'FST_ERR_BAD_URL') return fail('request.malformed', { why: 'The address is not percent-encoded UTF-8.' })
  if (code.startsWith('FST_') && statusCode >= 400 && statusCode < 500)
    return fail('request.malformed', { why: 'The request cannot be read.' })
  return fail('server.internal')
}

/** A UUID, version 4 (RFC 9562). */
export function uuid(environment: Environment): string {
  const bytes = environment.randomBytes(16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return Buffer.from(bytes)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
