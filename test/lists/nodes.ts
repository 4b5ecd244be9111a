import { setTimeout as sleep } from 'node:timers/promises'
import { killablePostgres } from '../crash/killable-postgres.ts'
import { parseMetrics } from '../support/prometheus.ts'
import { scratchProgram, type Answer, type ScratchProgram, type Server } from '../support/scratch-program.ts'

/** The service as real processes, one over SQLite or two over one PostgreSQL, that can be killed and start again. */

/** Sums of the counters of all processes, those that were killed too. */
export interface Counted {
  sets: number
  sql: number
  dropped: number
  read: number
}

/** A write whose answer did not come: it was done or not. */
export class Cut extends Error {}

/** Milliseconds in which a request is tried again. */
const PATIENCE = 120_000
/** A list is answered 503 at once where too many wait: it is asked again. */
const AGAIN = 20

type Database = Awaited<ReturnType<typeof killablePostgres>> | undefined

export class Nodes {
  readonly program: ScratchProgram
  /** What a command or a store over the same installation is given. */
  readonly settings: Readonly<Record<string, string>>
  readonly #servers: (Server | undefined)[] = []
  readonly #before: Counted = { sets: 0, sql: 0, dropped: 0, read: 0 }
  readonly #database: Database
  readonly #env: Readonly<Record<string, string>>
  #token = ''
  #said = ''
  /** How often something was killed: processes of the service, and PostgreSQL. */
  readonly kills = { service: 0, postgres: 0 }
  /** Answers 5xx that came where nothing had been killed. */
  readonly failed: string[] = []
  refused = 0
  /** Until when answers 5xx are what is to be expected. */
  #unsteady = 0

  private constructor(database: Database, memory: number) {
    this.#database = database
    this.settings = { ...database?.settings }
    this.program = scratchProgram(this.settings)
    this.#env = { ...(memory > 0 && { KARTOTEKA_LIST_MEMORY: String(memory) }) }
  }

  static async start(store: 'sqlite' | 'postgres', memory: number): Promise<Nodes> {
    const nodes = new Nodes(store === 'postgres' ? await killablePostgres() : undefined, memory)
    nodes.#token = await nodes.program.token()
    for (let slot = 0; slot < (store === 'postgres' ? 2 : 1); slot++) nodes.#servers.push(await nodes.#serve())
    return nodes
  }

  get token(): string {
    return this.#token
  }

  get count(): number {
    return this.#servers.length
  }

  get hasDatabase(): boolean {
    return this.#database !== undefined
  }

  #serve(): Promise<Server> {
    return this.program.serve({ env: this.#env })
  }

  /** What is read is asked again until it is answered, of another process where one is gone. @throws Cut */
  async call(token: string, method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer> {
    const until = performance.now() + PATIENCE
    const isRead = method === 'GET' || path.includes('/search?')
    for (let slot = this.#next++; ; slot++) {
      const server = this.#servers[slot % this.count]
      const unsteady = () => performance.now() < this.#unsteady || this.#servers.includes(undefined)
      const answer = await server?.call(token, method, path, body, headers).catch((error: unknown) => {
        if (!isRead) throw new Cut(String(error))
        return undefined
      })
      if (answer && answer.status < 500) return answer
      if (answer && answer.status === 503 && !unsteady()) this.refused++
      else if (answer && !unsteady()) this.failed.push(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 300)}`)
      if (answer && !isRead) throw new Cut(`${answer.status} ${JSON.stringify(answer.body)}`)
      if (performance.now() > until) throw new Error(`${method} ${path} is not answered: ${JSON.stringify(answer?.body)}`)
      await sleep(AGAIN)
    }
  }
  #next = 0

  /** Sends a file. @throws Cut */
  async put(token: string, path: string, bytes: string): Promise<number> {
    const server = this.#servers.find((one) => one !== undefined)
    if (!server) throw new Cut('no server')
    const headers = { 'X-Auth-Token': token, 'Content-Type': 'application/octet-stream' }
    const answer = await fetch(`${server.url}/api/dev/${path}`, { method: 'PUT', headers, body: bytes }).catch((error: unknown) => {
      throw new Cut(String(error))
    })
    await answer.arrayBuffer()
    return answer.status
  }

  /** Kills a process, and starts it again. */
  async kill(slot: number): Promise<void> {
    const server = this.#servers[slot]
    if (!server) return
    add(this.#before, await this.#countedOf(server))
    this.#servers[slot] = undefined
    this.kills.service++
    this.#said += (await server.stop('SIGKILL')).err
    this.#servers[slot] = await this.#serve()
    this.#unsteady = performance.now() + 2_000
  }

  /** Kills all processes of PostgreSQL, and starts it again: what its tables without a log held is gone. */
  async crashDatabase(): Promise<void> {
    if (!this.#database) return
    this.#unsteady = Infinity
    this.kills.postgres++
    await this.#database.kill()
    await this.#database.restart()
    this.#unsteady = performance.now() + 10_000
  }

  async #countedOf(server: Server): Promise<Counted> {
    const text = await fetch(`${server.url}/metrics`, { headers: { 'X-Auth-Token': this.#token } }).then(
      (answer) => answer.text(),
      () => '',
    )
    const families = text.startsWith('#') ? parseMetrics(text) : undefined
    const of = (name: string, by?: string) =>
      (families?.get(`kartoteka_${name}`)?.samples ?? [])
        .filter(({ labels }) => by === undefined || labels['by'] === by)
        .reduce((sum, { value }) => sum + value, 0)
    return {
      sets: of('lists_answered_total', 'sets'),
      sql: of('lists_answered_total', 'sql'),
      dropped: of('list_sets_dropped_total'),
      read: of('list_sets_read_total'),
    }
  }

  async counted(): Promise<Counted> {
    const sum = { ...this.#before }
    for (const server of this.#servers) if (server) add(sum, await this.#countedOf(server))
    return sum
  }

  /** What the processes logged as errors. */
  said(): string {
    return this.#said + this.#servers.map((server) => server?.said.err ?? '').join('')
  }

  async stop(): Promise<void> {
    for (const server of this.#servers) await server?.stop()
    await this.program.remove()
    await this.#database?.stop()
  }
}

function add(sum: Counted, more: Counted): void {
  for (const key of ['sets', 'sql', 'dropped', 'read'] as const) sum[key] += more[key]
}
