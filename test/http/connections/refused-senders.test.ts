import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '../../../src/limits.ts'
import { JSON_API, startService, type Service } from '../../support/service.ts'

/*
 * A connection that is closed while its client still sends is reset by the system, and the client loses the answer that it has
 * not read yet (RFC 9112, 9.6). These clients send all they have before they read.
 */
describe('who is refused while they send', () => {
  let service: Service
  let table: number
  let field: string

  before(async () => {
    service = await startService({ bodyLimit: 100_000 })
    const made = await service.table('Table', { text: 'text' })
    table = made.id
    field = made.fields['text']!
  })
  after(() => service.close())

  const head = (more: string, token = service.token) =>
    `POST /api/dev/data${table} HTTP/1.1\r\nHost: x\r\nX-Auth-Token: ${token}\r\nContent-Type: ${JSON_API}\r\n${more}\r\n`
  const chunk = `3e8\r\n${' '.repeat(1_000)}\r\n`

  async function connected(): Promise<Socket> {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1').on('error', () => {})
    await once(socket, 'connect')
    return socket
  }

  /** Sends one piece after another, each when the one before it has arrived, and only then reads. */
  async function sendAndRead(...pieces: readonly string[]): Promise<string> {
    const socket = await connected()
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.pause()
    for (const piece of pieces) {
      socket.write(piece)
      await sleep(150)
    }
    let read = ''
    socket
      .setEncoding('latin1')
      .on('data', (text: string) => (read += text))
      .resume()
    socket.end()
    await closed
    return read
  }

  const unknown = 'x'.repeat(48)
  const spaces = [' '.repeat(1_000), ' '.repeat(1_000)]
  const cases: Readonly<Record<string, readonly [status: number, pieces: () => string[]]>> = {
    'by a token that nobody has': [401, () => [head('Content-Length: 90000\r\n', unknown), ...spaces]],
    'in chunks, by a token that nobody has': [401, () => [head('Transfer-Encoding: chunked\r\n', unknown), chunk, chunk]],
    'with a body that is too large': [413, () => [head('Content-Length: 900000\r\n'), ...spaces]],
    'in chunks, with a body that is too large': [413, () => [head('Transfer-Encoding: chunked\r\n') + chunk.repeat(110), chunk, chunk]],
    'with a header that is none': [400, () => [head('none\r\nContent-Length: 90000\r\n'), ...spaces]],
    'with chunks that are none': [400, () => [head('Transfer-Encoding: chunked\r\n'), 'none\r\n', chunk, chunk]],
    'with too many headers': [431, () => [head(`X: ${'x'.repeat(140_000)}\r\n`), ...spaces]],
  }
  for (const [how, [status, pieces]] of Object.entries(cases)) {
    it(`reads why: ${how}`, async () => {
      const read = await sendAndRead(...pieces())
      assert.match(read, new RegExp(`^HTTP/1\\.1 ${status} `))
      assert.equal(read.match(/HTTP\/1\.1/g)!.length, 1, read)
    })
  }

  it('nothing is done that they ask for after that', async () => {
    const body = JSON.stringify({ data: { type: `data${table}`, attributes: { [field]: 'after' } } })
    const create = `${head(`Content-Length: ${body.length}\r\n`)}${body}`
    for (const refused of [
      head('none\r\n'),
      `${head('Content-Length: 90000\r\n', 'x'.repeat(48))}${' '.repeat(90_000)}`,
      head('Transfer-Encoding: chunked\r\n') + 'none\r\n',
    ])
      await sendAndRead(refused, create, create)
    assert.equal((await service.get(`data${table}`)).json.meta.total, 0)
  })

  it('an answer that has begun is sent to its end, without another one in it', async () => {
    const many = await service.table('Many', { text: 'text' })
    for (let i = 0; i < 400; i++) await service.make(`data${many.id}`, { [many.fields['text']!]: 'x'.repeat(100) })
    for (const wait of [0, 0, 1, 1, 2, 4]) {
      const socket = await connected()
      let read = ''
      socket.setEncoding('latin1').on('data', (text: string) => (read += text))
      const closed = once(socket, 'close')
      socket.write(
        `GET /api/dev/data${many.id}/export HTTP/1.1\r\nHost: x\r\nX-Auth-Token: ${service.token}\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n`,
      )
      if (wait > 0) await sleep(wait)
      socket.write('none\r\n')
      await closed
      assert.equal(read.match(/HTTP\/1\.1/g)!.length, 1, read.slice(-1_000))
      if (read.startsWith('HTTP/1.1 200 ')) assert.ok(read.endsWith('\r\n0\r\n\r\n'), read.slice(-1_000))
      else assert.match(read, /^HTTP\/1\.1 400 /)
    }
  })

  it('who goes on sending and never reads loses the connection', async () => {
    const socket = await connected()
    socket.pause().write(head('Content-Length: 90000000\r\n', 'x'.repeat(48)))
    let closed = false
    socket.once('close', () => (closed = true))
    const began = performance.now()
    while (!closed && performance.now() - began < limits.refusedSender.most + 20_000) {
      socket.write(' '.repeat(1_000))
      await sleep(50)
    }
    assert.ok(closed)
  })
})
