/*
 * npm run citus [-- --workers 2] [--shards 4] [--disk]: a Citus cluster on this machine, for tests and measurements: a coordinator and workers,
 * each a PostgreSQL of its own on 127.0.0.1. It prints the address to give to KARTOTEKA_TEST_CITUS_URL and runs until it is
 * told to stop; then nothing is left of it. --disk: every commit is waited for, as in earnest. Citus must be installed
 * beside the PostgreSQL (docs/citus.md); KARTOTEKA_TEST_POSTGRES names the folder of its programs.
 */
import { existsSync, readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { fast, startPostgres } from './postgres.mjs'
import { ensureDependencies, orExplain, SetupFailure } from './setup.mjs'

const { values } = parseArgs({
  options: {
    workers: { type: 'string', default: '2' },
    shards: { type: 'string', default: '4' },
    disk: { type: 'boolean', default: false },
  },
})
orExplain(() => ensureDependencies({ development: true }))
process.env.KARTOTEKA_TEST_POSTGRES ??= orExplain(programsWithCitus)
const { ask } = await import('./citus-template.mjs')

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(0))
const nodes = []
for (let i = 0; i <= Number(values.workers); i++) nodes.push(await startNode())
const [coordinator, ...workers] = nodes
for (const node of nodes) await ask(urlOf(node), 'CREATE EXTENSION citus')
await ask(urlOf(coordinator), `SELECT citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`)
for (const { port } of workers) await ask(urlOf(coordinator), `SELECT citus_add_node('127.0.0.1', ${port})`)
console.log(
  `A coordinator and ${workers.length} worker${workers.length === 1 ? '' : 's'}:\n\n  KARTOTEKA_TEST_CITUS_URL=${urlOf(coordinator)}`,
)

async function startNode() {
  const port = await freePort()
  const own = ['listen_addresses=127.0.0.1', `port=${port}`, 'shared_preload_libraries=citus', `citus.shard_count=${values.shards}`]
  const room = ['max_prepared_transactions=200', 'max_connections=300', 'max_worker_processes=100', 'shared_buffers=128MB']
  await startPostgres({ settings: [...(values.disk ? [] : fast), ...room, ...own], onDisk: values.disk })
  return { port }
}

function urlOf({ port }) {
  return `postgres://kartoteka@127.0.0.1:${port}/postgres`
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}

/** Where Debian and its kin put them. @throws SetupFailure */
function programsWithCitus() {
  const system = '/usr/lib/postgresql'
  const versions = existsSync(system) ? readdirSync(system).sort((one, other) => Number(other) - Number(one)) : []
  const found = versions.find((version) => existsSync(join(system, version, 'lib', 'citus.so')))
  if (!found) throw new SetupFailure('There is no PostgreSQL with Citus here; docs/citus.md tells how to build it.')
  return join(system, found, 'bin')
}
