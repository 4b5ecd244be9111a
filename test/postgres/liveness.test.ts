import assert from 'node:assert/strict'
import { createServer, connect, type Socket } from 'node:net'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import pg from 'pg'
import { startPostgres, type Cluster } from '../../scripts/postgres.mjs'
import { startNodes } from '../support/service.ts'
import { load } from '../support/load.ts'

/* A database that answers nothing, and breaks nothing off either. Each has its own, and they wait at the same time. */

describe('while the database says nothing', { concurrency: true }, () => {
  it('since it stands still, requests are told 503 after a while and then soon, and nothing is lost or doubled', async () => {
    const cluster = await startPostgres({ settings: [] })
    const { nodes, close } = await startNodes(2, cluster.url())
    try {
      const table = await nodes[0]!.make('table', { table_name: 'Orders' })
      const run = load(nodes, table)
      await run.more(20)
      const thaw = await freeze(cluster)
      try {
        await run.refusal()
        // Whatever comes now is refused, not waited for: reads, writes, sign-ins.
        for (const node of nodes) {
          const answers = await Promise.all([
            node.get(`data${table}`),
            node.get(`data${table}/1`),
            node.add(`data${table}`, {}),
            node.add('token', { login: 'admin', password: 'wrong' }, null),
            node.get('hello/monitor', null),
          ])
          for (const { status, headers } of answers) assert.deepEqual([status, headers.has('retry-after')], [503, true])
        }
      } finally {
        thaw()
      }
      await run.more(20)
      const done = await run.end()
      assert.equal((await nodes[1]!.get(`data${table}?page[limit]=1`)).json.meta.total, done)
      assert.deepEqual(run.strange, [])
    } finally {
      await close()
      await cluster.stop()
    }
  })

  it('on connections that lead nowhere any more, others are made, and no request fails', async (context) => {
    const cluster = await startPostgres({ settings: [] })
    if (cluster.host !== cluster.directory) {
      await cluster.stop()
      return context.skip('behind a pooler, a client cannot tell whether the server works on its statement')
    }
    const way = await wayTo(cluster.host)
    const { nodes, close } = await startNodes(1, cluster.url().replace(/host=.*/, `host=${encodeURIComponent(way.directory)}`))
    try {
      const table = await nodes[0]!.make('table', { table_name: 'Orders' })
      const run = load(nodes, table, { keys: false })
      await run.more(20)
      way.lose()
      await run.more(20)
      const done = await run.end()
      assert.deepEqual([(await nodes[0]!.get(`data${table}?page[limit]=1`)).json.meta.total, run.refused()], [done, 0])
    } finally {
      await close()
      await way.close()
      await cluster.stop()
    }
  })

  it('to a connection that is being made, it is made once more, and no request fails', async () => {
    const cluster = await startPostgres({ settings: [] })
    const way = await wayTo(cluster.host)
    const { nodes, close } = await startNodes(1, cluster.url().replace(/host=.*/, `host=${encodeURIComponent(way.directory)}`))
    try {
      const table = await nodes[0]!.make('table', { table_name: 'Orders' })
      way.breakAll({ andLoseOfNext: 1 })
      const answers = await Promise.all([nodes[0]!.add(`data${table}`, {}), nodes[0]!.get(`data${table}`)])
      assert.deepEqual([answers.map(({ status }) => status), way.lost()], [[201, 200], 1], answers.map(({ text }) => text).join('\n'))
    } finally {
      await close()
      await way.close()
      await cluster.stop()
    }
  })

  it('for long, since it has much to do, and takes no new connection, everybody waits for their answer', async (context) => {
    const cluster = await startPostgres({ settings: ['max_connections=30'] })
    if (cluster.host !== cluster.directory) {
      await cluster.stop()
      return context.skip(
        'behind a pooler without free connections, the connection that looks for the cause waits too, and the answer is 503',
      )
    }
    const { nodes, close } = await startNodes(1, cluster.url())
    const others: pg.Client[] = []
    try {
      const table = await nodes[0]!.make('table', { table_name: 'Orders' })
      await Promise.all(Array.from({ length: 20 }, () => nodes[0]!.get(`data${table}`)))
      for (let full = false; !full;) {
        const client = new pg.Client(cluster.direct())
        await client.connect().then(
          () => others.push(client),
          () => (full = true),
        )
      }
      await others[0]!.query(`BEGIN; LOCK TABLE data${table}`)
      const waiting = [nodes[0]!.get(`data${table}`), nodes[0]!.add(`data${table}`, {})]
      const ended = await Promise.race([...waiting, new Promise((next) => setTimeout(next, 14_000, 'none'))])
      assert.equal(ended, 'none')
      await others[0]!.query('COMMIT')
      assert.deepEqual(
        (await Promise.all(waiting)).map(({ status }) => status),
        [200, 201],
      )
    } finally {
      await Promise.all(others.map((client) => client.end()))
      await close()
      await cluster.stop()
    }
  })
})

/** Stops every process of it; what is returned lets them go on. */
async function freeze(cluster: Cluster): Promise<() => void> {
  const client = new pg.Client(cluster.direct())
  client.on('error', () => undefined)
  await client.connect()
  process.kill(cluster.process.pid!, 'SIGSTOP')
  const { rows } = await client.query<{ pid: number }>('SELECT pid FROM pg_stat_activity')
  const all = [cluster.process.pid!, ...rows.map(({ pid }) => pid)]
  for (const pid of all) process.kill(pid, 'SIGSTOP')
  return () => {
    for (const pid of all) process.kill(pid, 'SIGCONT')
    void client.end()
  }
}

/** A way to the server in `host` that can lose everything that is sent over the connections there are, both ways. */
async function wayTo(host: string) {
  const directory = mkdtempSync(join(tmpdir(), 'kartoteka-way-'))
  const pairs = new Set<readonly [Socket, Socket]>()
  const lost = new Set<Socket>()
  let losing = 0
  const server = createServer({ allowHalfOpen: true }, (here) => {
    if (losing > 0) {
      losing--
      lost.add(here)
      return void here.on('error', () => undefined).resume()
    }
    const there = connect(join(host, '.s.PGSQL.5432'))
    pairs.add([here, there])
    here.pipe(there)
    there.pipe(here)
    for (const one of [here, there]) one.on('error', () => undefined)
  })
  await new Promise<void>((done) => server.listen(join(directory, '.s.PGSQL.5432'), done))
  return {
    directory,
    lose() {
      for (const [here, there] of pairs) {
        here.unpipe(there).resume()
        there.unpipe(here).resume()
      }
    },
    /** Ends the connections there are; of the next ones, so many are taken and lead nowhere. */
    breakAll({ andLoseOfNext }: { andLoseOfNext: number }) {
      losing = andLoseOfNext
      for (const pair of pairs) for (const one of pair) one.destroy()
    },
    lost: () => lost.size,
    async close() {
      for (const one of [...lost, ...[...pairs].flat()]) one.destroy()
      await new Promise((done) => server.close(done))
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
