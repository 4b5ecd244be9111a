import { createHash, randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { buildServer } from '../../src/http/server.ts'
import type { HttpSettings } from '../../src/http/connections/serving.ts'
import { operator } from '../../src/store/catalogue/administrator.ts'
import { ensureFirstAdministrator } from '../../src/store/people/first-administrator.ts'
import { createUser } from '../../src/store/people/users.ts'
import { issueToken } from '../../src/store/people/tokens.ts'
import { createField } from '../../src/store/structure/fields.ts'
import { createTable } from '../../src/store/structure/tables.ts'
import type { FileStorage } from '../../src/store/files/file-storage.ts'
import type { Store, StoreSettings } from '../../src/store/ground/store.ts'
import { jsonApiFaults } from './json-api-faults.ts'
import { scratchInstallation, scratchStore } from './scratch-store.ts'
import { settledWithin } from './settled.ts'

export const JSON_API = 'application/vnd.api+json'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The parsed body; undefined where it is no JSON. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into documents of every shape
  readonly json: any
}

export interface Sending {
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON; a string or bytes as they are. */
  readonly body?: unknown
  /** Default: the administrator's; null: none. */
  readonly token?: string | null
}

/** A real server over a real database file, with one administrator; its clock stands still until it is moved. */
export interface Service {
  readonly url: string
  readonly store: Store
  /** Where its database and its files are. */
  readonly directory: string
  readonly clock: { now: number }
  /** The first administrator, as the first start makes them. */
  readonly first: { readonly login: string; readonly password: string }
  /** A token of theirs, that of every request which brings no other. */
  readonly token: string
  /** What the server logged, most recent last. */
  readonly logged: { level: string; details: Record<string, unknown> }[]
  /** What its store reported of work beside requests. */
  readonly faults: readonly string[]
  send(method: string, path: string, sending?: Sending): Promise<Answer>
  /** Bytes as they are, on a connection of their own, and all that comes back until the server ends it. */
  raw(request: string | Uint8Array): Promise<string>
  /** The same below /api/dev/, with a document as body; `token` null: none. */
  call(method: string, path: string, body?: unknown, token?: string | null): Promise<Answer>
  get(path: string, token?: string | null): Promise<Answer>
  remove(path: string, token?: string | null): Promise<Answer>
  add(type: string, attributes: object, token?: string | null, path?: string): Promise<Answer>
  change(type: string, id: string, attributes: object, token?: string | null, query?: string): Promise<Answer>
  /** Adds what must succeed; its id. */
  make(type: string, attributes: object, token?: string): Promise<string>
  /** Signs in somebody; their token. */
  signIn(login: string, password: string): Promise<string>
  /** A token of a new user in a group. */
  tokenOf(groupId: number, wish?: { scope?: 'read' | 'write'; tables?: readonly number[] }): Promise<string>
  /** A table with one field per entry: name of the type, or what createField takes besides. Returns the ids. */
  table(
    title: string,
    fields?: Readonly<Record<string, string | Readonly<Record<string, unknown>>>>,
  ): Promise<{ id: number; fields: Record<string, string> }>
  close(): Promise<void>
}

/** Milliseconds: `stall`, in which a client may be still; `arrival`, in which a request has to arrive. */
export async function startService(
  settings: Partial<HttpSettings & StoreSettings> = {},
  stall?: number,
  arrival?: number,
  files?: (directory: string) => FileStorage,
): Promise<Service> {
  const scratch = await scratchStore(settings, undefined, files)
  const first = (await ensureFirstAdministrator(scratch.store))!
  const { token } = await issueToken(scratch.store, operator, { login: first.login })
  return serve({ ...scratch, first, token }, settings, stall, arrival)
}

/** One on each engine, whose chance is the same: the same requests have the same answers, byte by byte. */
export async function startTwins(): Promise<{ twins: Service[]; close(): Promise<void> }> {
  const twins: Service[] = []
  for (const engine of ['sqlite', 'postgres'] as const) twins.push(await startSteady('https://crm.example.com', engine))
  return { twins, close: async () => void (await Promise.all(twins.map((twin) => twin.close()))) }
}

/** One whose chance is the same each time, as its clock is: the same requests always have the same answers. */
export async function startSteady(publicUrl: string, engine: 'sqlite' | 'postgres' = 'sqlite'): Promise<Service> {
  let drawn = 0
  const randomBytes = (count: number) => createHash('shake256', { outputLength: count }).update(String(drawn++)).digest()
  const { open, remove, ...installation } = await scratchInstallation({}, { engine, randomBytes })
  const store = await open()
  const first = (await ensureFirstAdministrator(store))!
  const { token } = await issueToken(store, operator, { login: first.login })
  const end = async () => {
    await store.close()
    await remove()
  }
  return serve({ ...installation, store, first, token, remove: end }, { publicUrl })
}

/** Several services over one database, as on several machines; the first begins, the others join it. */
export async function startNodes(
  count: number,
  url?: string,
  replicaUrls: readonly string[] = [],
  files?: (directory: string) => FileStorage,
): Promise<{ nodes: Service[]; close(): Promise<void> }> {
  const { open, remove, ...installation } = await scratchInstallation({}, { replicaUrls, files, ...(url !== undefined && { url }) })
  const stores = await Promise.all(Array.from({ length: count }, () => open()))
  const first = (await ensureFirstAdministrator(stores[0]!))!
  const { token } = await issueToken(stores[0]!, operator, { login: first.login })
  const nodes = await Promise.all(stores.map((store) => serve({ ...installation, store, first, token, remove: () => store.close() })))
  return {
    nodes,
    async close() {
      for (const node of nodes) await node.close()
      await remove()
    },
  }
}

type Installation = Pick<Service, 'store' | 'clock' | 'directory' | 'faults' | 'first' | 'token'> & { remove(): Promise<void> }

async function serve(installation: Installation, settings: Partial<HttpSettings> = {}, stall?: number, arrival?: number): Promise<Service> {
  const { store, clock, directory, faults, first, token, remove } = installation
  const tokenOf: Service['tokenOf'] = async (groupId, wish = {}) => {
    const login = `user-${randomBytes(6).toString('hex')}`
    await createUser(store, operator, { login, fullName: login, password: randomBytes(9).toString('hex'), groupId } as never)
    return (await issueToken(store, operator, { login, ...wish })).token
  }
  const logged: Service['logged'] = []
  const level = (name: string) => (details: object) => void logged.push({ level: name, details: details as Record<string, unknown> })
  const server = buildServer({
    store,
    environment: store.environment,
    settings: {
      publicUrl: '',
      trustedProxies: [],
      corsOrigins: [],
      bodyLimit: 4 << 20,
      uploadLimit: 64 << 20,
      metricsToken: '',
      ...settings,
    },
    log: { info: level('info'), warn: level('warn'), error: level('error') },
    ...(stall !== undefined && { stall }),
    ...(arrival !== undefined && { arrival }),
  })
  const url = await server.listen('127.0.0.1', 0)
  const asked = async (method: string, path: string, sending: Sending) => {
    // Transactions of other tests hold the log back; a test that holds it back by itself does not wait for long.
    if (method === 'GET' && path.startsWith('/api/dev/change')) await settledWithin(2_000, store)
    return send(url, method, path, sending)
  }
  return {
    url,
    store,
    directory,
    faults,
    clock,
    first,
    token,
    logged,
    tokenOf,
    send: (method, path, sending) => asked(method, path, { token, ...sending }),
    ...inShort((method, path, body, by = token) => asked(method, `/api/dev/${path}`, { body, token: by })),
    raw: (request) => raw(Number(new URL(url).port), request),
    async table(title, fields = {}) {
      const id = await createTable(store, operator, { title })
      const names: Record<string, string> = {}
      for (const [name, of] of Object.entries(fields)) {
        const wish = typeof of === 'string' ? { typeName: of } : of
        names[name] = `f${await createField(store, operator, { tableId: id, title: name, ...wish } as never)}`
      }
      return { id, fields: names }
    },
    async close() {
      await server.close()
      await remove()
    },
  }
}

/** The requests that most tests make, in few words. */
function inShort(call: Service['call']): Pick<Service, 'call' | 'get' | 'remove' | 'add' | 'change' | 'make' | 'signIn'> {
  const add: Service['add'] = (type, attributes, token, path = type) => call('POST', path, { data: { type, attributes } }, token)
  const added = async (type: string, attributes: object, token?: string | null) => {
    const { status, text, json } = await add(type, attributes, token)
    if (status !== 201) throw new Error(`${status} ${text}`)
    return json.data
  }
  return {
    call,
    get: (path, token) => call('GET', path, undefined, token),
    remove: (path, token) => call('DELETE', path, undefined, token),
    add,
    change: (type, id, attributes, token, query = '') => call('PATCH', `${type}/${id}${query}`, { data: { type, id, attributes } }, token),
    make: async (type, attributes, token) => (await added(type, attributes, token)).id,
    signIn: async (login, password) => (await added('token', { login, password }, null)).attributes.token,
  }
}

/** What an error document says, in short: `422 field.required /data/attributes/login`. */
export const errorsOf = ({ json }: Answer): string[] =>
  (json.errors as { status: string; code: string; source?: Record<string, string> }[]).map(({ status, code, source }) =>
    [status, code, ...Object.values(source ?? {})].join(' '),
  )

async function send(url: string, method: string, path: string, { headers = {}, body, token }: Sending): Promise<Answer> {
  const bytes = body === undefined || typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)
  const response = await fetch(url + path, {
    method,
    redirect: 'manual',
    headers: { ...(token && { 'X-Auth-Token': token }), ...(bytes !== undefined && { 'Content-Type': JSON_API }), ...headers },
    ...(bytes !== undefined && { body: bytes as string }),
  })
  const text = await response.text()
  let json
  try {
    json = JSON.parse(text)
  } catch {
    json = undefined
  }
  const { status, headers: answered } = response
  mustBeJsonApi(method, path, { status, headers: answered, text, json })
  return { status, headers: answered, text, json }
}

/** Whatever a test is about, what it is answered follows the standard. */
function mustBeJsonApi(method: string, path: string, { status, headers, text, json }: Answer): void {
  const contentType = headers.get('content-type')
  if (text === '' || !(contentType?.startsWith(JSON_API) ?? status >= 400)) return
  const faults = jsonApiFaults({ method, status, contentType, location: headers.get('location'), document: json, url: path })
  if (faults.length > 0) throw new Error(`${method} ${path.slice(0, 200)}: no JSON:API document: ${faults.slice(0, 5).join('; ')}`)
}

function raw(port: number, request: string | Uint8Array): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request))
    let text = ''
    socket.on('data', (data) => (text += data.toString('utf8')))
    socket.on('end', () => resolve(text))
    socket.on('error', reject)
  })
}
