import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { errorsOf, JSON_API, startService, type Service } from '../../support/service.ts'

const MIB = 1 << 20

describe('bodies of requests', () => {
  let service: Service
  let plain: number
  let withFiles: number
  let fields: Record<string, string>
  before(async () => {
    service = await startService({ bodyLimit: 64 * MIB })
    ;({ id: plain } = await service.table('Plain', { long: 'longtext' }))
    ;({ id: withFiles, fields } = await service.table('With files', { file: 'file' }))
  })
  after(() => service.close())

  /** A document of about so many bytes. */
  const padded = (type: string, bytes: number) => JSON.stringify({ data: { type, attributes: {} }, meta: 'x'.repeat(bytes) })

  /** A record with a file whose content takes so many bytes of the body. */
  const withFile = (bytes: number) =>
    service.add(`data${withFiles}`, { [fields['file']!]: [{ file_name: 'a', content: 'QUJD'.repeat(bytes / 4), binary: true }] })

  it('have at most 2 MiB, but where files come in', async () => {
    assert.equal((await service.send('POST', `/api/dev/data${plain}`, { body: padded(`data${plain}`, 2 * MIB - 200) })).status, 201)
    for (const type of [`data${plain}`, 'table', 'user', 'filter', `data${plain}/search`]) {
      const answer = await service.send('POST', `/api/dev/${type}`, { body: padded(type, 2 * MIB) })
      assert.deepEqual(errorsOf(answer), ['413 body.too_large'])
      assert.match(answer.json.errors[0].detail, /2097152/)
    }
    assert.deepEqual(errorsOf(await service.send('POST', '/api/dev/token', { body: padded('token', 65_536) })), ['413 body.too_large'])
    assert.equal((await withFile(8 * MIB)).status, 201)
  })

  it('are counted as they arrive where no length is said', async () => {
    const answer = await chunked(`/api/dev/data${plain}`, 3)
    assert.match(answer, /^HTTP\/1\.1 413 [^]*body\.too_large/)
  })

  it('have a limit together: who comes too much is told when to come again, and small ones still pass', async () => {
    const slow = [begun(withFiles), begun(withFiles)]
    try {
      for (const one of slow) await written(one, Buffer.alloc(54 * MIB, 0x20))
      const next = () => withFile(8 * MIB)
      let refused = await next()
      // What is written may still be on its way.
      await until(async () => refused.status !== 201 || (refused = await next()).status !== 201)
      assert.deepEqual(errorsOf(refused), ['503 server.bodies_in_flight'])
      assert.equal(refused.headers.get('retry-after'), '1')
      assert.equal((await service.add(`data${plain}`, {})).status, 201)
    } finally {
      for (const one of slow) one.destroy()
    }
    await until(async () => (await withFile(8 * MIB)).status === 201)
  })

  const head = (path: string, more: string) =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nX-Auth-Token: ${service.token}\r\nContent-Type: ${JSON_API}\r\n${more}\r\n\r\n`

  function begun(table: number): Socket {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(head(`/api/dev/data${table}`, `Content-Length: ${60 * MIB}`))
    return socket
  }

  const chunked = (path: string, mebibytes: number) =>
    service.raw(
      Buffer.concat([
        Buffer.from(head(path, 'Transfer-Encoding: chunked')),
        ...Array.from({ length: mebibytes }, () =>
          Buffer.concat([Buffer.from(`${MIB.toString(16)}\r\n`), Buffer.alloc(MIB, 0x20), Buffer.from('\r\n')]),
        ),
      ]),
    )
})

const written = (socket: Socket, bytes: Buffer) => new Promise<void>((done) => socket.write(bytes, () => done()))

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let left = 200; left > 0; left--) {
    if (await holds()) return
    await new Promise((next) => setTimeout(next, 50))
  }
  assert.fail('does not come to hold')
}
