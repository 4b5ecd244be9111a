import { errorCatalogue, type ErrorCode } from '../../src/errors.ts'
import { ATOMIC_TYPE } from '../../src/http/answers/jsonapi.ts'
import { routes } from '../../src/http/routes.ts'
import type { Source } from '../../src/http/routing/source.ts'
import type { Attempt } from './requests.ts'
import type { Received } from './wire.ts'

/* What every answer must be, whatever was asked. */

const JSON_API = 'application/vnd.api+json'

/** An error as the document has it. */
interface ErrorObject {
  readonly id?: unknown
  readonly status?: unknown
  readonly code?: unknown
  readonly title?: unknown
  readonly detail?: unknown
  readonly source?: Source
}

/** Which source an error names, by area or code of the error. */
const sources: readonly (readonly [code: RegExp, members: readonly (keyof Source)[]])[] = [
  [/^auth\.token_/, ['header']],
  [/^(header\.|idempotency\.|record\.stale$|request\.(wrong_media_type|wrong_encoding|not_acceptable)$)/, ['header']],
  [/^(parameter\.|sort\.)/, ['parameter']],
  [/^filter\./, ['parameter', 'pointer']],
  [/^attribute\./, ['pointer', 'parameter']],
  [
    /^(field\.(invalid_value|required|not_unique)$|document\.|relationship\.|body\.malformed$|user\.(login_taken|wrong_password)$)/,
    ['pointer'],
  ],
]

/** A pointer may name what is missing, or what the service itself put there. */
const MAY_BE_ABSENT =
  /^(document\.missing_member|parameter\.missing|field\.required|field\.not_unique|field\.has_duplicates|user\.wrong_password)$/

/** What a file object must have. */
const OF_FILE = /^\/data\/attributes\/f\d+\/\d+\/(file_name|content)$/

/** What is wrong with an answer; undefined: nothing. */
export function fault(attempt: Attempt, { status, headers, body }: Received): string | undefined {
  // A limit of the whole process was met, as limits.ts has it.
  if (status >= 500 && !(status === 503 && headers.has('retry-after'))) return `status ${status}`
  if (status < 400) return accepted(attempt, { status, headers, body })
  if (headers.get('content-type') !== JSON_API) return `content type ${headers.get('content-type')}`
  if (status === 405 && !headers.has('allow')) return '405 without Allow'
  if (status === 401 && !headers.has('www-authenticate')) return '401 without WWW-Authenticate'
  if (status === 429 && !headers.has('retry-after')) return '429 without Retry-After'
  if (attempt.method === 'HEAD') return body.length > 0 ? 'HEAD with a body' : undefined
  const document = parsed(body) as { errors?: readonly ErrorObject[]; data?: unknown; jsonapi?: { version?: unknown } } | undefined
  if (!document) return 'no JSON'
  if (document.jsonapi?.version !== '1.1' || 'data' in document) return 'no error document'
  if (!Array.isArray(document.errors) || document.errors.length === 0) return 'no errors'
  if (document.errors[0]!.status !== String(status)) return 'another status in the document'
  for (const error of document.errors) {
    const wrong = faultOfError(attempt, error)
    if (wrong !== undefined) return `${String(error.code)}: ${wrong}`
  }
  return undefined
}

function accepted({ method, route }: Attempt, { status, headers, body }: Received): string | undefined {
  if (![200, 201, 204, 304].includes(status)) return `status ${status}`
  if (status === 204 || status === 304 || method === 'HEAD') return body.length > 0 ? 'a body' : undefined
  const media = headers.get('content-type')
  // A request may have another method than the route that it was made for.
  const answering = routes.find((one) => one.method === method && one.path === route.path) ?? route
  const usual = answering.extension === undefined ? JSON_API : ATOMIC_TYPE
  const known = [answering.answers].flat().map(({ content }) => content?.media ?? usual)
  if (known.includes('*/*')) return undefined
  if (media === undefined || !known.includes(media)) return `content type ${media}`
  return media.endsWith('json') && parsed(body) === undefined ? 'no JSON' : undefined
}

function faultOfError(attempt: Attempt, { id, status, code, title, detail, source }: ErrorObject): string | undefined {
  const row = errorCatalogue[code as ErrorCode] as { status: number; title: string } | undefined
  if (!row) return 'unknown code'
  if (status !== String(row.status) || title !== row.title) return 'another status or title than the catalogue has'
  if (typeof id !== 'string' || !/^[0-9a-f-]{36}$/.test(id)) return 'no id'
  if (typeof detail !== 'string' || detail === '') return 'no detail'
  // The body of an upload is no document; the parameters of an operation are in its address, which a pointer names.
  const isElsewhere = attempt.route.method === 'PUT' || /^\/atomic:operations\/\d+\/href$/.test(source?.pointer ?? '')
  const wanted = isElsewhere ? undefined : sources.find(([codes]) => codes.test(String(code)))?.[1]
  const named = Object.keys(source ?? {}) as (keyof Source)[]
  if (named.length > 1) return 'two sources'
  if (wanted && (named.length === 0 || !wanted.includes(named[0]!))) return `source ${JSON.stringify(source)}`
  if (source?.pointer !== undefined) return faultOfPointer(attempt, source.pointer, MAY_BE_ABSENT.test(String(code)))
  if (source?.parameter !== undefined && !MAY_BE_ABSENT.test(String(code)) && !parametersOf(attempt.target).has(source.parameter))
    return `parameter ${JSON.stringify(source.parameter)} was not sent`
  return undefined
}

function faultOfPointer({ content }: Attempt, pointer: string, mayBeAbsent: boolean): string | undefined {
  if (pointer === '') return undefined
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) return `pointer ${pointer} is none`
  let value = content && parsed(content)
  const names = pointer
    .slice(1)
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
  for (const name of names) {
    const isMissing = mayBeAbsent || OF_FILE.test(pointer)
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name))
      return isMissing ? undefined : `pointer ${pointer} leads nowhere`
    value = (value as Record<string, unknown>)[name]
  }
  return undefined
}

function parametersOf(target: string): Set<string> {
  const mark = target.indexOf('?')
  const names = (mark < 0 ? '' : target.slice(mark + 1)).split('&').map((piece) => piece.split('=', 1)[0]!.trim())
  return new Set(names.flatMap((name) => [name, decoded(name), name.slice(0, 100)]))
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(Buffer.from(name.replaceAll('+', ' '), 'latin1').toString('utf8'))
  } catch {
    return name
  }
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}
