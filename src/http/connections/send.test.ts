import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, it } from 'node:test'
import type { Streamed } from '../routing/route.ts'
import { send } from './send.ts'
import { answersTogether } from './together.ts'
import { unreadAnswers } from './unread.ts'

/** A body without an end of its own; it waits for what never comes until it is told to end. */
function endless(): Streamed & { begun: number; readonly over: Promise<void> } {
  const { promise: over, resolve } = Promise.withResolvers<void>()
  const body = {
    begun: 0,
    over,
    async *parts(end: AbortSignal) {
      body.begun++
      try {
        yield 'first '
        if (!end.aborted) await once(end, 'abort')
        yield 'last'
      } finally {
        resolve()
      }
    },
  }
  return body
}

describe('an answer that is made while it is sent', () => {
  let server: Server
  let ending: AbortController
  let body: Streamed
  const errors: unknown[] = []
  const log = { info: () => undefined, warn: () => undefined, error: (details: object) => void errors.push(details) }
  const ask = (method = 'GET'): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const { port } = server.address() as AddressInfo
      get({ host: '127.0.0.1', port, method, agent: false }, resolve).on('error', reject)
    })

  beforeEach(async () => {
    ending = new AbortController()
    errors.length = 0
    const serving = {
      log,
      together: answersTogether(
        () => 0,
        (error) => assert.fail(String(error)),
      ),
      unread: unreadAnswers(log),
      ending,
    }
    server = createServer((request, response) => send(serving, response, request.method!, { status: 200, body }, {}))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  afterEach(() => void server.close())

  it('ends in order when the server stops', async () => {
    const made = endless()
    body = made
    const response = await ask()
    const [first] = (await once(response, 'data')) as [Buffer]
    assert.equal(first.toString(), 'first ')
    ending.abort()
    assert.equal(await text(response), 'last')
    await made.over
    assert.equal(response.complete, true)
    assert.deepEqual(errors, [])
  })

  it('lets go of what it holds when the client has gone, also while it waits', async () => {
    const made = endless()
    body = made
    const response = await ask()
    await once(response, 'data')
    response.destroy()
    await made.over
    assert.deepEqual(errors, [])
  })

  it('is not begun for HEAD', async () => {
    const made = endless()
    body = made
    const response = await ask('HEAD')
    assert.equal(await text(response), '')
    assert.equal(made.begun, 0)
  })

  it('that fails half-way is cut short, and logged without values of records', async () => {
    body = {
      async *parts() {
        yield 'half'
        throw Object.assign(new Error('no more'), { detail: 'Key (f1)=(a value) exists.' })
      },
    }
    await assert.rejects(text(await ask()), { code: 'ECONNRESET' })
    assert.equal(errors.length, 1)
    const { err } = errors[0] as { err: Record<string, unknown> }
    assert.deepEqual([err['message'], err['detail']], ['no more', undefined])
  })
})
