import { randomBytes } from 'node:crypto'
import pg from 'pg'

/**
 * Databases of their own in the PostgreSQL that scripts/test.mjs started for this run; undefined where the run is about
 * SQLite.
 */
export const cluster = process.env['KARTOTEKA_TEST_DATABASE_URL']

/** A new, empty database; `drop` ends whatever still uses it. */
export async function scratchDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  if (cluster === undefined) throw new Error('This run has no PostgreSQL: npm test starts one.')
  const name = `test_${randomBytes(8).toString('hex')}`
  await administer(`CREATE DATABASE ${name}`)
  return {
    url: cluster.replace('/postgres?', `/${name}?`),
    drop: () => administer(`DROP DATABASE ${name} WITH (FORCE)`),
  }
}

async function administer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: cluster })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
