/*
 * Load generator, a process of its own that takes its orders from the one that started it (loader.ts): keeps some
 * connections busy, each sending its next request when the answer to the last is complete. Raw sockets and requests made
 * beforehand, so that it costs little beside the server under test.
 */
import { connect, type Socket } from 'node:net'
import { timesOf, type Times } from './times.ts'

export interface Shot {
  /** Times are told for each kind apart. */
  readonly kind: string
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: string
}

export interface Load {
  readonly port: number
  readonly token: string
  readonly connections: number
  /** Ends after so many seconds, or before when told to. */
  readonly seconds: number
  /** Sent in this order by whichever connection is free; begun again at the end. */
  readonly shots: readonly Shot[]
  /** Requests a second of all connections together. Default: as many as are answered. */
  readonly pace?: number
  /** Counts answers other than 2xx, and ends when the time is over: what is not answered by then counts in the times only, with its time so far. */
  readonly lenient?: boolean
}

export interface Measured {
  readonly perSecond: number
  readonly seconds: number
  /** Requests with an answer of 2xx. */
  readonly answered: number
  readonly all: Times
  readonly kinds: Readonly<Record<string, Times>>
  /** Of an answer, its head included. */
  readonly bytes: number
  /** Of one core, that the generator itself used. */
  readonly generatorCores: number
  /** How many answers were other than 2xx, and the first of them. */
  readonly refusals: number
  readonly refused?: string
}

interface Running {
  readonly load: Load
  readonly requests: readonly Buffer[]
  readonly times: Map<string, number[]>
  next: number
  /** When the first request of a paced load was due. */
  began: number
  end: number
  answered: number
  refusals: number
  bytes: number
  refused: string | undefined
}

/** Milliseconds by which a paced load may be late and still catch up. */
const LATE = 1000

let running: Running | undefined

process.on('message', (order: Load | 'stop') => {
  if (order === 'stop') {
    if (running) running.end = 0
  } else void measure(order).then((measured) => process.send!(measured))
})

async function measure(load: Load): Promise<Measured> {
  const requests = load.shots.map((shot) => Buffer.from(written(load, shot)))
  const times = new Map([...new Set(load.shots.map(({ kind }) => kind))].map((kind) => [kind, [] as number[]]))
  const before = process.cpuUsage()
  const began = performance.now()
  const end = began + load.seconds * 1000
  running = { load, requests, times, next: 0, began, end, answered: 0, refusals: 0, bytes: 0, refused: undefined }
  const { answered, refusals, bytes, refused } = await finished(running)
  const seconds = (performance.now() - began) / 1000
  const { user, system } = process.cpuUsage(before)
  const all = timesOf([...times.values()].flat())
  return {
    perSecond: answered / seconds,
    seconds,
    answered,
    all,
    kinds: Object.fromEntries([...times].map(([kind, list]) => [kind, timesOf(list)])),
    bytes: bytes / Math.max(1, answered),
    generatorCores: (user + system) / 1e6 / seconds,
    refusals,
    ...(refused !== undefined && { refused }),
  }
}

async function finished(one: Running): Promise<Running> {
  await Promise.all(Array.from({ length: one.load.connections }, () => keepBusy(one)))
  return one
}

function written({ port, token }: Load, { method = 'GET', path, body }: Shot): string {
  const head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-Auth-Token: ${token}\r\n`
  if (body === undefined) return `${head}\r\n`
  return `${head}Content-Type: application/vnd.api+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

function keepBusy(one: Running): Promise<void> {
  const { load, requests, times } = one
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(load.port, '127.0.0.1').setNoDelay()
    let list: number[] = []
    let sent = 0
    /** Bytes of the answer that are still to come; -1: its head is not complete; -2: it comes in pieces until it says so. */
    let missing = -1
    let tail = ''
    let head: Buffer | undefined
    let refused: Buffer[] | undefined

    /** Sends the next request when it is due. A paced load that fell behind goes on from now: it does not catch up. */
    function next(): void {
      const i = one.next++
      const wait = load.pace === undefined ? 0 : one.began + (i * 1000) / load.pace - performance.now()
      if (wait < -LATE) one.began -= wait
      if (wait <= 1) send(i % requests.length)
      else setTimeout(() => (performance.now() < one.end ? send(i % requests.length) : socket.destroy()), wait)
    }
    function send(i: number): void {
      list = times.get(load.shots[i]!.kind)!
      sent = performance.now()
      socket.write(requests[i]!)
    }
    function begin(data: Buffer): void {
      const start = head ? Buffer.concat([head, data]) : data
      const end = start.indexOf('\r\n\r\n')
      head = end === -1 ? start : undefined
      if (end === -1) return
      const text = start.toString('latin1', 0, end)
      if (/\r\ntransfer-encoding: chunked/i.test(text)) return piece(start)
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0)
      missing = end + 4 + length - start.length
      one.bytes += end + 4 + length
      if (text[9] !== '2') refused = [start]
    }
    function piece(data: Buffer): void {
      one.bytes += data.length
      tail = (tail + data.toString('latin1', Math.max(0, data.length - 5))).slice(-5)
      missing = tail === '0\r\n\r\n' ? 0 : -2
    }
    function done(): void {
      const now = performance.now()
      missing = -1
      tail = ''
      if (refused) {
        one.refused ??= Buffer.concat(refused).toString()
        one.refusals++
      } else {
        list.push(now - sent)
        one.answered++
      }
      refused = undefined
      sent = 0
      if (now < one.end) next()
      else socket.destroy()
    }
    function giveUp(): void {
      if (sent > 0) list.push(performance.now() - sent)
      socket.destroy()
    }

    const over = load.lenient ? setTimeout(giveUp, one.end - performance.now()) : undefined
    socket.on('connect', next)
    socket.on('error', reject)
    socket.on('close', () => {
      clearTimeout(over)
      resolve()
    })
    socket.on('data', (data) => {
      if (missing === -1) begin(data)
      else if (missing === -2) piece(data)
      else {
        missing -= data.length
        refused?.push(data)
      }
      if (missing === 0) done()
    })
  })
}
