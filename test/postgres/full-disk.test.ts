import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import pg from 'pg'
import { startPostgres, type Cluster } from '../../scripts/postgres.mjs'
import { checkIntegrity } from '../../src/store/upkeep/check-integrity.ts'
import { startNodes, type Service } from '../support/service.ts'
import { smallFileSystem, type SmallDisk } from '../support/small-disk.ts'
import { load, type Load } from '../support/load.ts'
import { randomOf } from '../support/random.ts'
import { seed } from '../support/seed.ts'

const random = randomOf(seed)

/* A PostgreSQL whose disk fills while it is written to; test/sqlite/full-disk.test.ts is the like of it for SQLite. */

/** MiB; a new cluster takes half of it. */
const ROOM = 96
const settings = ['fsync=off', 'max_connections=60', 'shared_buffers=16MB', 'max_wal_size=8MB', 'min_wal_size=2MB']

describe('where the disk of the database is full', () => {
  for (const [what, logElsewhere, suffer] of [
    ['its records', true, recordsFindNoRoom],
    ['its records and its log', false, databaseStops],
  ] as const)
    it(`which has ${what}, writes are refused, and nothing is lost or doubled when there is room`, async (context) => {
      if (process.getuid?.() !== 0) return context.skip('only root may start a PostgreSQL on a file system of its own')
      const disk = await smallFileSystem(ROOM)
      if (typeof disk === 'string') return context.skip(disk)
      try {
        const scene: Scene = { disk, cluster: await startPostgres({ settings, disk: { ...disk, logElsewhere } }) }
        await fillAndFree(scene, suffer).finally(() => scene.cluster.stop())
      } finally {
        disk.remove()
      }
    })

  async function fillAndFree(scene: Scene, suffer: (suffering: Suffering, type: string, story: string) => Promise<void>): Promise<void> {
    const { disk } = scene
    const { nodes, close } = await startNodes(2, scene.cluster.url())
    try {
      const { id, fields } = await nodes[0]!.table('Orders', { story: 'longtext' })
      const run = load(nodes, String(id))
      for (let round = 0; round < 2; round++) {
        await run.more(20)
        disk.fill(scene.cluster.process.pid!)
        await run.refusal()
        await suffer({ cluster: scene.cluster, nodes, run }, `data${id}`, fields['story']!)
        disk.free(scene.cluster.process.pid!)
        await comesBack(scene, run)
      }
      const done = await run.end()
      const { json } = await nodes[1]!.get(`data${id}?page[limit]=1`)
      assert.deepEqual([json.meta.total, run.strange], [done, []])
      for await (const fault of checkIntegrity(nodes[0]!.store)) assert.fail(fault)
    } finally {
      await close()
    }
  }

  interface Scene {
    readonly disk: SmallDisk
    cluster: Cluster
  }
  interface Suffering {
    readonly cluster: Cluster
    readonly nodes: readonly Service[]
    readonly run: Load
  }

  async function recordsFindNoRoom({ nodes }: Suffering, type: string, story: string): Promise<void> {
    for (const node of nodes) {
      // Does not become shorter by being packed.
      const refused = await node.add(type, { [story]: random.bytes(200_000).toString('hex') })
      assert.deepEqual([refused.status, refused.json.errors[0].code], [503, 'server.disk_full'])
      assert.ok(Number(refused.headers.get('retry-after')) > 0)
      for (const query of ['', '?sort=-add_time', '?page[offset]=15']) assert.equal((await node.get(`${type}${query}`)).status, 200)
    }
  }

  /** Where it cannot write its log it ends; what was refused is asked again until there is room. */
  async function databaseStops({ run, cluster }: Suffering): Promise<void> {
    const client = new pg.Client(cluster.direct())
    const ended = new Promise((resolve) => client.on('error', resolve))
    await client.connect().then(
      async () => {
        const write = () => client.query("SELECT pg_logical_emit_message(false, 'test', repeat('x', 100000))")
        for (let writes = true; writes;)
          writes = await write().then(
            () => true,
            () => false,
          )
        await ended
      },
      // It has ended before, and cannot let in anybody.
      () => undefined,
    )
    for (const before = run.refused(); run.refused() < before + 5;) await run.refusal()
  }

  /** By itself, or because it is started. */
  async function comesBack(scene: Scene, run: Load): Promise<void> {
    let isBack = false
    const back = run.more(20).then(() => (isBack = true))
    while (!isBack) {
      const { exitCode, signalCode } = scene.cluster.process
      if (exitCode !== null || signalCode !== null)
        scene.cluster = await startPostgres({
          settings,
          directory: scene.cluster.directory,
          disk: { ...scene.disk, logElsewhere: false },
        })
      await Promise.race([back, new Promise((next) => setTimeout(next, 50))])
    }
  }
})
