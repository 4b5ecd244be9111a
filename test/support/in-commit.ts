import pg from 'pg'
import type { CitusServer } from '../../scripts/citus-cluster.mjs'

/** Until a server of a Citus cluster has prepared a write: what waits for the second phase of a commit. */
export async function inCommit(server: CitusServer): Promise<void> {
  const client = new pg.Client(server.url)
  client.on('error', () => undefined)
  await client.connect()
  while ((await client.query(prepared)).rows.length === 0);
  void client.end().catch(() => undefined)
}

export const prepared = 'SELECT 1 FROM pg_prepared_xacts'
