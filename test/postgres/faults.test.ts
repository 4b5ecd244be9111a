import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { startPostgres, type Cluster } from '../../scripts/postgres.mjs'
import { startNodes, type Service } from '../support/service.ts'
import { load } from '../support/load.ts'
import { addressOf, ask, standbyOf } from '../support/standby.ts'

/* What happens to the database under load: a PostgreSQL of its own, as durable as it is by default. */

describe('while the database', () => {
  let cluster: Cluster
  let nodes: Service[]
  let close: () => Promise<void>
  before(async () => {
    cluster = await startPostgres({ settings: ['max_connections=40'] })
    ;({ nodes, close } = await startNodes(2, cluster.url()))
  })
  after(async () => {
    await close()
    await cluster.stop()
  })
  const table = () => nodes[0]!.make('table', { table_name: 'Orders' })
  const total = async (type: string) => (await nodes[1]!.get(`${type}?page[limit]=1`)).json.meta.total
  const restart = async () => (cluster = await startPostgres({ settings: ['max_connections=40'], directory: cluster.directory }))
  const tell = (...statements: string[]) => ask(cluster, ...statements)

  for (const [what, signal] of [
    ['is stopped', 'SIGINT'],
    ['is killed', 'SIGKILL'],
  ] as const) {
    it(`${what} and started, requests are answered or 503, and nothing is lost or doubled`, async () => {
      const id = await table()
      const run = load(nodes, id)
      await run.more(20)
      await cluster.halt(signal)
      await run.refusal()
      await restart()
      await run.more(20)
      const done = await run.end()
      assert.equal(await total(`data${id}`), done)
      assert.deepEqual(run.strange, [])
    })
  }

  it('starts again within a moment, again and again, nothing is lost or doubled', async () => {
    const id = await table()
    const run = load(nodes, id, { keys: false })
    for (let i = 0; i < 3; i++) {
      await run.more(20)
      await cluster.halt('SIGINT')
      await restart()
    }
    await run.more(20)
    const done = await run.end()
    // How long the moment takes depends on the machine: some may be told to come back.
    assert.equal(await total(`data${id}`), done)
    assert.deepEqual(run.strange, [])
  })

  it('ends connections, every request is answered and nothing is done twice', async () => {
    const id = await table()
    const run = load(nodes, id, { keys: false, clients: 8 })
    for (let i = 0; i < 25; i++) {
      await run.more(5)
      await tell("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'kartoteka%'")
    }
    const done = await run.end()
    assert.deepEqual([await total(`data${id}`), run.refused()], [done, 0], run.strange.join('\n'))
  })

  it('can only be read, lists are read and writes are 503', async () => {
    const id = await table()
    const run = load(nodes, id)
    await run.more(5)
    await tell('ALTER SYSTEM SET default_transaction_read_only = on', 'SELECT pg_reload_conf()')
    await run.refusal()
    for (const node of nodes) {
      const { status, json } = await node.get(`data${id}?page[limit]=1`)
      assert.deepEqual([status, json.meta.total >= 5], [200, true])
    }
    await tell('SET default_transaction_read_only = off', 'ALTER SYSTEM RESET default_transaction_read_only', 'SELECT pg_reload_conf()')
    await run.more(5)
    const done = await run.end()
    assert.equal(await total(`data${id}`), done)
    assert.deepEqual(run.strange, [])
  })

  it('can only be read, a structure that is new to a node can be read too', async () => {
    const id = await table()
    await tell('ALTER SYSTEM SET default_transaction_read_only = on', 'SELECT pg_reload_conf()')
    await tell('SET default_transaction_read_only = off', 'UPDATE catalogue_version SET version = version + 1')
    const answers = await Promise.all(nodes.map((node) => node.get(`data${id}`)))
    // The first that fails is the mark, whose COMMIT is refused with it. When the setting counts is the server's business.
    const fault = async ({ store }: Service): Promise<{ code?: string }> => {
      for (;;) {
        try {
          await store.db.write(async () => {})
        } catch (error) {
          return error as { code?: string }
        }
      }
    }
    const faults = await Promise.all(nodes.map(fault))
    await tell('SET default_transaction_read_only = off', 'ALTER SYSTEM RESET default_transaction_read_only', 'SELECT pg_reload_conf()')
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    )
    assert.deepEqual(
      faults.map(({ code }) => code),
      ['server.unavailable', 'server.unavailable'],
    )
    while ((await nodes[0]!.add(`data${id}`, {})).status === 503);
    assert.equal(await total(`data${id}`), 1)
  })

  it('has no connection left, those there are serve everybody', async () => {
    const id = await table()
    const others: pg.Client[] = []
    await tell("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'kartoteka%'")
    const run = load(nodes, id, { clients: 2, keys: false })
    await run.more(2)
    for (let full = false; !full;) {
      const client = new pg.Client(cluster.direct())
      client.on('error', () => {})
      await client.connect().then(
        () => others.push(client),
        () => (full = true),
      )
    }
    const many = load(nodes, id, { clients: 20, keys: false })
    await many.more(40)
    await Promise.all(others.map((client) => client.end()))
    const done = (await many.end()) + (await run.end())
    assert.deepEqual([await total(`data${id}`), run.refused() + many.refused()], [done, 0], [...run.strange, ...many.strange].join('\n'))
  })
})

it('when the leading server is lost, its standby leads, and nothing acknowledged is lost', async () => {
  const first = await startPostgres({ settings: [] })
  after(() => first.stop())
  const second = await standbyOf(first)
  after(() => second.stop())
  const { nodes, close } = await startNodes(2, addressOf(first, second))
  try {
    await ask(first, "ALTER SYSTEM SET synchronous_standby_names = '*'", 'SELECT pg_reload_conf()')
    const table = await nodes[0]!.make('table', { table_name: 'Orders' })
    const run = load(nodes, table, { keys: false })
    await run.more(30)
    await first.halt('SIGKILL')
    await ask(second, 'SELECT pg_promote()')
    await run.more(30)
    const done = await run.end()
    const { json } = await nodes[1]!.get(`data${table}?page[limit]=1`)
    // How long it takes until the standby leads depends on the machine: some may be told to come back.
    assert.equal(json.meta.total, done)
    assert.deepEqual(run.strange, [])
  } finally {
    await close()
  }
})
