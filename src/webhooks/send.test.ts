import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { startBareReceiver, startReceiver, startTlsReceiver, type Answer, type Receiver } from '../../test/support/receiver.ts'
import { selfSigned } from '../../test/support/self-signed.ts'
import { isGenuine } from '../../test/support/verify-webhook.ts'
import { limits } from '../limits.ts'
import { reachable } from './networks.ts'
import { send, type Message, type Sending } from './send.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const at = Date.UTC(2026, 10, 22, 12)
const body = '{"data":{"type":"change","id":"123","attributes":{"title":"Größe"}}}'
const message = (address: string): Message => ({ id: 'change-7-123', at, body, address, secrets: [secret] })
/** What a test on loopback needs. */
const here = { allowsHttp: true, isReachable: reachable(['127.0.0.0/8', '::1']) }
const nowhereSpecial = { allowsHttp: true, isReachable: reachable([]) }

const open: Receiver[] = []
async function opened<T extends Receiver>(starting: Promise<T>): Promise<T> {
  const receiver = await starting
  open.push(receiver)
  return receiver
}
// No attempt ends by the clock of a slow machine.
beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }))
afterEach(async () => {
  mock.timers.reset()
  for (const receiver of open.splice(0)) await receiver.close()
})

const ok: Answer = (response) => response.writeHead(204).end()
const answering = (answer: Answer, address?: string): Promise<Receiver> => opened(startReceiver(answer, address))
const bare = (serve: (socket: Socket) => void): Promise<Receiver> => opened(startBareReceiver(serve))
const sent = (address: string, more: Partial<Sending> = {}) => send(message(address), { rules: here, ...more })
const to = ({ port }: Receiver): string => `http://127.0.0.1:${port}/`
/** A resolver that says the same each time, and counts how often it is asked. */
function resolver(...addresses: string[]) {
  const asked: string[] = []
  const resolve = async (host: string) => {
    asked.push(host)
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  }
  return { asked, resolve }
}

/** What comes of an attempt that ends by the limit, and not a millisecond before it. `ready`: when the clock may go. */
async function endingAt(most: number, begin: () => ReturnType<typeof send>, ready: () => Promise<unknown>) {
  const outcome = begin()
  let settled = false
  void outcome.then(() => (settled = true))
  await ready()
  mock.timers.tick(most - 1)
  for (let turn = 0; turn < 20; turn++) await nextTurn()
  assert.equal(settled, false, 'It ended before the limit.')
  mock.timers.tick(1)
  // It takes a few turns: nothing is waited for any more.
  for (let turn = 0; turn < 1_000 && !settled; turn++) await nextTurn()
  assert.ok(settled, 'The limit did not end it.')
  return outcome
}

describe('a webhook', () => {
  it('is one signed POST with the document', async () => {
    const receiver = await answering(ok)
    assert.deepEqual(await sent(`http://127.0.0.1:${receiver.port}/hooks/a%20b?key=1&x`), { status: 204 })
    assert.equal(receiver.received.length, 1)
    const { method, path, headers, body: got } = receiver.received[0]!
    assert.deepEqual([method, path, got.toString()], ['POST', '/hooks/a%20b?key=1&x', body])
    assert.equal(headers['content-type'], 'application/json')
    assert.equal(headers['content-length'], String(Buffer.byteLength(body)))
    assert.equal(headers.host, `127.0.0.1:${receiver.port}`)
    assert.equal(headers['user-agent'], 'Kartoteka')
    assert.equal(headers['webhook-id'], 'change-7-123')
    assert.ok(isGenuine(secret, headers, got, at))
  })

  it('has the status that was answered, whatever it is', async () => {
    const receiver = await answering((response, { path }) => response.writeHead(Number(path.slice(1))).end('no'))
    for (const status of [200, 202, 299, 300, 400, 401, 404, 410, 422, 500, 502, 599])
      assert.deepEqual(await sent(`${to(receiver)}${status}`), { status })
  })

  it('has the Retry-After of 429 and 503, and of no other status', async () => {
    const receiver = await answering((response, { path }) => response.writeHead(Number(path.slice(1)), { 'Retry-After': '120' }).end())
    for (const status of [429, 503]) assert.deepEqual(await sent(`${to(receiver)}${status}`), { status, retryAfter: 120_000 })
    for (const status of [200, 500]) assert.deepEqual(await sent(`${to(receiver)}${status}`), { status })
    const dated = await answering((response) => response.writeHead(503, { 'Retry-After': new Date(at + 60_000).toUTCString() }).end())
    assert.deepEqual(await sent(to(dated)), { status: 503, retryAfter: 60_000 })
    const silent = await answering((response) => response.writeHead(503).end())
    assert.deepEqual(await sent(to(silent)), { status: 503, retryAfter: undefined })
  })

  it('follows no redirect', async () => {
    const target = await answering(ok)
    const receiver = await answering((response, { path }) => response.writeHead(Number(path.slice(1)), { Location: to(target) }).end())
    for (const status of [301, 302, 303, 307, 308]) assert.deepEqual(await sent(`${to(receiver)}${status}`), { status })
    assert.equal(target.connections(), 0)
  })
})

describe('a receiver of webhooks that is slow', () => {
  it('may answer up to the last moment', async () => {
    let answer: (() => void) | undefined
    const receiver = await answering((response) => (answer = () => response.writeHead(200).end()))
    const outcome = sent(to(receiver))
    while (!answer) await nextTurn()
    mock.timers.tick(limits.webhookTime.most - 1)
    answer()
    assert.deepEqual(await outcome, { status: 200 })
  })

  it('is given up after limits.webhookTime where it never answers, and its connection is ended', async () => {
    const ended = Promise.withResolvers<void>()
    const receiver = await answering((response) => response.once('close', ended.resolve))
    const begin = () => sent(to(receiver))
    const outcome = await endingAt(limits.webhookTime.most, begin, () => until(() => receiver.received.length > 0))
    assert.deepEqual(outcome, { fault: 'timed_out', detail: 'No answer in time.' })
    await ended.promise
  })

  it('is given up where it sends its headers byte by byte', async () => {
    const receiver = await bare((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nX-Slow: ')
      socket.on('data', () => socket.write('a'))
    })
    const outcome = await endingAt(
      limits.webhookTime.most,
      () => sent(to(receiver)),
      () => until(() => receiver.connections() > 0),
    )
    assert.deepEqual(outcome, { fault: 'timed_out', detail: 'No answer in time.' })
  })

  it('has answered with its status, though its body does not end', async () => {
    let written = false
    const receiver = await answering((response) => response.writeHead(202).write('working', () => (written = true)))
    const outcome = await endingAt(
      limits.webhookTime.most,
      () => sent(to(receiver)),
      () => until(() => written),
    )
    assert.deepEqual(outcome, { status: 202 })
  })

  it('is given up after limits.webhookConnect where its name is not found, or its TLS handshake does not end', async () => {
    const asking = () => sent('http://slow.example/', { resolve: () => new Promise(() => {}) })
    const timedOut = { fault: 'timed_out', detail: 'No connection in time.' }
    assert.deepEqual(await endingAt(limits.webhookConnect.most, asking, () => nextTurn()), timedOut)
    const hello = Promise.withResolvers<void>()
    const receiver = await bare((socket) => socket.once('data', () => hello.resolve()))
    const shaking = () => sent(`https://127.0.0.1:${receiver.port}/`)
    assert.deepEqual(await endingAt(limits.webhookConnect.most, shaking, () => hello.promise), timedOut)
  })

  it('is not given up by the time to connect once it has the request', async () => {
    let answer: (() => void) | undefined
    const receiver = await answering((response) => (answer = () => response.writeHead(200).end()))
    const outcome = sent(to(receiver))
    while (!answer) await nextTurn()
    mock.timers.tick(limits.webhookConnect.most + 1)
    answer()
    assert.deepEqual(await outcome, { status: 200 })
  })
})

// Where a bound does not hold, an attempt here has no end.
describe('a receiver of webhooks that answers wrongly', { timeout: 300_000 }, () => {
  const most = limits.webhookAnswer.most
  /** Writes the piece again and again until the connection ends. */
  function endless(first: string, piece: string): Promise<Receiver> {
    return bare((socket) => {
      const much = piece.repeat(Math.ceil(10_000 / piece.length))
      const more = (): void => {
        while (!socket.destroyed && socket.write(much));
      }
      socket.write(first)
      socket.on('drain', more)
      more()
    })
  }

  it('with a body that does not end has answered, and the connection is ended', async () => {
    const long = await endless('HTTP/1.1 200 OK\r\nContent-Length: 1000000000000\r\n\r\n', 'x')
    assert.deepEqual(await sent(to(long)), { status: 200 })
    const chunked = await endless('HTTP/1.1 500 No\r\nTransfer-Encoding: chunked\r\n\r\n', `3e8\r\n${'x'.repeat(1_000)}\r\n`)
    assert.deepEqual(await sent(to(chunked)), { status: 500 })
  })

  it('with headers, a reason or interim answers that do not end has not answered', async () => {
    for (const [first, piece] of [
      ['HTTP/1.1 200 OK\r\n', `X-More: ${'x'.repeat(1_000)}\r\n`],
      ['HTTP/1.1 200 OK\r\nX-Long: ', 'x'.repeat(1_000)],
      ['HTTP/1.1 200 ', 'x'.repeat(1_000)],
      ['', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'],
      ['', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ] as const) {
      const outcome = await sent(to(await endless(first, piece)))
      assert.ok('fault' in outcome && outcome.fault === 'invalid_answer', `${first}${piece}: ${JSON.stringify(outcome)}`)
    }
  })

  it('has answered with a body as long as the limit, and with one that is one byte longer', async () => {
    for (const longer of [0, 1]) {
      const head = `HTTP/1.1 200 OK\r\nContent-Length: ${most + longer}\r\n\r\n`
      const receiver = await bare((socket) => socket.end(head + 'x'.repeat(most + longer)))
      assert.deepEqual(await sent(to(receiver)), { status: 200 })
    }
  })

  it('may send interim answers before its own, within the limit', async () => {
    const interim = 'HTTP/1.1 103 Early Hints\r\n\r\n'
    const rest = 'HTTP/1.1 204 No Content\r\n\r\n'
    const within = await bare((socket) => socket.end(interim.repeat(Math.floor((most - rest.length) / interim.length)) + rest))
    assert.deepEqual(await sent(to(within)), { status: 204 })
    const beyond = await bare((socket) => socket.write(interim.repeat(Math.ceil((most + 1) / interim.length))))
    assert.deepEqual(await sent(to(beyond)), { fault: 'invalid_answer', detail: `The answer is longer than ${most} bytes.` })
  })

  it('may send longer headers than Node takes by itself, within the limit', async () => {
    const receiver = await answering((response) => response.writeHead(204, { 'X-Long': 'x'.repeat(most / 2) }).end())
    assert.deepEqual(await sent(to(receiver)), { status: 204 })
  })

  it('has not answered with what is no HTTP, or nothing', async () => {
    for (const [text, fault] of [
      ['hello\r\n\r\n', 'invalid_answer'],
      ['HTTP/1.1 abc\r\n\r\n', 'invalid_answer'],
      ['HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', 'invalid_answer'],
      ['SSH-2.0-OpenSSH_9.2p1\r\n', 'invalid_answer'],
      ['', 'connection_failed'],
      ['HTTP/1.1 200 O', 'connection_failed'],
      ['HTTP/1.1 200 OK\r\nX-Half: a', 'connection_failed'],
      ['HTTP/1.1 103 Early Hints\r\n\r\n', 'connection_failed'],
    ] as const) {
      const receiver = await bare((socket) => socket.once('data', () => socket.end(text)))
      const outcome = await sent(to(receiver))
      assert.equal('fault' in outcome ? outcome.fault : outcome.status, fault, text)
    }
  })

  it('does not take the connection over by 101', async () => {
    const receiver = await bare((socket) =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'),
    )
    const outcome = await sent(to(receiver))
    assert.ok('fault' in outcome && ['invalid_answer', 'connection_failed'].includes(outcome.fault), JSON.stringify(outcome))
  })

  it('has not answered where it resets the connection, unless its status has come', async () => {
    const resetting = await bare((socket) => socket.once('data', () => socket.resetAndDestroy()))
    assert.equal(faultOf(await sent(to(resetting))), 'connection_failed')
    let connection: Socket | undefined
    const half = await bare((socket) => {
      connection = socket
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'))
    })
    // The status has come to the sender.
    const reset = (): unknown => connection?.resetAndDestroy()
    subscribe('http.client.response.finish', reset)
    assert.deepEqual(await sent(to(half)), { status: 200 })
    unsubscribe('http.client.response.finish', reset)
    const cut = await bare((socket) => socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf')))
    assert.deepEqual(await sent(to(cut)), { status: 200 })
  })

  it('has not answered where nobody listens', async () => {
    const receiver = await startReceiver(ok)
    await receiver.close()
    assert.equal(faultOf(await sent(to(receiver))), 'connection_failed')
  })
})

describe('the host of a webhook', () => {
  it('is resolved once, and connected to at the address that was checked', async () => {
    // The system says that localhost is 127.0.0.1.
    const receiver = await answering(ok, '127.0.0.2')
    const { asked, resolve } = resolver('127.0.0.2')
    assert.deepEqual(await sent(`http://localhost:${receiver.port}/`, { resolve }), { status: 204 })
    assert.deepEqual(asked, ['localhost'])
    assert.equal(receiver.received[0]!.headers.host, `localhost:${receiver.port}`)
  })

  it('that gets another address after the check is not asked for it', async () => {
    const inside = await answering(ok)
    const outside = '127.0.0.2'
    const rules = { allowsHttp: true, isReachable: (address: string) => address === outside }
    const answers = [outside, '127.0.0.1', '127.0.0.1']
    let asked = 0
    const resolve = async () => [{ address: answers[asked++] ?? '127.0.0.1', family: 4 }]
    const outcome = await sent(`http://rebinding.example:${inside.port}/`, { rules, resolve })
    assert.equal(faultOf(outcome), 'connection_failed')
    assert.deepEqual([asked, inside.connections()], [1, 0])
    assert.equal(faultOf(await sent(`http://rebinding.example:${inside.port}/`, { rules, resolve })), 'forbidden_network')
    assert.deepEqual([asked, inside.connections()], [2, 0])
  })

  it('is refused if one of its addresses is, in whatever place', async () => {
    const receiver = await answering(ok)
    for (const addresses of [
      ['127.0.0.1', '10.0.0.1'],
      ['10.0.0.1', '127.0.0.1'],
      ['127.0.0.1', '::ffff:10.0.0.1'],
      ['fe80::1%eth0'],
      ['127.0.0.1', '::1%lo'],
    ])
      assert.equal(
        faultOf(await sent(`http://mixed.example:${receiver.port}/`, resolver(...addresses))),
        'forbidden_network',
        addresses.join(),
      )
    assert.equal(receiver.connections(), 0)
  })

  it('is tried at its next address where nobody listens at the first', async () => {
    const receiver = await answering(ok, '127.0.0.3')
    const { resolve } = resolver('127.0.0.2', '127.0.0.3')
    assert.deepEqual(await sent(`http://two.example:${receiver.port}/`, { resolve }), { status: 204 })
  })

  it('is not found', async () => {
    const notFound = async (): Promise<never> => {
      throw Object.assign(new Error('getaddrinfo ENOTFOUND no.example'), { code: 'ENOTFOUND' })
    }
    assert.equal(faultOf(await sent('http://no.example/', { resolve: notFound })), 'unknown_host')
    assert.equal(faultOf(await sent('http://no.example/', resolver())), 'unknown_host')
  })

  it('is asked of the system, whose files count', async () => {
    const receiver = await answering(ok)
    const address = `http://localhost:${receiver.port}/`
    assert.deepEqual(await sent(address), { status: 204 })
    assert.equal(faultOf(await sent(address, { rules: nowhereSpecial })), 'forbidden_network')
    assert.equal(receiver.connections(), 1)
  })

  it('in a network that is not listed is never connected to, however it is spelled', async () => {
    const receiver = await answering(ok)
    const { port } = receiver
    for (const host of [
      '127.0.0.1',
      '0x7f.1',
      '2130706433',
      '017700000001',
      '127.1',
      '127.0.0.1.',
      '0',
      '[::ffff:127.0.0.1]',
      '[::127.0.0.1]',
      '１２７。0。0。1',
      '127%2e0.0.1',
    ])
      assert.equal(faultOf(await sent(`http://${host}:${port}/`, { rules: nowhereSpecial })), 'invalid_address', host)
    for (const address of [
      'http://a:b@127.0.0.1',
      'http://localhost.',
      'http://[::1%25lo]',
      'http:\\\\127.0.0.1',
      'http://example.com\\@127.0.0.1',
    ])
      assert.equal(faultOf(await sent(`${address}:${port}/`, { rules: nowhereSpecial })), 'invalid_address', address)
    assert.equal(receiver.connections(), 0)
    // The same spellings do arrive where the network is listed.
    for (const host of ['0x7f.1', '2130706433', '[::ffff:127.0.0.1]', '１２７。0。0。1'])
      assert.deepEqual(await sent(`http://${host}:${port}/`), { status: 204 }, host)
  })

  it('is not asked for over http where only https is allowed', async () => {
    const receiver = await answering(ok)
    const rules = { ...here, allowsHttp: false }
    assert.equal(faultOf(await sent(to(receiver), { rules })), 'invalid_address')
    assert.equal(receiver.connections(), 0)
  })

  it('is asked by a resolver whose own faults are thrown on', async () => {
    const broken = async (): Promise<never> => {
      throw new TypeError('A fault of the program.')
    }
    await assert.rejects(sent('http://a.example/', { resolve: broken }), TypeError)
  })
})

describe('an attempt to send a webhook', { timeout: 300_000 }, () => {
  it('ends when the server stops', async () => {
    const stopping = new AbortController()
    const receiver = await answering(() => stopping.abort())
    const stopped = { fault: 'stopped', detail: 'The server stops.' }
    assert.deepEqual(await sent(to(receiver), { signal: stopping.signal }), stopped)
    assert.deepEqual(await sent(to(receiver), { signal: stopping.signal }), stopped)
    assert.deepEqual(await sent('ftp://example.com/', { signal: stopping.signal }), {
      fault: 'invalid_address',
      detail: 'The address must begin with https:// or http://.',
    })
    assert.equal(receiver.received.length, 1)
  })
})

describe('a receiver of webhooks over TLS', () => {
  it('is refused with a certificate that signed itself, before anything is sent', async () => {
    const receiver = await opened(startTlsReceiver(ok))
    const outcome = await sent(`https://localhost:${receiver.port}/`)
    assert.ok(
      'fault' in outcome && outcome.fault === 'tls_failed' && outcome.detail.startsWith('self-signed certificate'),
      JSON.stringify(outcome),
    )
    assert.equal(receiver.received.length, 0)
  })

  it('is refused where it speaks no TLS', async () => {
    const receiver = await answering(ok)
    assert.equal(faultOf(await sent(`https://localhost:${receiver.port}/`)), 'tls_failed')
    const closing = await bare((socket) => socket.once('data', () => socket.destroy()))
    assert.equal(faultOf(await sent(`https://localhost:${closing.port}/`)), 'tls_failed')
  })

  it('is trusted by NODE_EXTRA_CA_CERTS, under its name only', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'kartoteka-webhooks-'))
    const file = join(folder, 'ca.pem')
    writeFileSync(file, selfSigned.cert)
    const { port } = await opened(startTlsReceiver(ok))
    const addresses = [
      `https://localhost:${port}/`,
      `https://receiver.example:${port}/`,
      `https://other.example:${port}/`,
      `https://127.0.0.1:${port}/`,
    ]
    const outcomes = await inProcess({ NODE_EXTRA_CA_CERTS: file }, addresses)
    rmSync(folder, { recursive: true })
    assert.deepEqual(outcomes, ['204', '204', 'tls_failed', 'tls_failed'])
  })

  it('is checked, and asked without a proxy, whatever the environment says', async () => {
    const proxy = await bare((socket) => socket.end('HTTP/1.1 204 No Content\r\n\r\n'))
    const secure = await opened(startTlsReceiver(ok))
    const plain = await answering(ok)
    const address = `http://127.0.0.1:${proxy.port}`
    const proxies = Object.fromEntries(
      ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'].map((name) => [name, address]),
    )
    const environment = { ...proxies, NODE_USE_ENV_PROXY: '1', NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_NO_WARNINGS: '1' }
    const outcomes = await inProcess(environment, [`https://localhost:${secure.port}/`, `http://receiver.example:${plain.port}/`])
    assert.deepEqual(outcomes, ['tls_failed', '204'])
    assert.deepEqual([proxy.connections(), secure.received.length, plain.received.length], [0, 0, 1])
  })
})

const faultOf = (outcome: Awaited<ReturnType<typeof send>>): string | number => ('fault' in outcome ? outcome.fault : outcome.status)

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await nextTurn()
}

/** The faults or statuses of one attempt at each address, in a process with this environment; every host is 127.0.0.1 there. */
async function inProcess(environment: Readonly<Record<string, string>>, addresses: readonly string[]): Promise<string[]> {
  const from = (file: string): string => JSON.stringify(new URL(file, import.meta.url).href)
  const program = `
    // Here too, none ends by the clock.
    globalThis.setTimeout = () => undefined
    import { send } from ${from('./send.ts')}
    import { reachable } from ${from('./networks.ts')}
    const rules = { allowsHttp: true, isReachable: reachable(['127.0.0.0/8']) }
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }]
    for (const address of ${JSON.stringify(addresses)}) {
      const outcome = await send({ ...${JSON.stringify(message(''))}, address }, { rules, resolve })
      console.log(outcome.fault ?? outcome.status)
    }`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (printed += chunk))
  assert.deepEqual(await once(child, 'close'), [0, null])
  return printed.trim().split('\n')
}
