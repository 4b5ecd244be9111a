import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startCitus, type CitusCluster } from '../../scripts/citus-cluster.mjs'
import { ask } from '../../scripts/citus-template.mjs'
import { checkIntegrity } from '../../src/store/upkeep/check-integrity.ts'
import { inCommit, prepared } from '../support/in-commit.ts'
import { startNodes, type Service } from '../support/service.ts'
import { load } from '../support/load.ts'

/* What happens to the servers of a Citus cluster under load: one of its own, which keeps what it has committed. */

describe('while a server', () => {
  let cluster: CitusCluster
  let nodes: Service[]
  let close: () => Promise<void>
  before(async () => {
    cluster = await startCitus({ workers: 2, settings: ['shared_buffers=32MB', 'synchronous_commit=on', 'citus.recover_2pc_interval=5s'] })
    ;({ nodes, close } = await startNodes(2, cluster.url))
  })
  after(async () => {
    await close?.()
    await cluster?.stop()
  })

  /** What is behind each 500. */
  const behind = () =>
    nodes
      .flatMap(({ logged }) => logged.map(({ level, details }) => ({ level, err: details['err'] as { code?: string } | undefined })))
      .filter(({ level, err }) => level === 'error' && err?.code !== 'server.unavailable')
      .map(({ err }) => `${err?.code} ${String(err)}`)

  for (const [what, signal] of [
    ['is stopped', 'SIGINT'],
    ['is killed', 'SIGKILL'],
  ] as const)
    it(`${what} and started, requests are answered or 503, and nothing is lost or doubled`, async () => {
      const { id, fields } = await nodes[0]!.table(`Orders ${signal}`, { code: { typeName: 'text', unique: true }, n: 'integer' })
      const [code, n] = [fields['code']!, fields['n']!]
      const run = load(nodes, String(id), { attributesOf: (key) => ({ [code]: key }) })
      const changing = changes(nodes, `data${id}`, n)
      for (const server of cluster.servers) {
        await run.more(20)
        if (server !== cluster.servers[0]) await inCommit(server)
        await server.halt(signal)
        await run.refusal()
        await server.restart()
        await run.more(20)
      }
      const done = (await run.end()) + (await changing.end())
      // What a server was lost in the middle of, it is told when it is back.
      for (const { url } of cluster.servers) while ((await ask(url, prepared)).rows.length > 0) await pause()
      assert.deepEqual([run.strange, changing.strange], [[], []], behind().join('\n'))
      assert.equal((await nodes[1]!.get(`data${id}?page[limit]=1`)).json.meta.total, done)
      const codes = await allOf(nodes[0]!, `data${id}`, code)
      assert.deepEqual([codes.length, new Set(codes).size], [done, done - changing.records + 1])
      assert.deepEqual((await allOf(nodes[0]!, `data${id}?filter=gt(${n},0)`, n)).map(Number), changing.last())
      for await (const fault of checkIntegrity(nodes[0]!.store)) assert.fail(fault)
    })
})

const pause = () => new Promise((next) => setTimeout(next, 50))

/** Clients who count up a field of a record each, asking again until they are answered. */
function changes(nodes: readonly Service[], type: string, field: string, records = 3) {
  let running = true
  const strange: string[] = []
  const last: number[] = []
  async function until(status: number, send: (node: Service) => ReturnType<Service['get']>) {
    for (let tries = 0; ; tries++) {
      const answer = await send(nodes[tries % nodes.length]!)
      if (answer.status === status) return answer
      if (answer.status !== 503 || !answer.headers.has('retry-after')) strange.push(`${answer.status} ${answer.text}`)
      await pause()
    }
  }
  const client = async (i: number, id: string) => {
    for (last[i] = 1; running; last[i]!++) await until(200, (node) => node.change(type, id, { [field]: String(last[i]! + 1) }))
  }
  const all = (async () => {
    const clients: Promise<void>[] = []
    for (let i = 0; i < records; i++) clients.push(client(i, await nodes[0]!.make(type, { [field]: '1' })))
    await Promise.all(clients)
  })()
  return {
    strange,
    records,
    last: () => last,
    /** How many records it made. */
    async end() {
      running = false
      await all
      return records
    },
  }
}

async function allOf(node: Service, path: string, field: string): Promise<string[]> {
  const all: string[] = []
  for (;;) {
    const { json } = await node.get(`${path}${path.includes('?') ? '&' : '?'}page[limit]=50&page[offset]=${all.length}`)
    all.push(...json.data.map(({ attributes }: { attributes: Record<string, string> }) => attributes[field]!))
    if (json.links.next === undefined) return all
  }
}
