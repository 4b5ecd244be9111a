import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startPostgres, type Cluster } from '../../scripts/postgres.mjs'
import { startNodes, type Service } from '../support/service.ts'
import { scratchProgram } from '../support/scratch-program.ts'
import { load } from '../support/load.ts'
import { addressOf, ask, standbyOf } from '../support/standby.ts'

/* Lists over a database and a real standby that follows it. */

describe('lists where there is a replica', () => {
  let leading: Cluster
  let replica: Cluster
  let nodes: Service[]
  let close: () => Promise<void>
  before(async () => {
    leading = await startPostgres({ settings: [] })
    replica = await standbyOf(leading)
    // What was written a moment ago is surely not there yet.
    await ask(replica, 'ALTER SYSTEM SET recovery_min_apply_delay = 10', 'SELECT pg_reload_conf()')
    ;({ nodes, close } = await startNodes(2, leading.url(), [replica.url()]))
  })
  after(async () => {
    await close()
    await replica.stop()
    await leading.stop()
  })
  const total = async (table: string, node = 1) => {
    const { status, json } = await nodes[node]!.get(`data${table}?page[limit]=1`)
    assert.equal(status, 200)
    return json.meta.total
  }
  const untilReplicaAnswers = (table: string) => untilAnswers(replica, () => total(table))
  const rows = (query: string) => rowsOf(replica, query)

  it('show everything that was written before, on whichever process, in totals and pages', async () => {
    const table = await nodes[0]!.table('Orders', { amount: 'integer' })
    const type = `data${table.id}`
    await untilReplicaAnswers(String(table.id))
    for (let i = 1; i <= 60; i++) {
      const id = await nodes[i % 2]!.make(type, { [table.fields.amount!]: String(i) })
      const other = nodes[(i + 1) % 2]!
      const last = await other.get(`${type}?sort=-${table.fields.amount}&page[limit]=3`)
      assert.deepEqual([last.json.meta.total, last.json.data[0].id, last.json.data.length], [i, id, Math.min(i, 3)])
      const found = await other.get(`${type}?filter=eq(${table.fields.amount},${i})`)
      assert.deepEqual([found.json.meta.total, found.json.data[0].id], [1, id])
      assert.equal(await total(String(table.id), (i + 1) % 2), i)
    }
    await untilReplicaAnswers(String(table.id))
  })

  it('have the structure that was changed before', async () => {
    const table = await nodes[0]!.make('table', { table_name: 'Goods' })
    await nodes[0]!.make(`data${table}`, {})
    for (let i = 0; i < 10; i++) {
      const field = await nodes[i % 2]!.make('field', { table_id: Number(table), field_name: `Field ${i}`, field_type: 'text' })
      const { status, json } = await nodes[(i + 1) % 2]!.get(`data${table}?sort=f${field}`)
      assert.deepEqual([status, json.data?.[0]?.attributes[`f${field}`]], [200, ''])
    }
  })

  it('are right while it lags, and it answers again when it has come up', async () => {
    const table = await nodes[0]!.make('table', { table_name: 'Late' })
    await untilReplicaAnswers(table)
    await ask(replica, 'SELECT pg_wal_replay_pause()')
    for (let i = 1; i <= 10; i++) {
      await nodes[0]!.make(`data${table}`, {})
      assert.equal(await total(table), i)
    }
    await ask(replica, 'SELECT pg_wal_replay_resume()')
    await untilReplicaAnswers(table)
    assert.equal(await total(table), 10)
  })

  it('ask it, and single records do not', async () => {
    const table = await nodes[0]!.make('table', { table_name: 'Single' })
    const record = await nodes[0]!.make(`data${table}`, {})
    await untilReplicaAnswers(table)
    const now = (await rows('SELECT clock_timestamp()::text'))[0]
    const asked = async () => (await rows(askedSince(String(now))))[0]
    for (let i = 0; i < 10; i++) assert.equal((await nodes[i % 2]!.get(`data${table}/${record}`)).status, 200)
    assert.equal(await asked(), 0)
    await untilReplicaAnswers(table)
    assert.notEqual(await asked(), 0)
  })

  it('fail for nobody when it is killed, and it answers again when it is back', async () => {
    const table = await nodes[0]!.make('table', { table_name: 'Dead' })
    const run = load(nodes, table, { keys: false })
    for (const signal of ['SIGKILL', 'SIGINT'] as const) {
      await untilReplicaAnswers(table)
      await run.more(20)
      await replica.halt(signal)
      await run.more(20)
      replica = await startPostgres({ settings: [], directory: replica.directory })
    }
    await untilReplicaAnswers(table)
    const done = await run.end()
    assert.deepEqual([await total(table), run.refused()], [done, 0], run.strange.join('\n'))
  })

  it('are told of in the log, once when it is left out and once when it is back', async () => {
    const { url, drop } = await databaseOf(leading)
    const program = scratchProgram({ KARTOTEKA_DATABASE_URL: url('postgres://kartoteka'), KARTOTEKA_LOG_LEVEL: 'info' })
    try {
      const token = await program.token()
      await program.ok('table', 'create', 'Orders')
      const server = await program.serve({ env: { KARTOTEKA_REPLICA_URLS: url('postgres://kartoteka:secret', replica) } })
      const told = () => [...server.said.err.matchAll(/"msg":"replica (answers|left out)"/g)].map(([, what]) => what)
      const until = async (what: string) => {
        while (told().at(-1) !== what) assert.equal((await server.call(token, 'GET', 'data1')).status, 200)
      }
      await until('answers')
      await replica.halt('SIGKILL')
      await until('left out')
      replica = await startPostgres({ settings: [], directory: replica.directory })
      await until('answers')
      // On a slow machine it may have been late before.
      assert.ok(
        told().every((what, i, all) => what !== all[i - 1]),
        server.said.err,
      )
      assert.doesNotMatch(server.said.err, /secret/)
      await server.stop()
    } finally {
      await program.remove()
      await drop()
    }
  })

  it('are answered while it stands still', async () => {
    const table = await nodes[0]!.make('table', { table_name: 'Frozen' })
    await untilReplicaAnswers(table)
    const pids = (await rows("SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'kartoteka%'")).map(Number)
    const all = [replica.process.pid!, ...pids]
    for (const pid of all) process.kill(pid, 'SIGSTOP')
    try {
      for (let i = 1; i <= 5; i++) {
        await nodes[0]!.make(`data${table}`, {})
        assert.deepEqual([await total(table, 0), await total(table)], [i, i])
      }
    } finally {
      for (const pid of all) process.kill(pid, 'SIGCONT')
    }
    await untilReplicaAnswers(table)
  })

  it('are not taken from it once it leads itself', async () => {
    const table = await nodes[0]!.make('table', { table_name: 'Parted' })
    await untilReplicaAnswers(table)
    await ask(replica, 'SELECT pg_promote()')
    for (let i = 1; i <= 10; i++) {
      await nodes[0]!.make(`data${table}`, {})
      assert.equal(await total(table), i)
    }
  })
})

/** One of its own, and the address of it by any user on any server. */
async function databaseOf(cluster: Cluster) {
  await ask(cluster, 'CREATE DATABASE told')
  return {
    url: (user: string, { url }: Cluster = cluster) => url('told').replace('postgres://kartoteka', user),
    drop: () => ask(cluster, 'DROP DATABASE told WITH (FORCE)'),
  }
}

it('lists go on when the leading server is lost, and the replica answers that follows the next one', async () => {
  const first = await startPostgres({ settings: [] })
  after(() => first.stop())
  const second = await standbyOf(first)
  after(() => second.stop())
  const third = await standbyOf(second)
  after(() => third.stop())
  const { nodes, close } = await startNodes(2, addressOf(first, second), [third.url()])
  try {
    await ask(first, "ALTER SYSTEM SET synchronous_standby_names = '*'", 'SELECT pg_reload_conf()')
    const table = await nodes[0]!.make('table', { table_name: 'Orders' })
    const total = async () => (await nodes[1]!.get(`data${table}?page[limit]=1`)).json.meta?.total
    await untilAnswers(third, total)
    const run = load(nodes, table, { keys: false })
    await run.more(30)
    await first.halt('SIGKILL')
    await ask(second, 'SELECT pg_promote()')
    await run.more(30)
    // A replica tells its timeline by its last checkpoint.
    const checkpoint = async () => {
      await ask(second, 'CHECKPOINT')
      await ask(third, 'CHECKPOINT')
      return total()
    }
    await untilAnswers(third, checkpoint)
    const done = await run.end()
    assert.deepEqual([await total(), run.strange], [done, []])
  } finally {
    await close()
  }
})

/** Asks for lists until the replica has answered one: nothing else there is read so. */
async function untilAnswers(replica: Cluster, list: () => Promise<unknown>): Promise<void> {
  const now = (await rowsOf(replica, 'SELECT clock_timestamp()::text'))[0]
  for (let answered = 0; answered === 0;) {
    await list()
    answered = Number((await rowsOf(replica, askedSince(String(now))))[0])
  }
}

/** How many connections asked for records last, and did since. */
const askedSince = (time: string) =>
  `SELECT count(*)::integer FROM pg_stat_activity WHERE application_name LIKE 'kartoteka%' AND query LIKE '%SELECT id, version%' AND state_change > '${time}'`

/** The first column of what it answers. */
const rowsOf = async (cluster: Cluster, query: string): Promise<unknown[]> =>
  (await ask(cluster, query)).rows.map((row) => Object.values(row as object)[0])
