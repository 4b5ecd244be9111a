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
  readonly method?: 'GET' | 'POST' | 'PATCH'
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
}

export interface Measured {
  readonly perSecond: number
  readonly seconds: number
  readonly all: Times
  readonly kinds: Readonly<Record<string, Times>>
  /** Of an answer, its head included. */
  readonly bytes: number
  /** Of one core, that the generator itself used. */
  readonly generatorCores: number
  /** The first answer other than 2xx. */
  readonly refused?: string
}

interface Running {
  readonly load: Load
  readonly requests: readonly Buffer[]
  readonly times: Map<string, number[]>
  next: number
  end: number
  bytes: number
  refused: string | undefined
}

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
  running = { load, requests, times, next: 0, end: began + load.seconds * 1000, bytes: 0, refused: undefined }
  const { bytes, refused } = await finished(running)
  const seconds = (performance.now() - began) / 1000
  const { user, system } = process.cpuUsage(before)
  const all = timesOf([...times.values()].flat())
  return {
    perSecond: all.count / seconds,
    seconds,
    all,
    kinds: Object.fromEntries([...times].map(([kind, list]) => [kind, timesOf(list)])),
    bytes: bytes / Math.max(1, all.count),
    generatorCores: (user + system) / 1e6 / seconds,
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

    function send(): void {
      const i = one.next++ % requests.length
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
      if (refused) one.refused ??= Buffer.concat(refused).toString()
      else list.push(now - sent)
      refused = undefined
      if (now < one.end) send()
      else socket.destroy()
    }

    socket.on('connect', send)
    socket.on('error', reject)
    socket.on('close', () => resolve())
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
