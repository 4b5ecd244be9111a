import { spawnSync } from 'node:child_process'
import { chownSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { startPostgres, type Cluster } from '../../scripts/postgres.mjs'

/** The answer of the last statement. */
export async function ask(cluster: Cluster, ...statements: string[]): Promise<pg.QueryResult> {
  const client = new pg.Client(cluster.direct())
  await client.connect()
  let answer: pg.QueryResult
  for (const statement of statements) answer = await client.query(statement)
  await client.end()
  return answer!
}

/** One address of several servers. */
export const addressOf = (...clusters: readonly Cluster[]): string =>
  clusters[0]!
    .url()
    .replace('localhost', clusters.map(({ host }) => encodeURIComponent(host)).join())
    .replace(/\?.*/, '')

/** A copy that follows the first, made as pg_basebackup makes one. */
export async function standbyOf(first: Cluster): Promise<Cluster> {
  const directory = `${first.directory}-standby`
  const data = join(directory, 'data')
  const client = new pg.Client(first.direct())
  await client.connect()
  // Other names until PostgreSQL 14.
  const [start, stop] =
    Number(first.version) < 15
      ? ["pg_start_backup('standby', true, false)", 'pg_stop_backup(false)']
      : ["pg_backup_start('standby', true)", 'pg_backup_stop(false)']
  await client.query(`SELECT ${start}`)
  spawnSync('cp', ['-a', first.directory, directory])
  const { rows } = await client.query(`SELECT labelfile FROM ${stop}`)
  await client.end()
  const { uid, gid } = statSync(data)
  for (const [name, text] of [
    ['backup_label', (rows[0] as { labelfile: string }).labelfile],
    ['standby.signal', ''],
    ['postgresql.auto.conf', `primary_conninfo = 'host=${first.directory} user=kartoteka'\n`],
  ] as const) {
    writeFileSync(join(data, name), text)
    chownSync(join(data, name), uid, gid)
  }
  for (const name of ['data/postmaster.pid', '.s.PGSQL.5432', '.s.PGSQL.5432.lock']) rmSync(join(directory, name), { force: true })
  return startPostgres({ settings: [], directory })
}
