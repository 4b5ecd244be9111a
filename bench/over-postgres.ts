/** An installation over a PostgreSQL of its own, with the records of the bench. */
import { startPostgres, type Cluster } from '../scripts/postgres.mjs'
import { askDatabase } from './ask-database.ts'
import type { Bench } from './bench.ts'
import { commandOf, importArguments, program } from './servers.ts'

export interface Installed {
  readonly data: string
  readonly token: string
  /** What tells a process where the database is. */
  readonly more: NodeJS.ProcessEnv
  readonly cluster: Cluster
}

/** As durable as PostgreSQL is by default. `data`: a directory that is not there yet; `by`: the program that imports the records. */
export async function overPostgres<T>(
  bench: Bench,
  data: string,
  work: (installed: Installed) => Promise<T>,
  by: string = program,
): Promise<T> {
  const cluster = await startPostgres({ settings: ['shared_buffers=512MB'], onDisk: true })
  try {
    const more = { KARTOTEKA_DATABASE_URL: cluster.url() }
    await commandOf(by, more, data, ...importArguments('customers', await bench.csv(1, bench.rows)))
    const { said } = await commandOf(by, more, data, 'token', 'create', '--login', 'admin')
    await askDatabase(cluster, 'VACUUM ANALYZE')
    return await work({ data, token: said.trim(), more, cluster })
  } finally {
    await cluster.stop()
  }
}
