import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, it } from 'node:test'
import { buildServer } from '../../../src/http/server.ts'
import { Stale } from '../../../src/store/model/stale.ts'
import { requestHeaders } from '../../../src/http/routing/route.ts'
import type { Store } from '../../../src/store/ground/store.ts'
import { scratchStore } from '../../support/scratch-store.ts'
import { startService, type Service } from '../../support/service.ts'

const settings = { publicUrl: '', trustedProxies: [], corsOrigins: [], bodyLimit: 1 << 20, uploadLimit: 1 << 20, metricsToken: '' }
const log = { info: () => undefined, warn: () => undefined, error: () => undefined }

async function within(options: Parameters<typeof startService>[0], work: (service: Service) => Promise<void>): Promise<void> {
  const service = await startService(options)
  try {
    await work(service)
  } finally {
    await service.close()
  }
}

describe('the server', () => {
  it('answers 503 with Retry-After while the store is opening, and serves when it is open', async () => {
    const { store, remove } = await scratchStore()
    const opening = Promise.withResolvers<Store>()
    const server = buildServer({ store: opening.promise, environment: store.environment, settings, log })
    const url = await server.listen('127.0.0.1', 0)
    const early = await fetch(`${url}/api/dev/hello/x`)
    assert.deepEqual([early.status, early.headers.get('retry-after')], [503, '2'])
    assert.equal(((await early.json()) as { errors: { code: string }[] }).errors[0]!.code, 'server.unavailable')
    opening.resolve(store)
    await opening.promise
    assert.equal((await fetch(`${url}/api/dev/hello/x`)).status, 200)
    await server.close()
    await remove()
  })

  it('finishes what it has begun when it is closed, and refuses what comes after', async () => {
    const { store, remove } = await scratchStore()
    const gate = Promise.withResolvers<void>()
    const reached = Promise.withResolvers<void>()
    const slow: Store = {
      ...store,
      db: {
        ...store.db,
        async read(...queries) {
          reached.resolve()
          await gate.promise
          return store.db.read(...queries)
        },
      },
    }
    const server = buildServer({ store: slow, environment: store.environment, settings, log })
    const url = await server.listen('127.0.0.1', 0)
    const running = fetch(`${url}/api/dev/user`, { headers: { 'X-Auth-Token': 'x'.repeat(48) } })
    await reached.promise
    const closing = server.close()
    gate.resolve()
    assert.equal((await running).status, 401)
    await closing
    await assert.rejects(fetch(`${url}/api/dev/hello/x`))
    await remove()
  })

  it('ends a connection whose answer began before it is closed as soon as that was read', async () => {
    const service = await startService()
    const { id, fields } = await service.table('Texts', { text: 'longtext' })
    for (let i = 0; i < 8; i++) await service.make(`data${id}`, { [fields['text']!]: '\u0434'.repeat(1_000_000) })
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
    socket.write(`GET /api/dev/data${id} HTTP/1.1\r\nHost: x\r\nX-Auth-Token: ${service.token}\r\n\r\n`)
    await once(socket, 'data')
    socket.pause()
    const began = performance.now()
    const closing = service.close()
    let read = 0
    socket.on('data', (bytes: Buffer) => (read += bytes.length)).resume()
    await closing
    socket.destroy()
    assert.ok(read > 10_000_000, String(read))
    // A connection is kept for 72 seconds where it has nothing to do.
    assert.ok(performance.now() - began < 36_000)
  })

  it('gives up with 409 when the structure never stands still', () =>
    within({}, async ({ store, send, table }) => {
      const { id } = await table('Moving')
      // The first use of a token is written down; that is over before the counting begins.
      await send('GET', '/api/dev/user')
      let runs = 0
      const { db } = store
      Object.assign(store, { db: { ...db, write: async () => (runs++, Promise.reject(new Stale())) } })
      const answer = await send('POST', `/api/dev/data${id}`, { body: { data: { type: `data${id}` } } })
      Object.assign(store, { db })
      assert.deepEqual([answer.status, answer.json.errors[0].code], [409, 'server.structure_changing'])
      assert.equal(runs, 100)
    }))

  it('answers pages of listed origins only', () =>
    within({ corsOrigins: ['https://app.example'] }, async ({ send }) => {
      const ask = (origin: string) =>
        send('OPTIONS', '/api/dev/user', {
          token: null,
          headers: { Origin: origin, 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'x-auth-token' },
        })
      const allowed = await ask('https://app.example')
      assert.equal(allowed.status, 204)
      assert.equal(allowed.headers.get('access-control-allow-origin'), 'https://app.example')
      const sendable = allowed.headers.get('access-control-allow-headers')!.split(', ')
      for (const header of ['X-Auth-Token', ...Object.keys(requestHeaders)]) assert.ok(sendable.includes(header), header)
      assert.match(allowed.headers.get('access-control-allow-methods')!, /POST/)
      const stranger = await ask('https://other.example')
      for (const header of ['access-control-allow-origin', 'access-control-allow-headers']) assert.equal(stranger.headers.get(header), null)
      for (const [origin, expected] of [
        ['https://app.example', 'https://app.example'],
        ['https://other.example', null],
        ['null', null],
      ] as const) {
        const { headers } = await send('GET', '/api/dev/user', { headers: { Origin: origin } })
        assert.equal(headers.get('access-control-allow-origin'), expected)
        assert.equal(headers.get('vary'), 'Accept, Origin')
      }
      const refused = await send('GET', '/api/dev/user', { token: null, headers: { Origin: 'https://app.example' } })
      assert.deepEqual([refused.status, refused.headers.get('access-control-allow-origin')], [401, 'https://app.example'])
    }))

  it('believes forwarded headers of trusted proxies only', async () => {
    const headers = { 'X-Forwarded-Host': 'crm.example', 'X-Forwarded-Proto': 'https', 'X-Forwarded-For': '203.0.113.9' }
    await within({}, async ({ send, url, logged }) => {
      assert.equal((await send('GET', '/api/dev/user', { headers })).json.links.self, `${url}/api/dev/user`)
      await send('GET', '/api/dev/nothing', { headers })
      assert.equal(logged.at(-1)!.details['address'], '127.0.0.1')
    })
    await within({ trustedProxies: ['127.0.0.0/8'] }, async ({ send, logged }) => {
      assert.equal((await send('GET', '/api/dev/user', { headers })).json.links.self, 'https://crm.example/api/dev/user')
      const odd = { ...headers, 'X-Forwarded-Proto': 'javascript' }
      assert.equal((await send('GET', '/api/dev/user', { headers: odd })).json.links.self, 'http://crm.example/api/dev/user')
      await send('GET', '/api/dev/nothing', { headers })
      assert.equal(logged.at(-1)!.details['address'], '203.0.113.9')
    })
    await within({ trustedProxies: ['10.0.0.0/8'] }, async ({ send, url }) => {
      assert.equal((await send('GET', '/api/dev/user', { headers })).json.links.self, `${url}/api/dev/user`)
    })
  })

  it('builds links from the configured public address, whatever the client says', () =>
    within({ publicUrl: 'https://crm.example/base', trustedProxies: ['127.0.0.1'] }, async ({ send }) => {
      const { json } = await send('GET', '/api/dev/user', { headers: { 'X-Forwarded-Host': 'evil.example' } })
      assert.equal(json.links.self, 'https://crm.example/base/api/dev/user')
    }))

  it('takes only small bodies of those who have no token', () =>
    within({}, async ({ send }) => {
      const big = JSON.stringify({ data: { type: 'token', attributes: { login: 'x'.repeat(70_000), password: 'y' } } })
      const answer = await send('POST', '/api/dev/token', { token: null, body: big })
      assert.deepEqual([answer.status, answer.json.errors[0].code], [413, 'body.too_large'])
    }))
})
