import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { connect, createServer, type AddressInfo } from 'node:net'
import { it } from 'node:test'
import { answerMalformed } from './client-errors.ts'
import { refusal } from './failures.ts'

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }
const serving = {
  settings: { publicUrl: '', trustedProxies: [], corsOrigins: [], metricsToken: '', bodyLimit: 1, uploadLimit: 1 },
  ending: new AbortController(),
  environment: { now: () => 0, randomBytes: (count: number) => randomBytes(count) },
  log: quiet,
  bodies: { bytes: 0 },
  store: undefined,
  stopping: false,
  counts: { began() {}, answered() {}, refused() {}, abandoned() {} },
  newId: () => 'r1',
}

it('what the HTTP parser gives up on is answered with a document, and the connection ends', async () => {
  for (const [fault, code] of [
    ['ERR_HTTP_REQUEST_TIMEOUT', '408 request.timed_out'],
    ['HPE_HEADER_OVERFLOW', '431 request.headers_too_large'],
    ['HPE_INVALID_METHOD', '400 request.malformed'],
  ] as const) {
    const server = createServer((socket) =>
      answerMalformed(serving, Object.assign(new Error(), { code: fault }), socket, new WeakMap()),
    ).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.on('listening', resolve))
    const text = await new Promise<string>((resolve, reject) => {
      let received = ''
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
      socket
        .on('data', (data) => (received += data.toString()))
        .on('end', () => resolve(received))
        .on('error', reject)
    })
    await new Promise((resolve) => server.close(resolve))
    const [head, body] = text.split('\r\n\r\n')
    const { status, code: named } = JSON.parse(body!).errors[0]
    assert.equal(`${status} ${named}`, code)
    assert.ok(head!.startsWith(`HTTP/1.1 ${status} `))
  }
})

it('a client that leaves in the middle of a body is no fault of the service', () => {
  const left = Object.assign(new Error('aborted'), { code: 'ECONNRESET', statusCode: 400 })
  const { status, body } = refusal(serving, undefined, left)
  assert.deepEqual([status, (body as { errors: { code: string }[] }).errors[0]!.code], [400, 'request.malformed'])
})
