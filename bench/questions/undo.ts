import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { startPostgres } from '../../scripts/postgres.mjs'
import type { Bench } from '../bench.ts'
import { peakMemory } from '../machine.ts'
import { table, verdict } from '../markdown.ts'
import type { Question } from '../question.ts'
import { ask, commandWith, importArguments, startOurs, stop, type Ours } from '../servers.ts'
import { timesOf } from '../times.ts'

const WRITERS = 4
/** Milliseconds between two changes of one of them. */
const PAUSE = 20
const TABLE = 2

export const undoQuestion: Question = {
  name: 'undo',
  says: 'An import of as many lines undone while others write: how fast, who waits how long, and what stays?',
  async measure(bench) {
    const cluster = await startPostgres({ settings: ['shared_buffers=256MB'], onDisk: true })
    try {
      const alone = await measured(bench, 'SQLite', {})
      const shared = await measured(bench, `PostgreSQL ${cluster.version}`, { KARTOTEKA_DATABASE_URL: cluster.url() })
      const steps = table(
        ['store', 'step', 'records', 'seconds', 'records /s', 'requests', 'conflicts', 'bar'],
        [...alone.steps, ...shared.steps],
      )
      const waits = table(['store', 'changes of others', 'count', 'p50 ms', 'p99 ms', 'longest ms'], [...alone.waits, ...shared.waits])
      const peaks = `The server held ${alone.peak.toFixed(0)} MiB at most on SQLite, ${shared.peak.toFixed(0)} over PostgreSQL.`
      return `${steps}\n\n${waits}\n\n${WRITERS} people changed one of the imported records every ${PAUSE} ms each. ${peaks}`
    } finally {
      await cluster.stop()
    }
  },
}

type Line = readonly (string | number)[]

interface Measured {
  readonly steps: readonly Line[]
  readonly waits: readonly Line[]
  /** MiB. */
  readonly peak: number
}

async function measured(bench: Bench, store: string, more: NodeJS.ProcessEnv): Promise<Measured> {
  const data = join(bench.folder, `undone on ${store}`)
  await commandWith(more, data, ...importArguments('customers', await bench.csv(1, 100)))
  const token = (await commandWith(more, data, 'token', 'create', '--login', 'admin')).said.trim()
  const server = await startOurs(data, token, more)
  try {
    const imported = await commandWith(more, data, ...importArguments('wrong', await bench.csv(1, bench.rows)))
    const [batch] = ((await ask(server, '/api/dev/batch?sort=-id&page[limit]=1')) as { data: { id: string }[] }).data
    const people = new People(server, bench.rows, await fieldOf(server))
    people.begin()
    await new Promise((next) => setTimeout(next, bench.seconds * 1000))
    const before = people.waited.splice(0)
    const undone = await undo(server, Number(batch!.id))
    await people.end()
    const kept = await live(server)
    const stays = kept === undone.conflicts && kept === people.changed.size
    const redone = await undo(server, undone.batch)
    const back = await live(server)
    const row = (says: string, { seconds, records, requests, conflicts }: Omit<Undone, 'batch'>, bar: string): Line => [
      store,
      says,
      records,
      seconds,
      records / seconds,
      requests,
      conflicts,
      bar,
    ]
    const waited = (says: string, times: readonly number[]): Line => {
      const { count, p50, p99, most } = timesOf(times)
      return [store, says, count, p50, p99, most]
    }
    return {
      steps: [
        row('the import', { seconds: imported.seconds, records: bench.rows, requests: 1, conflicts: 0 }, ''),
        row('its undo, while others write', undone, verdict('what they changed stays', stays)),
        row('the undo of the undo', redone, verdict('all are back', back === bench.rows)),
      ],
      waits: [waited('before the undo', before), waited('during the undo', people.waited)],
      peak: peakMemory(server.child.pid!),
    }
  } finally {
    await stop(server)
    rmSync(data, { recursive: true, force: true })
  }
}

/** Those who change records meanwhile. */
class People {
  readonly waited: number[] = []
  /** The records that they changed. */
  readonly changed = new Set<number>()
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
    this.#running = Array.from({ length: WRITERS }, (_, i) => this.#work(i))
  }

  async end(): Promise<void> {
    this.#ends = true
    await Promise.all(this.#running)
  }

  async #work(which: number): Promise<void> {
    // Each record once, spread over the table.
    for (let n = which; !this.#ends; n += WRITERS) {
      const id = ((n * 7_919) % this.#rows) + 1
      const began = performance.now()
      const { status } = await send(this.#server, 'PATCH', `data${TABLE}/${id}`, {
        data: { type: `data${TABLE}`, id: String(id), attributes: { [this.#field]: `changed ${n}` } },
      })
      this.waited.push(performance.now() - began)
      if (status === 200) this.changed.add(id)
      await new Promise((next) => setTimeout(next, PAUSE))
    }
  }
}

interface Undone {
  /** Of the undo. */
  readonly batch: number
  readonly records: number
  readonly conflicts: number
  readonly requests: number
  readonly seconds: number
}

async function undo(server: Ours, batch: number): Promise<Undone> {
  const began = performance.now()
  for (let requests = 1; ; requests++) {
    const { status, json } = await send(server, 'POST', `batch/${batch}/undo`)
    if (status !== 200) throw new Error(`The undo was answered with ${status}: ${JSON.stringify(json)}`)
    const { batch_id, done, records, conflicts } = json['meta'] as { batch_id: number; done: boolean; records: number; conflicts: number }
    if (done) return { batch: batch_id, records, conflicts, requests, seconds: (performance.now() - began) / 1000 }
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

async function fieldOf(server: Ours): Promise<string> {
  const { data } = (await ask(server, `/api/dev/field?filter=and(eq(table_id,${TABLE}),eq(field_type,'longtext'))`)) as {
    data: { attributes: { int_name: string } }[]
  }
  return data[0]!.attributes.int_name
}

const live = async (server: Ours): Promise<number> =>
  ((await ask(server, `/api/dev/data${TABLE}?page[limit]=1`)) as { meta: { total: number } }).meta.total
