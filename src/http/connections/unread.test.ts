import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { it } from 'node:test'
import { limits } from '../../limits.ts'
import { send } from './send.ts'
import { answersTogether } from './together.ts'
import { unreadAnswers } from './unread.ts'

const log = { info: () => undefined, warn: () => undefined, error: () => undefined }

it('an answer whose client had gone before it was ready takes no memory of the others', async () => {
  const unread = unreadAnswers(log)
  const half = limits.unreadAnswers.most / 2
  const server = createServer().listen(0, '127.0.0.1')
  try {
    await once(server, 'listening')
    for (let i = 0; i < 2; i++) {
      const asked = once(server, 'request')
      const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
      client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
      const [, response] = await asked
      const closed = once(response, 'close')
      client.destroy()
      await closed
      send(
        {
          log,
          together: answersTogether(
            () => 0,
            (error) => assert.fail(String(error)),
          ),
          unread,
          ending: new AbortController(),
        },
        response,
        'GET',
        { status: 200, body: Buffer.alloc(half) },
        {},
      )
    }
    assert.doesNotThrow(() => unread.makeRoom(half, true))
  } finally {
    server.close()
  }
})
