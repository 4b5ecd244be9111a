/* One request: its token, its retries, and its failure as an error. */

export const JSON_API = 'application/vnd.api+json'

export interface Settings {
  /** Scheme and host of the service. Default: that of the page. */
  readonly url?: string
  /** An access token. Absent: the session of the browser. */
  readonly token?: string
  /** How often a request is sent again that the service could not do now (429, 503; 409 while the first one with its key runs), or that got no answer. Default: 4. */
  readonly retries?: number
  /** Default: that of the platform. */
  readonly fetch?: typeof globalThis.fetch
  /** Waits so many milliseconds; for tests. */
  readonly wait?: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>
}

export interface Asking {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
  /** Whether it does no harm when it is done twice: then it is sent again also where no answer came. Default: all but POST and PATCH. */
  readonly repeatable?: boolean
}

/** What an error document says (docs/errors.md). */
export interface ErrorObject {
  readonly id: string
  readonly status: string
  readonly code: string
  readonly title: string
  readonly detail: string
  readonly source?: { readonly pointer?: string; readonly parameter?: string; readonly header?: string }
  readonly meta?: Readonly<Record<string, unknown>>
}

/** A request that was refused. */
export class ApiError extends Error {
  readonly status: number
  readonly errors: readonly ErrorObject[]
  /** Seconds after which the service can do it (the header Retry-After); 0: it did not say. */
  readonly retryAfter: number
  constructor(status: number, errors: readonly ErrorObject[], retryAfter = 0) {
    super(errors.map(({ detail }) => detail).join(' ') || `The service answered ${status}.`)
    this.name = 'ApiError'
    this.status = status
    this.errors = errors
    this.retryAfter = retryAfter
  }
  /** The code of the first error: `record.stale`. */
  get code(): string {
    return this.errors[0]?.code ?? ''
  }
}

/** Milliseconds of the longest wait. */
const LONGEST = 60_000

const waitFor = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      reject(signal!.reason as Error)
    }
    if (signal?.aborted) return reject(signal.reason as Error)
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', end, { once: true })
  })

export class Connection {
  private readonly settings: Settings
  readonly wait: NonNullable<Settings['wait']>
  constructor(settings: Settings) {
    this.settings = settings
    this.wait = settings.wait ?? waitFor
  }

  /** The parsed answer; undefined where it has no body. @throws ApiError */
  async json<T>(method: string, path: string, asking: Asking = {}): Promise<{ readonly body: T; readonly headers: Headers }> {
    const answer = await this.send(method, path, asking)
    const text = await answer.text()
    return { body: (text === '' ? undefined : JSON.parse(text)) as T, headers: answer.headers }
  }

  /** The answer; its body has not been read. @throws ApiError where it is an error */
  async send(method: string, path: string, { body, headers = {}, signal, repeatable }: Asking = {}): Promise<Response> {
    const { token, retries = 4, fetch = globalThis.fetch } = this.settings
    const isJson = body !== undefined && headers['Content-Type'] === undefined
    const init: RequestInit = {
      method,
      headers: {
        ...(token === undefined ? { 'X-Requested-With': 'kartoteka' } : { 'X-Auth-Token': token }),
        ...(isJson && { 'Content-Type': JSON_API }),
        ...headers,
      },
      credentials: 'same-origin',
      ...(body !== undefined && { body: isJson ? JSON.stringify(body) : (body as NonNullable<RequestInit['body']>) }),
      ...(signal && { signal }),
    }
    const mayRepeat = repeatable ?? !['POST', 'PATCH'].includes(method)
    for (let attempt = 0; ; attempt++) {
      const last = attempt >= retries
      let answer: Response
      try {
        answer = await fetch(this.address(path), init)
      } catch (error) {
        if (last || !mayRepeat || signal?.aborted) throw error
        await this.wait(backoff(attempt), signal)
        continue
      }
      if (answer.ok || answer.status === 304) return answer
      const after = answer.headers.get('Retry-After')
      // Without Retry-After, waiting does not help.
      if (last || after === null || ![409, 429, 503].includes(answer.status) || (answer.status === 503 && !mayRepeat && method === 'POST'))
        throw await failureOf(answer)
      await answer.body?.cancel()
      await this.wait(Math.min(LONGEST, Math.max(Number(after) * 1_000 || 0, backoff(attempt))), signal)
    }
  }

  /** Links of answers lead to the service under its public name; only their path counts. */
  private address(path: string): string {
    const { url = '' } = this.settings
    const absolute = /^[a-z]+:\/\/[^/?#]*(.*)$/is.exec(path)
    return url.replace(/\/$/, '') + (absolute ? absolute[1]! : path)
  }
}

/** Milliseconds before the next attempt: more each time, and not the same for all clients. */
const backoff = (attempt: number): number => Math.min(LONGEST, 250 * 2 ** attempt * (1 + Math.random()))

async function failureOf(answer: Response): Promise<ApiError> {
  const retryAfter = Number(answer.headers.get('Retry-After') ?? 0) || 0
  const text = await answer.text()
  try {
    const { errors } = JSON.parse(text) as { readonly errors?: readonly ErrorObject[] }
    return new ApiError(answer.status, errors ?? [], retryAfter)
  } catch {
    return new ApiError(answer.status, [], retryAfter)
  }
}

/** A key for one write, also where the page is not in a secure context. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
