import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { it } from 'node:test'
import { startService } from '../../support/service.ts'

it('a client that resets its connection before it is refused ends nothing', async () => {
  const service = await startService()
  try {
    const { port } = new URL(service.url)
    for (let n = 0; n < 20; n++) {
      // They are gone before the server has taken their connections; what they sent can still be read.
      const sockets = Array.from({ length: 20 }, () => connect(Number(port), '127.0.0.1'))
      for (const socket of sockets) {
        socket.once('connect', () => {
          socket.write('GET /api/dev/nothing HTTP/1.1\r\nHost: x\r\n\r\n')
          socket.resetAndDestroy()
        })
      }
      await Promise.all(sockets.map((socket) => once(socket, 'close')))
    }
    await new Promise((next) => setTimeout(next, 300))
    assert.equal((await service.get('user')).status, 200)
  } finally {
    await service.close()
  }
})
