import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { buildServer } from '../../../src/http/server.ts'
import { operator } from '../../../src/store/catalogue/administrator.ts'
import { issueToken } from '../../../src/store/people/tokens.ts'
import { createTable } from '../../../src/store/structure/tables.ts'
import type { Store } from '../../../src/store/ground/store.ts'
import { figures } from '../../../src/store/upkeep/figures.ts'
import { markMoved } from '../../../src/store/schema/standing.ts'
import { sql } from '../../../src/sql/sql.ts'
import { parseMetrics, valueOf } from '../../support/prometheus.ts'
import { scratchStore } from '../../support/scratch-store.ts'
import { errorsOf, startService, type Service } from '../../support/service.ts'

const settings = { publicUrl: '', trustedProxies: [], corsOrigins: [], bodyLimit: 1 << 20, uploadLimit: 1, metricsToken: '' }
const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
const metricsToken = 'a-token-of-the-watcher_1'

async function within(options: Parameters<typeof startService>[0], work: (service: Service) => Promise<void>): Promise<void> {
  const service = await startService(options)
  try {
    await work(service)
  } finally {
    await service.close()
  }
}

const get = (service: Service, path: string, headers: Record<string, string> = {}, token: string | null = null) =>
  service.send('GET', path, { token, headers })

/** The server of a service whose store was changed. */
async function over(store: Store, work: (url: string) => Promise<void>): Promise<void> {
  const server = buildServer({ store, environment: store.environment, settings, log })
  try {
    await work(await server.listen('127.0.0.1', 0))
  } finally {
    await server.close()
  }
}

const readyAt = async (url: string): Promise<[number, unknown]> => {
  const answer = await fetch(`${url}/readyz`)
  return [answer.status, ((await answer.json()) as { reason?: string }).reason]
}

describe('probes', () => {
  it('/healthz and /readyz need no token and tell nothing but that the service is well', () =>
    within({}, async (service) => {
      for (const path of ['/healthz', '/readyz', '/healthz?x=1', '/readyz/']) {
        const { status, headers, text } = await get(service, path, { Accept: 'text/plain' })
        assert.deepEqual([status, headers.get('content-type'), text], [200, 'application/json', '{"status":"ok"}\n'], path)
        assert.equal(headers.get('cache-control'), 'no-store')
        const head = await service.send('HEAD', path, { token: null })
        assert.deepEqual([head.status, head.text], [200, ''])
      }
      const post = await service.send('POST', '/healthz', { token: null })
      assert.deepEqual([post.status, post.headers.get('allow')], [405, 'GET, HEAD, OPTIONS'])
    }))

  it('while the store opens, the process is healthy, and not ready', async () => {
    const { store, remove } = await scratchStore()
    const opening = Promise.withResolvers<Store>()
    const server = buildServer({ store: opening.promise, environment: store.environment, settings, log })
    const url = await server.listen('127.0.0.1', 0)
    try {
      assert.equal((await fetch(`${url}/healthz`)).status, 200)
      assert.deepEqual(await readyAt(url), [503, 'starting'])
      assert.equal((await fetch(`${url}/metrics`)).status, 503)
      opening.resolve(store)
      await opening.promise
      assert.deepEqual(await readyAt(url), [200, undefined])
    } finally {
      await server.close()
      await remove()
    }
  })

  it('while the server stops, it is not ready', () =>
    within({}, async ({ store }) => {
      const server = buildServer({ store, environment: store.environment, settings, log })
      const url = await server.listen('127.0.0.1', 0)
      const closing = server.close(1_000)
      assert.deepEqual(await readyAt(url), [503, 'stopping'])
      assert.equal((await fetch(`${url}/healthz`)).status, 200)
      await closing
    }))

  it('/readyz does not wait for anything that requests wait for', () =>
    within({}, async ({ store }) => {
      const never = () => new Promise<never>(() => {})
      const db = { ...store.db, read: never, readAside: never, readLittle: never, write: never }
      await over({ ...store, db, catchUp: never }, async (url) => {
        assert.deepEqual(await readyAt(url), [200, undefined])
        assert.equal((await fetch(`${url}/healthz`)).status, 200)
      })
    }))

  it('/readyz says that the database fails, or does not answer in time', () =>
    within({}, async ({ store }) => {
      const failing = async () => Promise.reject(new Error('gone'))
      await over({ ...store, readApart: failing }, async (url) => assert.deepEqual(await readyAt(url), [503, 'database']))
      await over({ ...store, readApart: () => new Promise(() => {}) }, async (url) =>
        assert.deepEqual(await readyAt(url), [503, 'database']),
      )
    }))

  it('/readyz says that the disk is full', () =>
    within({}, async ({ store }) => {
      const files = (room: () => Promise<number>) => ({ ...store, files: { ...store.files, room } })
      await over(
        files(async () => 33_554_431),
        async (url) => {
          assert.deepEqual(await readyAt(url), [503, 'disk'])
          const { detail } = (await (await fetch(`${url}/readyz`)).json()) as { detail: string }
          assert.match(detail, /has less than 32 MiB left/)
        },
      )
      await over(
        files(async () => 33_554_432),
        async (url) => assert.deepEqual(await readyAt(url), [200, undefined]),
      )
      await over(
        files(async () => Promise.reject(new Error('no disk'))),
        async (url) => assert.deepEqual(await readyAt(url), [503, 'disk']),
      )
    }))

  it('/readyz sees another version of the database, and that it has moved', () =>
    within({}, async (service) => {
      const { store, clock } = service
      const ready = () => {
        clock.now += 1_000
        return readyAt(service.url)
      }
      await store.db.write((tx) => tx.run(sql`INSERT INTO migrations (number) VALUES (9999)`))
      assert.deepEqual(await ready(), [503, 'migrations'])
      await store.db.write((tx) => tx.run(sql`DELETE FROM migrations WHERE number = 9999`))
      assert.deepEqual(await ready(), [200, undefined])
      await store.db.write((tx) => markMoved(tx, store.db, { to: 'elsewhere', when: '2024-05-01 00:00:00' }))
      assert.deepEqual(await ready(), [503, 'moved'])
    }))

  it('strangers who ask in the same second cost one statement', () =>
    within({}, async ({ store, clock }) => {
      let asked = 0
      const readApart: Store['readApart'] = (query) => {
        asked++
        return store.readApart(query)
      }
      await over({ ...store, readApart }, async (url) => {
        for (let i = 0; i < 4; i++) await Promise.all(Array.from({ length: 50 }, () => readyAt(url)))
        assert.equal(asked, 1)
        clock.now += 1_000
        await readyAt(url)
        assert.equal(asked, 2)
      })
    }))
})

describe('GET /', () => {
  it('shows a browser what this is, whether it is well and where the reference is', () =>
    within({}, async (service) => {
      const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'
      const { status, headers, text } = await get(service, '/', { Accept: accept })
      assert.deepEqual([status, headers.get('content-type'), headers.get('vary')], [200, 'text/html; charset=utf-8', 'Accept'])
      assert.match(
        text,
        /<title>Kartoteka<\/title>[^]*customer database[^]*The service is well\.[^]*href="api\/dev"[^]*docs\/endpoints\.md/,
      )
      assert.match(headers.get('content-security-policy')!, /^default-src 'none'/)
      await over({ ...service.store, files: { ...service.store.files, room: async () => 0 } }, async (url) => {
        const ill = await fetch(url, { headers: { Accept: accept } })
        assert.match(await ill.text(), /The service is not well: The disk/)
      })
    }))

  it('is for other clients what it was: nothing', () =>
    within({}, async (service) => {
      for (const accept of [
        '*/*',
        'application/vnd.api+json',
        'text/html;q=0',
        'application/vnd.api+json, text/html',
        'application/json',
        '',
      ])
        assert.deepEqual(errorsOf(await get(service, '/', { Accept: accept })), ['404 request.no_such_path'], accept)
      for (const method of ['POST', 'DELETE', 'OPTIONS'])
        assert.deepEqual(errorsOf(await service.send(method, '/', { token: null })), ['404 request.no_such_path'], method)
      assert.deepEqual(errorsOf(await get(service, '/api', { Accept: 'text/html' })), ['404 request.no_such_path'])
    }))
})

describe('/metrics', () => {
  it('is for administrators with a token that is not limited, and for the token of the settings', () =>
    within({ metricsToken }, async (service) => {
      const table = await createTable(service.store, operator, { title: 'near' })
      const limitedToken = (await issueToken(service.store, operator, { login: service.first.login, tables: [table] })).token
      const reading = (await issueToken(service.store, operator, { login: service.first.login, scope: 'read' })).token
      const asked = async (token: string | null) => {
        const answer = await get(service, '/metrics', {}, token)
        return answer.status === 200 ? answer.headers.get('content-type') : errorsOf(answer)[0]
      }
      const text = 'text/plain; version=0.0.4; charset=utf-8'
      assert.equal(await asked(service.token), text)
      assert.equal(await asked(reading), text)
      assert.equal(await asked(metricsToken), text)
      assert.equal(await asked(null), '401 auth.token_missing X-Auth-Token')
      assert.equal(await asked('x'.repeat(48)), '401 auth.token_invalid X-Auth-Token')
      assert.equal(await asked(`${metricsToken}1`), '401 auth.token_invalid X-Auth-Token')
      for (const token of [limitedToken, await service.tokenOf(2), await service.tokenOf(3)])
        assert.equal(await asked(token), '403 access.denied')
      const bearer = await get(service, '/metrics', { Authorization: `Bearer ${metricsToken}` })
      assert.equal(bearer.status, 200)
      assert.deepEqual(errorsOf(await get(service, '/api/dev', {}, metricsToken)), ['401 auth.token_invalid X-Auth-Token'])
    }))

  it('asks nothing of the database where the token of the settings is used', () =>
    within({}, async ({ store }) => {
      const never = () => new Promise<never>(() => {})
      const server = buildServer({
        store: { ...store, catchUp: never, db: { ...store.db, read: never } },
        environment: store.environment,
        settings: { ...settings, metricsToken },
        log,
      })
      const url = await server.listen('127.0.0.1', 0)
      assert.equal((await fetch(`${url}/metrics`, { headers: { 'X-Auth-Token': metricsToken } })).status, 200)
      await server.close()
    }))

  it('without a token in the settings, an empty one opens nothing', () =>
    within({}, async (service) => {
      assert.equal((await get(service, '/metrics', { 'X-Auth-Token': '' })).status, 401)
      assert.equal((await get(service, '/metrics', { Authorization: 'Bearer ' })).status, 401)
    }))

  it('counts requests by route and status; what a client chooses becomes no label', () =>
    within({ metricsToken }, async (service) => {
      const { id } = await service.table('Deals', { name: 'text' })
      const metrics = async () => parseMetrics((await get(service, '/metrics', {}, metricsToken)).text)
      await service.get(`data${id}`)
      await service.get(`data${id}?page[limit]=1`)
      await service.send('HEAD', `/api/dev/data${id}`)
      await service.get(`data${id}`, null)
      await service.get('secretpath')
      await service.send('PURGE', '/api/dev/data7')
      await service.send('POST', `/api/dev/data${id}`, { token: null, body: {} })
      await service.raw('SECRETMETHOD\r\n\r\n')
      const before = await metrics()
      const total = 'kartoteka_http_requests_total'
      const route = '/api/dev/data{table}'
      assert.equal(valueOf(before, total, { method: 'GET', route, status: '200' }), 3)
      assert.equal(valueOf(before, total, { method: 'GET', route, status: '401' }), 1)
      assert.equal(valueOf(before, total, { method: 'POST', route, status: '401' }), 1)
      assert.equal(valueOf(before, total, { route: 'none', status: '404' }), 1)
      assert.equal(valueOf(before, total, { route: 'none', status: '405' }), 1)
      assert.equal(valueOf(before, total, { route: 'none', status: '400' }), 1)
      assert.equal(valueOf(before, 'kartoteka_http_request_duration_seconds_count', { method: 'GET', route }), 4)
      assert.equal(valueOf(before, 'kartoteka_http_body_bytes'), 0)
      assert.ok(valueOf(before, 'kartoteka_http_connections') >= 1)
      assert.equal(valueOf(await metrics(), total, { route: '/metrics', status: '200' }), 1)
      const text = (await get(service, '/metrics', {}, metricsToken)).text
      assert.doesNotMatch(text, /secret|PURGE|data7/i)
      const series = text.split('\n').length
      for (let i = 0; i < 50; i++) await service.get(`no-${i}/such?path=${i}`)
      assert.equal((await get(service, '/metrics', {}, metricsToken)).text.split('\n').length, series)
    }))
})

describe('ids of requests', () => {
  it('are in each answer, and in the log of what is refused', () =>
    within({}, async (service) => {
      const ids = new Set<string>()
      for (const path of ['/healthz', '/api/dev', '/nothing', '/api/dev/data1']) {
        const answer = await service.send('GET', path)
        const id = answer.headers.get('x-request-id')!
        ids.add(id)
        const logged = service.logged.filter(({ details }) => details['request'] === id)
        assert.deepEqual(
          logged.map(({ details }) => details['id']),
          answer.status < 400 ? [] : [answer.json.errors[0].id],
          path,
        )
      }
      assert.equal(ids.size, 4)
      const [, id] = /^x-request-id: (\S+)/im.exec(await service.raw('nonsense\r\n\r\n'))!
      assert.ok(service.logged.some(({ details }) => details['request'] === id))
    }))

  it('are those of a trusted proxy, and of nobody else', async () => {
    const idOf = async (service: Service, given: string) =>
      (await get(service, '/healthz', { 'X-Request-Id': given })).headers.get('x-request-id')
    await within({}, async (service) => assert.notEqual(await idOf(service, 'mine'), 'mine'))
    await within({ trustedProxies: ['127.0.0.0/8'] }, async (service) => {
      assert.equal(await idOf(service, 'a1-B2_c.3'), 'a1-B2_c.3')
      for (const odd of ['a b', 'a"b', 'x'.repeat(65), '']) assert.notEqual(await idOf(service, odd), odd)
    })
  })
})

describe('/installation', () => {
  it('tells administrators what the process is, and nobody else', () =>
    within({ metricsToken, about: { version: '1.2.3', settings: [{ name: 'port', value: '3000' }] } }, async (service) => {
      for (const [token, status] of [
        [null, 401],
        [metricsToken, 401],
        [await service.tokenOf(2), 403],
      ] as const)
        assert.equal((await get(service, '/installation', {}, token)).status, status)
      const reader = await issueToken(service.store, operator, { login: service.first.login, scope: 'read' })
      const { status, headers, text } = await get(service, '/installation', {}, reader.token)
      assert.deepEqual([status, headers.get('content-type'), headers.get('cache-control')], [200, 'application/json', 'no-store'])
      const { version, node, engine, database_bytes: bytes, memory_bytes: memory, settings: told } = JSON.parse(text)
      assert.deepEqual([version, node, told], ['1.2.3', process.version, [{ name: 'port', value: '3000' }]])
      assert.match(engine, service.store.db.dialect.shared ? /^PostgreSQL \d+/ : /^SQLite 3\.\d+/)
      assert.ok(bytes > 50_000 && memory > 10_000_000, text)
      const { files, database_unused_bytes: unused, database_log_bytes: ofLog, lists } = JSON.parse(text)
      // A server of databases does not tell them.
      if (service.store.db.dialect.shared) assert.deepEqual([unused, ofLog], [null, null])
      else assert.ok(unused >= 0 && unused < bytes && ofLog > 0, text)
      assert.deepEqual(files, { count: 0, bytes: 0, all: true })
      // Over Citus lists keep nothing.
      if (service.store.db.dialect.keysApart) assert.equal(lists, null)
      else assert.deepEqual([lists.memory_bytes, lists.kept.term, lists.dropped], [0, 0, 0])
    }))

  it('tells how many files there are and how large they are, the first 10,000 at most', () =>
    within({}, async ({ store }) => {
      const columns = ['table_id', 'field_id', 'record_id', 'position', 'name', 'hash', 'size', 'mime_type']
      const add = (count: number) =>
        store.db.write((tx) =>
          tx.insert(
            'files',
            columns,
            Array.from({ length: count }, (_, i) => [1, 1, i + 1, 0, 'a.txt', '0'.repeat(64), 3, 'text/plain']),
          ),
        )
      await add(2)
      const told = await figures(store)()
      assert.deepEqual(told.files, { count: 2, bytes: 6, areAll: true })
      for (const count of [2_000, 2_000, 2_000, 2_000, 1_998]) await add(count)
      // Figures are kept for a second, but not those of another object.
      assert.deepEqual((await figures({ ...store })()).files, { count: 10_000, bytes: 30_000, areAll: true })
      await add(1)
      assert.deepEqual((await figures({ ...store })()).files, { count: 10_000, bytes: 30_000, areAll: false })
    }))
})
