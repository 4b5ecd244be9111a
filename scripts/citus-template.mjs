/* Databases of a Citus cluster for tests: each is a copy, on every server, of one that has the extension and knows the others. */
import pg from 'pg'

export const TEMPLATE = 'kartoteka_template'

/** The addresses of all servers, that of the coordinator first. `url` names a database there that has the extension. */
export async function serversOf(url) {
  const found = await ask(url, 'SELECT nodename, nodeport FROM pg_dist_node WHERE groupid <> 0 ORDER BY nodeid')
  return [
    url,
    ...found.rows.map(({ nodename, nodeport }) => Object.assign(new URL(url), { hostname: nodename, port: String(nodeport) }).href),
  ]
}

/** Once for a cluster: another run may be copying it. */
export async function makeTemplate(url) {
  const servers = await serversOf(url)
  const made = `SELECT 1 FROM pg_database WHERE datname = '${TEMPLATE}' AND NOT datallowconn`
  if ((await Promise.all(servers.map((server) => ask(server, made)))).every(({ rows }) => rows.length > 0)) return
  const [coordinator, ...workers] = servers.map((server) => databaseAt(server, TEMPLATE))
  for (const server of servers) {
    const [{ known }] = (await ask(server, `SELECT count(*) AS known FROM pg_database WHERE datname = '${TEMPLATE}'`)).rows
    if (Number(known) > 0) await ask(server, `DROP DATABASE ${TEMPLATE} WITH (FORCE)`)
    await ask(server, `CREATE DATABASE ${TEMPLATE}`)
    await ask(databaseAt(server, TEMPLATE), 'CREATE EXTENSION citus')
  }
  const { hostname, port } = new URL(coordinator)
  await ask(coordinator, `SELECT citus_set_coordinator_host('${hostname}', ${port})`)
  for (const worker of workers) await ask(coordinator, `SELECT citus_add_node('${new URL(worker).hostname}', ${new URL(worker).port})`)
  // What Citus runs beside keeps the database busy, which a copy cannot have.
  for (const server of servers) {
    await ask(server, `ALTER DATABASE ${TEMPLATE} WITH ALLOW_CONNECTIONS false`)
    await ask(server, `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '${TEMPLATE}'`)
  }
}

/** The address of another database of the same server. */
export function databaseAt(url, database) {
  return Object.assign(new URL(url), { pathname: `/${database}` }).href
}

export async function ask(url, statement) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await client.query(statement)
  } finally {
    await client.end()
  }
}
