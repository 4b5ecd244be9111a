import { randomBytes } from 'node:crypto'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { ask, databaseAt, serversOf, TEMPLATE } from '../../scripts/citus-template.mjs'
import { DATABASE, hasDatabase } from '../../src/store/files/data-directory.ts'
import type { Distribution } from '../../src/store/postgres/distribution.ts'

/**
 * Databases of their own in the PostgreSQL that scripts/test.mjs started for this run; undefined where the run is about
 * SQLite.
 */
export const cluster = process.env['KARTOTEKA_TEST_DATABASE_URL']

/** How the tables of this run are spread over servers. */
export const distribution = (process.env['KARTOTEKA_TEST_DISTRIBUTION'] ?? '') as Distribution

/** Databases of this run that have all tables and are in no use: one to name after TEMPLATE, not over Citus, and a file of SQLite. */
const laidOut = { database: process.env['KARTOTEKA_TEST_TEMPLATE_DATABASE'], file: process.env['KARTOTEKA_TEST_TEMPLATE_FILE'] }

/** Puts a database with all tables into a directory that has none, so that its first start makes none. Without a template: nothing. */
export function layOutFile(directory: string): void {
  if (laidOut.file !== undefined && !hasDatabase(directory)) copyFileSync(laidOut.file, join(directory, DATABASE))
}

/** A new database, empty or with all tables; `drop` ends whatever still uses it. */
export async function scratchDatabase({ isLaidOut = false } = {}): Promise<{ url: string; drop(): Promise<void> }> {
  if (cluster === undefined) throw new Error('This run has no PostgreSQL: npm test starts one.')
  const name = `test_${randomBytes(8).toString('hex')}`
  const servers = distribution === 'citus' ? await serversOf(cluster) : [cluster]
  const template = distribution === 'citus' ? TEMPLATE : isLaidOut ? laidOut.database : undefined
  const copied = template === undefined ? '' : ` TEMPLATE ${template}`
  await Promise.all(servers.map((server) => ask(server, `CREATE DATABASE ${name}${copied}`)))
  return {
    url: distribution === 'citus' ? databaseAt(cluster, name) : cluster.replace('/postgres?', `/${name}?`),
    async drop() {
      for (const server of servers) await ask(server, `DROP DATABASE ${name} WITH (FORCE)`)
    },
  }
}
