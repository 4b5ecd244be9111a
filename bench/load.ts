/*
 * Load generator, run as a process of its own: keeps some connections busy, each sending its next request when the answer
 * to the last is complete. Raw sockets, so that it costs little beside the server under test.
 *
 *   node bench/load.ts '{"port":…,"paths":[…],"token":"…","connections":16,"seconds":3}'   →   one line of JSON
 */
import { connect } from 'node:net'

export interface Load {
  readonly port: number
  /** Requested in turn; each connection begins somewhere else. */
  readonly paths: readonly string[]
  readonly token: string
  readonly connections: number
  readonly seconds: number
}

export interface Measured {
  readonly perSecond: number
  /** Milliseconds. */
  readonly median: number
  readonly p99: number
  readonly failures: number
}

if (import.meta.main) console.log(JSON.stringify(await measure(JSON.parse(process.argv[2]!) as Load)))

async function measure(load: Load): Promise<Measured> {
  const requests = load.paths.map((path) => Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Auth-Token: ${load.token}\r\n\r\n`))
  const times: number[] = []
  let failures = 0
  const began = performance.now()
  const end = began + load.seconds * 1000
  const count = (milliseconds: number, ok: boolean) => (ok ? times.push(milliseconds) : failures++)
  await Promise.all(
    Array.from({ length: load.connections }, (_, i) =>
      keepBusy(load.port, requests, Math.floor((i * requests.length) / load.connections), end, count),
    ),
  )
  const seconds = (performance.now() - began) / 1000
  times.sort((a, b) => a - b)
  const at = (share: number) => Number((times[Math.floor(times.length * share)] ?? Number.NaN).toFixed(3))
  return { perSecond: times.length / seconds, median: at(0.5), p99: at(0.99), failures }
}

function keepBusy(
  port: number,
  requests: readonly Buffer[],
  first: number,
  end: number,
  count: (milliseconds: number, ok: boolean) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1').setNoDelay()
    let next = first
    let sent = 0
    let received: Buffer = Buffer.alloc(0)
    const send = () => {
      sent = performance.now()
      socket.write(requests[next++ % requests.length]!)
    }
    socket.on('connect', send)
    socket.on('error', reject)
    socket.on('close', () => resolve())
    socket.on('data', (data) => {
      received = received.length === 0 ? data : Buffer.concat([received, data])
      const head = received.indexOf('\r\n\r\n')
      if (head === -1) return
      const header = received.toString('latin1', 0, head)
      const length = Number(/content-length: (\d+)/i.exec(header)?.[1])
      if (received.length < head + 4 + length) return
      const now = performance.now()
      count(now - sent, header.startsWith('HTTP/1.1 200 '))
      received = received.subarray(head + 4 + length)
      if (now < end) send()
      else socket.destroy()
    })
  })
}
