import { buildServer } from '../src/http/server.ts'
import type { StoreSettings } from '../src/store/store.ts'
import { ensureFirstAdministrator } from '../src/store/users.ts'
import { issueToken } from '../src/store/tokens.ts'
import { operator } from '../src/store/administrator.ts'
import { scratchStore } from './scratch-store.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  // What a document holds is what the test says about it.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
}

/** A server on a port of its own over a new installation, with a token of its administrator. */
export async function scratchServer(settings: Partial<StoreSettings> = {}) {
  const { store, clock, remove } = await scratchStore(settings)
  const first = (await ensureFirstAdministrator(store))!
  const log = { info: () => undefined, warn: () => undefined, error: (details: object) => console.error(details) }
  const server = buildServer({
    store,
    environment: store.environment,
    settings: { publicUrl: '', trustedProxies: [], corsOrigins: [], bodyLimit: 10_000_000 },
    log,
  })
  const url = await server.listen('127.0.0.1', 0)
  const { token: administrator } = await issueToken(store, operator, { login: first.login })

  /** Sends a request; `token` null: none. The path is below /api/dev/. */
  async function call(method: string, path: string, body?: unknown, token: string | null = administrator): Promise<Answer> {
    const headers = { 'Content-Type': 'application/vnd.api+json', ...(token !== null && { 'X-Auth-Token': token }) }
    const answer = await fetch(`${url}/api/dev/${path}`, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, body: text === '' ? undefined : JSON.parse(text) }
  }
  const add = (type: string, attributes: object, token?: string | null, path: string = type) =>
    call('POST', path, { data: { type, attributes } }, token)

  return {
    store,
    clock,
    url,
    first,
    administrator,
    call,
    get: (path: string, token?: string | null) => call('GET', path, undefined, token),
    remove: (path: string, token?: string | null) => call('DELETE', path, undefined, token),
    add,
    /** Adds what must succeed; its id. */
    async make(type: string, attributes: object, token?: string): Promise<string> {
      const { status, body } = await add(type, attributes, token)
      if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
      return body.data.id as string
    },
    change: (type: string, id: string, attributes: object, token?: string | null, query = '') =>
      call('PATCH', `${type}/${id}${query}`, { data: { type, id, attributes } }, token),
    /** Signs in somebody; his token. */
    async signIn(login: string, password: string): Promise<string> {
      const { status, body } = await add('token', { login, password }, null)
      if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
      return body.data.attributes.token as string
    },
    async close() {
      await server.close()
      await remove()
    },
  }
}

export type ScratchServer = Awaited<ReturnType<typeof scratchServer>>

/** What an error document says, in short: `422 field.required /data/attributes/login`. */
export const errorsOf = ({ body }: Answer): string[] =>
  (body.errors as { status: string; code: string; source?: Record<string, string> }[]).map(({ status, code, source }) =>
    [status, code, ...Object.values(source ?? {})].join(' '),
  )
