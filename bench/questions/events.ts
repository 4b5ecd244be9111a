import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { startPostgres } from '../../scripts/postgres.mjs'
import type { Bench, Pair } from '../bench.ts'
import { load } from '../compare.ts'
import { memoryOf } from '../machine.ts'
import { table, verdict } from '../markdown.ts'
import type { Question } from '../question.ts'
import { commandWith, importArguments, startOurs, stop, type Ours } from '../servers.ts'
import { timesOf } from '../times.ts'
import { mixture } from './mixed.ts'

const LISTENERS = 1_000
/** limits.ts: streams of one token. */
const OF_TOKEN = 200
/** limits.ts: connections of one address. */
const OF_ADDRESS = 400
/** Milliseconds between two writes whose events are timed. */
const EVERY = 50

export const eventsQuestion: Question = {
  name: 'events',
  says: 'A thousand listeners: how much memory, and how long from a write to its event?',
  async measure(bench) {
    const lines = [
      ...(await bench.withPair(bench.rows, (pair) => measured(bench, 'SQLite, one process', pair, pair.ours, {}, 100))),
      ...(await twoProcesses(bench)),
    ]
    const head = ['listeners on', 'load beside', 'events timed', 'p50 ms', 'p95 ms', 'longest ms', 'bar', 'memory added MiB', 'bar']
    const what = `${LISTENERS.toLocaleString('en-US')} streams of one small table, in which ${1_000 / EVERY} records a second change; each event is timed at each listener, from the answer of the write. The load beside is that of "Everything at once" on another table: 16 connections, 10 % writes.`
    return `${table(head, lines)}\n\n${what}`
  },
}

/** The writer and the load on one process, the listeners on another one, over one PostgreSQL. */
async function twoProcesses(bench: Bench): Promise<(string | number)[][]> {
  const cluster = await startPostgres({ settings: ['shared_buffers=128MB'] })
  const more = { KARTOTEKA_DATABASE_URL: cluster.url() }
  const data = join(bench.folder, 'events')
  const servers: Ours[] = []
  try {
    await commandWith(more, data, ...importArguments('customers', await bench.csv(1, bench.rows)))
    const token = (await commandWith(more, data, 'token', 'create', '--login', 'admin')).said.trim()
    for (let i = 0; i < 2; i++) servers.push(await startOurs(data, token, more))
    const [here, there] = servers as [Ours, Ours]
    return await measured(bench, 'PostgreSQL, another process', { ours: here, rows: bench.rows }, there, more, 1_000)
  } finally {
    for (const one of servers) await stop(one)
    await cluster.stop()
  }
}

async function measured(
  bench: Bench,
  name: string,
  pair: Pick<Pair, 'ours' | 'rows'>,
  listening: Ours,
  more: NodeJS.ProcessEnv,
  bar: number,
): Promise<(string | number)[][]> {
  const { ours } = pair
  const shots = mixture(pair, 20_000)
  await load(bench, ours, 16, shots)
  const tokens: string[] = []
  for (let i = 0; i < LISTENERS / OF_TOKEN; i++)
    tokens.push((await commandWith(more, ours.data, 'token', 'create', '--login', 'admin')).said.trim())
  const deals = await makeTable(ours)
  await write(ours, deals, 'first')
  const before = memoryOf(listening.child.pid!)
  const arrivals = new Map<string, number[]>()
  const sockets = await listen(listening, tokens, deals.id, arrivals)
  try {
    const alone = await timed(bench, ours, deals, arrivals)
    const added = memoryOf(listening.child.pid!) - before
    const running = load(bench, ours, 16, shots, bench.seconds * 4)
    const beside = await timed(bench, ours, deals, arrivals)
    await running
    const addedAtEnd = memoryOf(listening.child.pid!) - before
    return [
      [name, 'none', ...alone, verdict(`≤ ${bar} ms`, alone[2] <= bar), added, verdict('≤ 100', added <= 100)],
      [name, 'mixed', ...beside, verdict(`≤ ${bar} ms`, beside[2] <= bar), addedAtEnd, ''],
    ]
  } finally {
    for (const socket of sockets) socket.destroy()
  }
}

interface Deals {
  readonly id: number
  readonly field: string
  readonly record: string
}

async function send({ port, token }: Ours, method: string, path: string, data: object): Promise<string> {
  const headers = { 'X-Auth-Token': token, 'Content-Type': 'application/vnd.api+json' }
  const response = await fetch(`http://127.0.0.1:${port}/api/dev/${path}`, { method, headers, body: JSON.stringify({ data }) })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
  return (JSON.parse(text) as { data: { id: string } }).data.id
}

async function makeTable(ours: Ours): Promise<Deals> {
  const id = Number(await send(ours, 'POST', 'table', { type: 'table', attributes: { table_name: 'Deals' } }))
  const attributes = { table_id: id, field_name: 'Title', field_type: 'text' }
  const field = `f${await send(ours, 'POST', 'field', { type: 'field', attributes })}`
  const record = await send(ours, 'POST', `data${id}`, { type: `data${id}`, attributes: { [field]: 'x' } })
  return { id, field, record }
}

const write = (ours: Ours, { id, field, record }: Deals, title: string): Promise<string> =>
  send(ours, 'PATCH', `data${id}/${record}`, { type: `data${id}`, id: record, attributes: { [field]: title } })

/** Opens the streams; when an event of the value `t<n>` comes, its time is noted. */
async function listen({ port }: Ours, tokens: readonly string[], tableId: number, arrivals: Map<string, number[]>): Promise<Socket[]> {
  const sockets: Socket[] = []
  let open = 0
  for (let i = 0; i < LISTENERS; i++) {
    const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.0.${2 + Math.floor(i / OF_ADDRESS)}` })
    sockets.push(socket)
    socket.setEncoding('latin1')
    let isOpen = false
    socket.on('data', (text: string) => {
      if (!isOpen && text.includes('retry:')) {
        isOpen = true
        open++
      }
      for (const [, value] of text.matchAll(/"to":"(t\d+)"/g)) arrivals.get(value!)?.push(performance.now())
    })
    await once(socket, 'connect')
    const token = tokens[Math.floor(i / OF_TOKEN)]!
    socket.write(`GET /api/dev/events?tables=${tableId} HTTP/1.1\r\nHost: a\r\nX-Auth-Token: ${token}\r\n\r\n`)
  }
  for (let i = 0; open < LISTENERS; i++) {
    if (i > 600) throw new Error(`${open} of ${LISTENERS} streams are open`)
    await new Promise((next) => setTimeout(next, 50))
  }
  return sockets
}

let written = 0

/** Milliseconds from the answer of a write to its events: how many, p50, p95, the longest. */
async function timed(
  bench: Bench,
  ours: Ours,
  deals: Deals,
  arrivals: Map<string, number[]>,
): Promise<[count: number, p50: number, p95: number, most: number]> {
  arrivals.clear()
  const answered = new Map<string, number>()
  const until = performance.now() + bench.seconds * 3_000
  while (performance.now() < until) {
    const value = `t${written++}`
    arrivals.set(value, [])
    await write(ours, deals, value)
    answered.set(value, performance.now())
    await new Promise((next) => setTimeout(next, EVERY))
  }
  await new Promise((next) => setTimeout(next, 3_000))
  const times: number[] = []
  for (const [value, at] of answered) {
    const seen = arrivals.get(value)!
    if (seen.length !== LISTENERS) throw new Error(`${seen.length} of ${LISTENERS} listeners were told of ${value}`)
    for (const arrival of seen) times.push(Math.max(0, arrival - at))
  }
  const { count, p50, p95, most } = timesOf(times)
  return [count, p50, p95, most]
}
