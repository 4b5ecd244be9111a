import Database from 'better-sqlite3'
import { join } from 'node:path'
import { startPostgres, type Cluster } from '../../scripts/postgres.mjs'
import { askDatabase } from '../ask-database.ts'
import type { Bench } from '../bench.ts'
import { load } from '../compare.ts'
import { table } from '../markdown.ts'
import type { Question } from '../question.ts'
import { anyId, changeOf } from '../requests.ts'
import { customer, random } from '../seed.ts'
import { ask, commandWith, importArguments, startOurs, stop, type Ours } from '../servers.ts'
import { timesOf } from '../times.ts'

/** Changes of one answer of the cursor, the most that it gives. */
const PAGE = 50
const CONNECTIONS = 16

export const logQuestion: Question = {
  name: 'log',
  says: 'The log of changes: how many bytes does a change take, and how long does a program read until it has all of them?',
  async measure(bench) {
    const cluster = await startPostgres({ settings: ['shared_buffers=128MB'] })
    try {
      const sqlite = await measured(bench, {}, (data) => bytesInFile(join(data, 'kartoteka.sqlite')))
      const shared = await measured(bench, { KARTOTEKA_DATABASE_URL: cluster.url() }, () => bytesIn(cluster))
      const lines = [
        ['SQLite', Math.round(sqlite.created), Math.round(sqlite.changed)],
        [`PostgreSQL ${cluster.version}`, Math.round(shared.created), Math.round(shared.changed)],
      ]
      const head = ['bytes of one, which are MB of a million', 'creation', 'change']
      const walks = [
        ['SQLite', ...sqlite.walk],
        [`PostgreSQL ${cluster.version}`, ...shared.walk],
      ]
      return `${table(head, lines)}\n\n${table(['the cursor, from the first change to the last', 'changes', 'answers', 'seconds', 'changes /s', 'p50 ms', 'p99 ms', 'longest ms'], walks)}`
    } finally {
      await cluster.stop()
    }
  },
}

interface Measured {
  /** Bytes of the log for each creation, its indexes included. */
  readonly created: number
  readonly changed: number
  readonly walk: readonly number[]
}

/** Imports the seed, changes three fields of records, and follows the log from its beginning. */
async function measured(bench: Bench, more: NodeJS.ProcessEnv, bytes: (data: string) => number | Promise<number>): Promise<Measured> {
  const data = join(bench.folder, more['KARTOTEKA_DATABASE_URL'] === undefined ? 'alone' : 'shared')
  await commandWith(more, data, ...importArguments('customers', await bench.csv(1, bench.rows)))
  const { said: token } = await commandWith(more, data, 'token', 'create', '--login', 'admin')
  const created = await bytes(data)
  const ours = await startOurs(data, token.trim(), more)
  try {
    const next = random(1)
    const shots = Array.from({ length: 20_000 }, () => {
      const { phone, status, balance } = customer(bench.rows + anyId(next, 1e6))
      return changeOf(ours.fields, anyId(next, bench.rows), { phone, status, balance })
    })
    await load(bench, ours, CONNECTIONS, shots, 4 * bench.seconds)
    const changed = await bytes(data)
    const changes = await changesOf(ours)
    return { created: created / bench.rows, changed: (changed - created) / changes, walk: await walk(ours) }
  } finally {
    await stop(ours)
  }
}

async function changesOf(ours: Ours): Promise<number> {
  const { meta } = (await ask(ours, "/api/dev/change?filter=and(eq(table_id,1),eq(action,'Update'))&page[limit]=1")) as {
    meta: { total: number }
  }
  return meta.total
}

/** Reads all changes, one answer after the other. */
async function walk(ours: Ours): Promise<readonly number[]> {
  const took: number[] = []
  let changes = 0
  const began = performance.now()
  for (let cursor = ''; ;) {
    const asked = performance.now()
    const { data, meta } = (await ask(ours, `/api/dev/change?page[after]=${cursor}&page[limit]=${PAGE}`)) as {
      data: readonly unknown[]
      meta: { cursor: string; more: boolean }
    }
    took.push(performance.now() - asked)
    changes += data.length
    cursor = meta.cursor
    if (!meta.more) break
  }
  const seconds = (performance.now() - began) / 1000
  const { p50, p99, most } = timesOf(took)
  return [changes, took.length, seconds, changes / seconds, p50, p99, most]
}

/** Of the log, with its indexes. */
function bytesInFile(path: string): number {
  const database = new Database(path, { readonly: true })
  try {
    return Number(
      database
        .prepare("SELECT coalesce(sum(pgsize), 0) FROM dbstat WHERE aggregate = 1 AND name IN ('changes', 'changes_by_record')")
        .pluck()
        .get(),
    )
  } finally {
    database.close()
  }
}

async function bytesIn(cluster: Cluster): Promise<number> {
  const [row] = await askDatabase(cluster, "SELECT sum(pg_total_relation_size(relid)) AS size FROM pg_partition_tree('changes')")
  return Number(row!['size'])
}
