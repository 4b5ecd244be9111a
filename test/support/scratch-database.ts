import { randomBytes } from 'node:crypto'
import { ask, databaseAt, serversOf, TEMPLATE } from '../../scripts/citus-template.mjs'
import type { Distribution } from '../../src/store/postgres/distribution.ts'

/**
 * Databases of their own in the PostgreSQL that scripts/test.mjs started for this run; undefined where the run is about
 * SQLite.
 */
export const cluster = process.env['KARTOTEKA_TEST_DATABASE_URL']

/** How the tables of this run are spread over servers. */
export const distribution = (process.env['KARTOTEKA_TEST_DISTRIBUTION'] ?? '') as Distribution

/** A new, empty database; `drop` ends whatever still uses it. */
export async function scratchDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  if (cluster === undefined) throw new Error('This run has no PostgreSQL: npm test starts one.')
  const name = `test_${randomBytes(8).toString('hex')}`
  const servers = distribution === 'citus' ? await serversOf(cluster) : [cluster]
  const template = distribution === 'citus' ? ` TEMPLATE ${TEMPLATE}` : ''
  await Promise.all(servers.map((server) => ask(server, `CREATE DATABASE ${name}${template}`)))
  return {
    url: distribution === 'citus' ? databaseAt(cluster, name) : cluster.replace('/postgres?', `/${name}?`),
    async drop() {
      for (const server of servers) await ask(server, `DROP DATABASE ${name} WITH (FORCE)`)
    },
  }
}
