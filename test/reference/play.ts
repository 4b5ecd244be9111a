import { STATUS_CODES } from 'node:http'
import { JSON_API, type Service } from '../support/service.ts'

/* Sends the requests of a page and keeps the answers. Nothing on a page is written by hand that a request can tell. */

export interface Sent {
  /** Below /api/dev/, as it is typed; '' for the entry point itself. With a slash before it: the whole path. */
  readonly path: string
  readonly method?: string
  /** Sent as JSON; a string as it is. */
  readonly body?: unknown
  /** `$NAME` in them stands for what is kept under this name. */
  readonly headers?: Readonly<Record<string, string>>
  /** The variable that holds the token; null: none is sent. Default: TOKEN, the administrator's. */
  readonly by?: string | null
}

/** A request that is shown with its answer. */
export interface Shown extends Sent {
  readonly says?: string
  /** The name under which the token or code of the answer is kept: for `by`, and for `<NAME>` in later bodies. */
  readonly keeps?: string
  /** The same for the value of the cookie that the answer sets. */
  readonly keepsCookie?: string
  /** The lines of the answer that are shown; default: all. */
  readonly lines?: RegExp
  /** Status of the answer. Default: below 300. */
  readonly status?: number
}

/** A request that is refused: when that happens, and which. */
export type Refused = readonly [when: string, request: Sent & { readonly code: string }]

export interface EndpointOfPage {
  /** Method and path, as src/http/routes.ts has them. */
  readonly route: string
  /** A heading in words. */
  readonly title: string
  readonly who: string
  readonly notes?: string
  /** Sent and not shown. */
  readonly before?: readonly Shown[]
  readonly shows: readonly Shown[]
  readonly refuses?: readonly Refused[]
}

export interface Page {
  readonly file: string
  readonly title: string
  readonly says: string
  /** The type whose attributes are listed. */
  readonly attributesOf?: string
  readonly endpoints: readonly EndpointOfPage[]
  /** Markdown after the endpoints. */
  readonly after?: string
}

export interface Heard {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Sends one request and brings the answer. `tokens`: by variable. */
export type Ask = (request: Sent, tokens: ReadonlyMap<string, string>) => Promise<Heard>

export interface Played {
  readonly request: Shown
  readonly heard: Heard
}

export interface PlayedEndpoint {
  readonly endpoint: EndpointOfPage
  readonly shows: readonly Played[]
  readonly refuses: readonly { readonly when: string; readonly heard: Heard; readonly code: string }[]
}

export const methodOf = (request: Sent, route = 'GET'): string => request.method ?? route.split(' ')[0]!

/** `fetched`: how requests are sent that are not shown. */
export async function play(
  service: Service,
  pages: readonly Page[],
  ask: Ask,
  fetched: Ask = byFetch(service),
): Promise<Map<Page, PlayedEndpoint[]>> {
  const tokens = new Map([['TOKEN', service.token]])
  const played = new Map<Page, PlayedEndpoint[]>()
  for (const page of pages) {
    const done: PlayedEndpoint[] = []
    played.set(page, done)
    for (const endpoint of page.endpoints) {
      const { route, before = [], shows, refuses = [] } = endpoint
      const sent = async (request: Shown, by: Ask, method = methodOf(request, route)) => {
        const full = { ...request, method, ...('body' in request && { body: filledIn(request.body, tokens) }) }
        const heard = await by(full, tokens)
        if (request.keeps !== undefined) {
          const { token, code } = JSON.parse(heard.text).data.attributes
          tokens.set(request.keeps, token ?? code)
        }
        if (request.keepsCookie !== undefined) tokens.set(request.keepsCookie, /=([^;]*)/.exec(heard.headers.get('set-cookie') ?? '')![1]!)
        return { request: full, heard }
      }
      for (const request of before) {
        const { heard } = await sent(request, fetched, request.method ?? 'POST')
        if (heard.status >= 300) throw new Error(`${route}, before: ${request.path} ${heard.text}`)
        await service.store.indexes.idle()
      }
      const answers: Played[] = []
      for (const request of shows) {
        answers.push(await sent(request, ask))
        await service.store.indexes.idle()
      }
      const refusals = []
      for (const [when, { code, ...request }] of refuses) refusals.push({ when, code, heard: (await sent(request, fetched)).heard })
      done.push({ endpoint, shows: answers, refuses: refusals })
    }
  }
  return played
}

const filledIn = (body: unknown, kept: ReadonlyMap<string, string>): unknown =>
  JSON.parse(JSON.stringify(body).replaceAll(/<([A-Z_]+)>/g, (whole, name: string) => kept.get(name) ?? whole))

export const byFetch =
  (service: Service): Ask =>
  async ({ path, method = 'GET', body, headers = {}, by = 'TOKEN' }, tokens) => {
    const token = by === null ? null : (tokens.get(by) ?? by)
    const sent = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace(KEPT, (_, kept: string) => tokens.get(kept)!)]),
    )
    const { status, headers: answered, text } = await service.send(method, addressOf(path), { headers: sent, body, token })
    return { status, headers: answered, text }
  }

/** What is kept, in a header. */
const KEPT = /\$([A-Z_]+)/

export const addressOf = (path: string): string => (path.startsWith('/') ? path : `/api/dev${path === '' ? '' : '/'}${path}`)

/** The same request as somebody types it. */
export function asCurl({ path, method = 'GET', body, headers = {}, by = 'TOKEN' }: Sent, base: string): string {
  const parts = [`curl --globoff ${method === 'GET' ? '' : `--request ${method} `}${quoted(base + addressOf(path))}`]
  if (by !== null) parts.push(`--header "X-Auth-Token: $${by}"`)
  if (body !== undefined && !('Content-Type' in headers)) parts.push(`--header 'Content-Type: ${JSON_API}'`)
  for (const [name, value] of Object.entries(headers))
    parts.push(`--header ${KEPT.test(value) ? `"${name}: ${value}"` : quoted(`${name}: ${value}`)}`)
  if (body !== undefined) parts.push(`--data ${quoted(typeof body === 'string' ? body : pretty(body))}`)
  return parts.join(' \\\n  ')
}

const quoted = (text: string): string => (/['\\]/.test(text) && !/["$`!\\]/.test(text) ? `"${text}"` : `'${text.replaceAll("'", "'\\''")}'`)

/** Headers that tell something about the answer itself. */
const TELLING = ['location', 'etag', 'retry-after', 'www-authenticate', 'content-disposition', 'accept-ranges', 'allow', 'set-cookie']

export function asAnswer({ status, headers, text: all }: Heard, only?: RegExp): string {
  const text = only
    ? all
        .split('\n')
        .filter((line) => only.test(line))
        .join('\n')
    : all.trimEnd()
  const type = headers.get('content-type') ?? ''
  // The tag of a long document changes with every route.
  const telling = text.length > LONGEST ? TELLING.filter((name) => name !== 'etag') : TELLING
  const lines = telling.flatMap((name) => (headers.has(name) ? [`${inTitleCase(name)}: ${headers.get(name)}`] : []))
  if (text !== '' && type !== JSON_API) lines.unshift(`Content-Type: ${type}`)
  const body = text === '' ? [] : ['', cut(/[/+]json$/.test(type) ? pretty(JSON.parse(text)) : text)]
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, ...body].join('\n')
}

/** Characters of a body that a page shows. */
const LONGEST = 20_000
const cut = (text: string): string => (text.length > LONGEST ? `${text.slice(0, text.indexOf('\n', 1_000))}\n…` : text)

const inTitleCase = (name: string): string => (name === 'etag' ? 'ETag' : name.replace(/(^|-)[a-z]/g, (part) => part.toUpperCase()))

/** JSON with line breaks; what fits in a line stays in one. */
export function pretty(value: unknown, indent = ''): string {
  const flat = JSON.stringify(value)
  if (typeof value !== 'object' || value === null || (indent.length + flat.length <= 100 && !/^\{"(data|errors)"/.test(flat)))
    return spaced(value)
  const inner = `${indent}  `
  const lines = Array.isArray(value)
    ? value.map((one) => inner + pretty(one, inner))
    : Object.entries(value).map(([name, one]) => `${inner}${JSON.stringify(name)}: ${pretty(one, inner)}`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`
}

function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${spaced(one)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}
