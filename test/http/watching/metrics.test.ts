import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { keepHouse } from '../../../src/app/keep-house.ts'
import { observeHouse } from '../../../src/app/observe.ts'
import { requestNames } from '../../../src/app/request-names.ts'
import { startServer, type Application } from '../../../src/app.ts'
import { environment } from '../../../src/app/installation.ts'
import { readConfig } from '../../../src/config.ts'
import { metricsRegistry } from '../../../src/metrics/registry.ts'
import { operator } from '../../../src/store/catalogue/administrator.ts'
import { issueToken } from '../../../src/store/people/tokens.ts'
import { nobody } from '../../../src/store/model/asker.ts'
import { sql } from '../../../src/sql/sql.ts'
import { env } from '../../support/hooked.ts'
import { parseMetrics, valueOf, type MetricFamily } from '../../support/prometheus.ts'
import { startReceiver } from '../../support/receiver.ts'
import { cluster, distribution, scratchDatabase } from '../../support/scratch-database.ts'
import { scratchStore } from '../../support/scratch-store.ts'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
const metricsToken = 'a-token-of-the-watcher_1'

interface Running extends Application {
  readonly token: string
  call(method: string, path: string, body?: object): Promise<Response>
  metrics(): Promise<ReadonlyMap<string, MetricFamily>>
}

/** The server as `kartoteka serve` starts it. */
async function running(work: (app: Running) => Promise<void>): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'kartoteka-metrics-'))
  const database = cluster === undefined ? undefined : await scratchDatabase()
  const variables = {
    ...env,
    KARTOTEKA_DATA: directory,
    PORT: '0',
    KARTOTEKA_METRICS_TOKEN: metricsToken,
    ...(database && { KARTOTEKA_DATABASE_URL: database.url, KARTOTEKA_DISTRIBUTION: distribution }),
  }
  const app = await startServer(readConfig({}, variables), silent)
  try {
    const { token } = await issueToken(app.store, operator, { login: app.firstAdministrator!.login })
    const call: Running['call'] = (method, path, body) =>
      fetch(`${app.url}/api/dev/${path}`, {
        method,
        headers: { 'X-Auth-Token': token, ...(body && { 'Content-Type': 'application/vnd.api+json' }) },
        ...(body && { body: JSON.stringify({ data: body }) }),
      })
    const metrics = async () => {
      const answer = await fetch(`${app.url}/metrics`, { headers: { Authorization: `Bearer ${metricsToken}` } })
      assert.equal(answer.status, 200)
      return parseMetrics(await answer.text())
    }
    await work({ ...app, token, call, metrics })
  } finally {
    await app.close()
    await database?.drop()
    rmSync(directory, { recursive: true })
  }
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 1_500; i++) {
    if (await isSo()) return
    await sleep(20)
  }
  throw new Error(what)
}

describe('the metrics of a server', () => {
  it('have a time for each request, and what the process takes', () =>
    running(async ({ call, metrics }) => {
      for (let i = 0; i < 5; i++) assert.equal((await call('GET', 'user')).status, 200)
      const shown = await metrics()
      const route = { method: 'GET', route: '/api/dev/user' }
      assert.equal(valueOf(shown, 'kartoteka_http_request_duration_seconds_count', route), 5)
      const sum = valueOf(shown, 'kartoteka_http_request_duration_seconds_sum', route)
      assert.ok(sum > 0 && sum < 60, String(sum))
      const began = valueOf(shown, 'process_start_time_seconds')
      assert.ok(began > 1.7e9 && began <= Date.now() / 1000, String(began))
      assert.ok(valueOf(shown, 'process_resident_memory_bytes') > 1e7)
      assert.ok(valueOf(shown, 'process_cpu_seconds_total') > 0)
      assert.ok(valueOf(shown, 'kartoteka_event_loop_busy_seconds_total') > 0)
    }))

  it('count statements, and show what waits and runs in each queue', () =>
    running(async ({ call, metrics, store }) => {
      const statements = async (kind: string) => valueOf(await metrics(), 'kartoteka_database_statements_total', { kind })
      const [read, write] = [await statements('read'), await statements('write')]
      assert.equal((await call('POST', 'category', { type: 'category', attributes: { category_name: 'Sales' } })).status, 201)
      assert.ok((await statements('write')) > write)
      assert.equal((await call('GET', 'category')).status, 200)
      assert.ok((await statements('read')) > read)

      const queue = async (name: string) => {
        const shown = await metrics()
        const value = (of: string) => valueOf(shown, `kartoteka_queue_${of}`, { queue: name })
        return { waiting: value('waiting'), running: value('running') }
      }
      for (const name of ['quick', 'slow']) assert.deepEqual(await queue(name), { waiting: 0, running: 0 })
      const [begun, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const lasting = store.db.write(
        async () => {
          begun.resolve()
          await free.promise
        },
        { alone: true },
      )
      await begun.promise
      const others = [1, 2, 3].map(() => store.db.write(async () => undefined, { alone: true }))
      const before = await queue('write')
      assert.ok(before.running >= 1 && before.waiting >= 2, JSON.stringify(before))
      free.resolve()
      await Promise.all([lasting, ...others])
      await until('the queue of writes is empty', async () => {
        const { waiting, running: busy } = await queue('write')
        return waiting === 0 && busy === 0
      })
    }))

  it('show reads that wait for long ones', () =>
    running(async ({ metrics, store }) => {
      const isInTime = store.db.dialect.patience.record?.(1_024, []) ?? sql`1 = 1`
      const long = sql`WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE ${isInTime}) SELECT max(id) FROM n`
      const leaving = new AbortController()
      const client = {
        get isGone() {
          return leaving.signal.aborted
        },
        whenGone(work: () => void) {
          leaving.signal.addEventListener('abort', work)
          return () => leaving.signal.removeEventListener('abort', work)
        },
      }
      const reads = Array.from({ length: 12 }, () => store.db.readAside({ ...nobody, client }, long).catch(() => undefined))
      await until('a long read runs and others wait', async () => {
        const shown = await metrics()
        const value = (of: string) => valueOf(shown, `kartoteka_queue_${of}`, { queue: 'slow' })
        return value('running') > 0 && value('waiting') > 0
      })
      leaving.abort()
      await Promise.all(reads)
    }))

  it('show webhooks, what came of attempts, streams of events and indexes', () =>
    running(async ({ url, token, call, metrics, store }) => {
      let status = 204
      const receiver = await startReceiver((response) => void response.writeHead(status).end())
      const make = async (type: string, attributes: object) => {
        const answer = await call('POST', type, { type, attributes })
        assert.equal(answer.status, 201)
        return ((await answer.json()) as { data: { id: string } }).data.id
      }
      const value = async (name: string, labels = {}) => valueOf(await metrics(), name, labels)
      const attempts = (result: string) => value('kartoteka_webhook_attempts_total', { result })
      try {
        assert.equal(await value('kartoteka_webhooks'), 0)
        const table = Number(await make('table', { table_name: 'Deals' }))
        const field = await make('field', { table_id: table, field_name: 'Name', field_type: 'text' })
        await make('webhook', { url: `http://127.0.0.1:${receiver.port}/`, table_id: table })
        await make(`data${table}`, {})
        await until('it is delivered', async () => (await attempts('delivered')) === 1)
        assert.equal(await value('kartoteka_webhooks'), 1)
        status = 500
        await make(`data${table}`, {})
        await until('it is not delivered', async () => (await attempts('waiting')) >= 1)
        assert.equal(await value('kartoteka_webhook_deliveries_waiting'), 1)
        assert.equal(await attempts('parked'), 0)

        assert.equal(await value('kartoteka_event_streams'), 0)
        const leaving = new AbortController()
        const stream = await fetch(`${url}/api/dev/events`, { headers: { 'X-Auth-Token': token }, signal: leaving.signal })
        assert.equal(stream.status, 200)
        await until('the stream is shown', async () => (await value('kartoteka_event_streams')) === 1)
        leaving.abort()
        await until('the stream is gone', async () => (await value('kartoteka_event_streams')) === 0)

        await make('index', { table_id: table, attribute: `f${field}`, kind: 'order' })
        await store.indexes.idle()
        assert.equal(await value('kartoteka_indexes', { state: 'ready' }), 1)
        assert.equal(await value('kartoteka_indexes', { state: 'waiting' }), 0)
      } finally {
        await receiver.close()
      }
    }))
})

describe('the metrics of housekeeping', () => {
  it('say when each kind was last erased, and count rounds that failed', async () => {
    const { store, clock, remove } = await scratchStore()
    const metrics = metricsRegistry()
    let broken = false
    const indexes = { ...store.indexes, keep: () => (broken ? Promise.reject(new Error('no')) : store.indexes.keep()) }
    const house = keepHouse({ ...store, indexes }, silent)
    observeHouse(metrics, house)
    const name = 'kartoteka_retention_last_success_timestamp_seconds'
    try {
      assert.equal(parseMetrics(metrics.text()).get(name)!.samples.length, 0)
      await house.round()
      const shown = parseMetrics(metrics.text())
      for (const kind of ['trash', 'tokens', 'answers', 'audit', 'changes', 'deliveries', 'files'])
        assert.equal(valueOf(shown, name, { kind }), Math.floor(clock.now / 1000))
      assert.equal(valueOf(shown, 'kartoteka_housekeeping_failures_total'), 0)
      broken = true
      await house.round()
      assert.equal(valueOf(parseMetrics(metrics.text()), 'kartoteka_housekeeping_failures_total'), 1)
    } finally {
      house.stop()
      await remove()
    }
  })

  it('go on where one kind cannot be erased, such as files of a bucket that does not answer', async () => {
    const { store, remove } = await scratchStore()
    let kept = 0
    const failing = async () => Promise.reject(new Error('no'))
    const indexes = { ...store.indexes, keep: async () => void kept++ }
    const house = keepHouse({ ...store, indexes, files: { ...store.files, sweep: failing } }, silent)
    try {
      await house.round()
      assert.deepEqual([kept, house.failed], [1, 1])
      assert.deepEqual([...house.swept.keys()], ['trash', 'tokens', 'answers', 'audit', 'changes', 'deliveries', 'jobs', 'conversions'])
    } finally {
      house.stop()
      await remove()
    }
  })
})

describe('ids of requests', () => {
  it('are random and differ', () => {
    const next = requestNames(environment)
    const ids = Array.from({ length: 10_000 }, next)
    assert.equal(new Set(ids).size, ids.length)
    for (const id of ids) assert.match(id, /^[\w-]{12}$/)
  })
})
