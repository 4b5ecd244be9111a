import pg from 'pg'
import type { Cluster } from '../scripts/postgres.mjs'

/** Runs statements on the database of a cluster, not through a pooler. Returns the rows of the last one. */
export async function askDatabase(cluster: Cluster, ...statements: readonly string[]): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(cluster.direct())
  await client.connect()
  try {
    let rows: Record<string, unknown>[] = []
    for (const statement of statements) ({ rows } = await client.query(statement))
    return rows
  } finally {
    await client.end()
  }
}
