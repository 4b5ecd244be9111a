import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startPostgres, type Cluster } from '../../scripts/postgres.mjs'
import { startNodes, type Service } from '../http/service.ts'

/* What happens to the database under load: a PostgreSQL of its own, as durable as it is by default. */

describe('while the database', () => {
  for (const [what, signal] of [
    ['is stopped and started', 'SIGINT'],
    ['is killed and started', 'SIGKILL'],
  ] as const) {
    it(`${what}, requests are answered or 503, and nothing is lost or doubled`, async () => {
      let cluster: Cluster = await startPostgres({ settings: [] })
      const { nodes, close } = await startNodes(2, cluster.url())
      try {
        const table = await nodes[0]!.make('table', { table_name: 'Orders' })
        const run = load(nodes, table)
        await run.until((done) => done >= 20)
        for (let i = 0; i < 2; i++) {
          await cluster.halt(signal)
          const refused = run.refused()
          await run.until(() => run.refused() > refused)
          cluster = await startPostgres({ settings: [], directory: cluster.directory })
          const before = run.done()
          await run.until((done) => done >= before + 20)
        }
        const keys = await run.end()
        const { json } = await nodes[1]!.get(`data${table}?page[limit]=1`)
        assert.equal(json.meta.total, keys)
        assert.deepEqual(run.strange, [])
      } finally {
        await close()
        await cluster.stop()
      }
    })
  }
})

/** Clients who repeat each create, under its key, until it is answered. */
function load(nodes: readonly Service[], table: string) {
  const strange: string[] = []
  let running = true
  let done = 0
  let refused = 0
  let changed = Promise.withResolvers<void>()
  const client = async (name: number) => {
    for (let i = 0; running; i++) {
      for (let tries = 0; ; tries++) {
        const { status, headers, text } = await nodes[(i + tries) % nodes.length]!.send('POST', `/api/dev/data${table}`, {
          headers: { 'Idempotency-Key': `${name}-${i}` },
          body: { data: { type: `data${table}`, attributes: {} } },
        })
        if (status === 201) break
        refused++
        if (status !== 503 || headers.get('retry-after') === null) strange.push(text)
        changed.resolve()
        await new Promise((next) => setTimeout(next, 50))
      }
      done++
      changed.resolve()
    }
  }
  const clients = [client(1), client(2), client(3), client(4)]
  return {
    strange,
    done: () => done,
    refused: () => refused,
    async until(reached: (done: number) => boolean) {
      while (!reached(done)) {
        changed = Promise.withResolvers()
        await changed.promise
      }
    },
    /** How many were answered. */
    async end() {
      running = false
      await Promise.all(clients)
      return done
    },
  }
}
