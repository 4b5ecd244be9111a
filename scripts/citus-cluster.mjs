/* A Citus cluster on this machine: a coordinator and workers, each a PostgreSQL of its own on 127.0.0.1. */
import { existsSync, readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { ask } from './citus-template.mjs'
import { fast, startPostgres } from './postgres.mjs'
import { SetupFailure } from './setup.mjs'

/** `onDisk`: every commit is waited for, as in earnest. `url` is that of the coordinator. */
export async function startCitus({ workers = 2, shards = 4, onDisk = false, settings = ['shared_buffers=128MB'] } = {}) {
  process.env.KARTOTEKA_TEST_POSTGRES ??= programsWithCitus()
  const all = [...(onDisk ? [] : fast), 'max_prepared_transactions=200', 'max_connections=300', 'max_worker_processes=100', ...settings]
  const nodes = []
  for (let i = 0; i <= workers; i++) {
    const port = await freePort()
    const own = ['listen_addresses=127.0.0.1', `port=${port}`, 'shared_preload_libraries=citus', `citus.shard_count=${shards}`]
    const settingsOfNode = [...all, ...own]
    const node = await startPostgres({ settings: settingsOfNode, onDisk })
    nodes.push({ port, node, settings: settingsOfNode, url: `postgres://kartoteka@127.0.0.1:${port}/postgres` })
    await ask(nodes.at(-1).url, 'CREATE EXTENSION citus')
  }
  const [coordinator, ...others] = nodes
  await ask(coordinator.url, `SELECT citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`)
  for (const { port } of others) await ask(coordinator.url, `SELECT citus_add_node('127.0.0.1', ${port})`)
  return {
    url: coordinator.url,
    version: coordinator.node.version,
    servers: nodes.map((server) => ({
      url: server.url,
      halt: (signal) => server.node.halt(signal),
      async restart() {
        server.node = await startPostgres({ settings: server.settings, directory: server.node.directory })
      },
    })),
    async stop() {
      for (const { node } of nodes) await node.stop()
    },
  }
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
