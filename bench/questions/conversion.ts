import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { startPostgres } from '../../scripts/postgres.mjs'
import type { Bench } from '../bench.ts'
import { table } from '../markdown.ts'
import type { Question } from '../question.ts'
import { ask, commandWith, importArguments, startOurs, stop, type Ours } from '../servers.ts'
import { timesOf } from '../times.ts'

const CLIENTS = 4
/** Milliseconds between two requests of one of them. */
const PAUSE = 20
const TABLE = 1

export const conversionQuestion: Question = {
  name: 'conversion',
  says: 'A field gets another type, by a job and in one transaction: how long do those wait who write and read meanwhile?',
  async measure(bench) {
    const cluster = await startPostgres({ settings: ['shared_buffers=256MB'], onDisk: true })
    try {
      const rows = [
        ...(await measured(bench, 'SQLite', {})),
        ...(await measured(bench, `PostgreSQL ${cluster.version}`, { KARTOTEKA_DATABASE_URL: cluster.url() })),
      ]
      const waits = table(
        ['store', 'conversion', 'seconds', 'writes', 'p50 ms', 'p99 ms', 'longest ms', 'reads', 'p99 ms', 'longest ms', 'refused'],
        rows,
      )
      return `${waits}\n\n${CLIENTS} people changed a record of the table and read its first page every ${PAUSE} ms each.`
    } finally {
      await cluster.stop()
    }
  },
}

type Line = readonly (string | number)[]

async function measured(bench: Bench, store: string, more: NodeJS.ProcessEnv): Promise<Line[]> {
  const data = join(bench.folder, `converted on ${store}`)
  await commandWith(more, data, ...importArguments('customers', await bench.csv(1, bench.rows)))
  const token = (await commandWith(more, data, 'token', 'create', '--login', 'admin')).said.trim()
  const server = await startOurs(data, token, more)
  try {
    const { data: fields } = (await ask(server, `/api/dev/field?filter=eq(table_id,${TABLE})`)) as {
      data: { id: string; attributes: { field_name: string; int_name: string } }[]
    }
    const [balance, name] = ['balance', 'name'].map((wanted) => fields.find(({ attributes }) => attributes.field_name === wanted)!)
    const lines: Line[] = []
    for (const [says, work] of [
      ['none', () => new Promise((next) => setTimeout(next, bench.seconds * 1000))],
      ['a decimal to a text, by a job', () => byJob(server, balance!.id, 'text')],
      ['back, in one transaction', () => directly(server, balance!.id, 'decimal')],
    ] as const) {
      const people = new People(server, bench.rows, name!.attributes.int_name)
      people.begin()
      const began = performance.now()
      await work().finally(() => people.end())
      const seconds = (performance.now() - began) / 1000
      const [writes, reads] = [timesOf(people.writes), timesOf(people.reads)]
      lines.push([
        store,
        says,
        seconds,
        writes.count,
        writes.p50,
        writes.p99,
        writes.most,
        reads.count,
        reads.p99,
        reads.most,
        people.refused,
      ])
    }
    return lines
  } finally {
    await stop(server)
    rmSync(data, { recursive: true, force: true })
  }
}

const document = (id: string, field_type: string) => ({ data: { type: 'field', id, attributes: { field_type } } })

async function byJob(server: Ours, id: string, type: string): Promise<void> {
  const asked = await send(server, 'PATCH', `field/${id}?asJob=true`, document(id, type))
  if (asked.status !== 202) throw new Error(JSON.stringify(asked.json))
  const job = (asked.json['data'] as { id: string }).id
  for (;;) {
    const { state, error } = ((await send(server, 'GET', `job/${job}`)).json['data'] as { attributes: Record<string, unknown> }).attributes
    if (state === 'done') return
    if (state !== 'queued' && state !== 'running') throw new Error(JSON.stringify(error))
    await new Promise((next) => setTimeout(next, 200))
  }
}

async function directly(server: Ours, id: string, type: string): Promise<void> {
  const answer = await send(server, 'PATCH', `field/${id}`, document(id, type))
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.json))
}

/** Those who write and read meanwhile. */
class People {
  readonly writes: number[] = []
  readonly reads: number[] = []
  refused = 0
  readonly #server: Ours
  readonly #rows: number
  readonly #field: string
  #running: Promise<void>[] = []
  #ends = false

  constructor(server: Ours, rows: number, field: string) {
    this.#server = server
    this.#rows = rows
    this.#field = field
  }

  begin(): void {
    this.#running = Array.from({ length: CLIENTS }, (_, i) => this.#work(i))
  }

  async end(): Promise<void> {
    this.#ends = true
    await Promise.all(this.#running)
  }

  async #work(which: number): Promise<void> {
    for (let n = which; !this.#ends; n += CLIENTS) {
      const id = String(((n * 7_919) % this.#rows) + 1)
      const attributes = { [this.#field]: `changed ${n}` }
      await this.#timed(this.writes, 'PATCH', `data${TABLE}/${id}`, { data: { type: `data${TABLE}`, id, attributes } })
      await this.#timed(this.reads, 'GET', `data${TABLE}?page[limit]=10`)
      await new Promise((next) => setTimeout(next, PAUSE))
    }
  }

  async #timed(times: number[], ...request: [method: string, path: string, body?: unknown]): Promise<void> {
    const began = performance.now()
    const { status } = await send(this.#server, ...request)
    times.push(performance.now() - began)
    if (status !== 200) this.refused++
  }
}

async function send(
  { port, token }: Ours,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; json: Record<string, unknown> }> {
  const headers = { 'x-auth-token': token, ...(body !== undefined && { 'content-type': 'application/vnd.api+json' }) }
  const answer = await fetch(`http://127.0.0.1:${port}/api/dev/${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: answer.status, json: (await answer.json()) as Record<string, unknown> }
}
