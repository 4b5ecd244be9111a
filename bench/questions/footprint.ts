import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { startPostgres, type Cluster } from '../../scripts/postgres.mjs'
import { askDatabase } from '../ask-database.ts'
import type { Bench } from '../bench.ts'
import { memoryOf } from '../machine.ts'
import { makeIndex } from '../make-index.ts'
import { table } from '../markdown.ts'
import type { Question } from '../question.ts'
import type { Column } from '../seed.ts'
import { command, commandWith, importArguments, startOurs, stop } from '../servers.ts'

const INDEXES: readonly (readonly [kind: string, column: Column])[] = [
  ['order', 'balance'],
  ['order', 'email'],
  ['text', 'name'],
  ['text', 'notes'],
]

export const footprintQuestion: Question = {
  name: 'footprint',
  says: 'How many bytes of disk does a record take, with and without indexes, and the process of memory?',
  async measure(bench) {
    const csv = await bench.csv(1, bench.rows)
    const cluster = await startPostgres({ settings: ['shared_buffers=128MB'] })
    try {
      const more = { KARTOTEKA_DATABASE_URL: cluster.url() }
      const sqlite = await measured(bench, csv, {}, (data) => bytesOf(join(data, 'kartoteka.sqlite')))
      const shared = await measured(bench, csv, more, () => sizeIn(cluster))
      const each = (bytes: number | undefined) => (bytes === undefined ? '' : Math.round(bytes / bench.rows))
      const lines = [
        ['the CSV file', each(bytesOf(csv)), each(bytesOf(csv))],
        ['the whole database', each(sqlite.whole), each(shared.whole)],
        ...INDEXES.map(([kind, column], i) => [`index ${kind} of ${column}`, each(sqlite.indexes[i]), each(shared.indexes[i])]),
        ['a backup (`kartoteka backup`)', each(sqlite.backup), ''],
        ['memory of the process, MiB in all', sqlite.memory, shared.memory],
      ]
      return `${table(['bytes of each record', 'SQLite', `PostgreSQL ${cluster.version}`], lines)}`
    } finally {
      await cluster.stop()
    }
  },
}

interface Room {
  readonly whole: number
  readonly indexes: readonly number[]
  readonly memory: number
  readonly backup?: number
}

async function measured(
  bench: Bench,
  csv: string,
  more: NodeJS.ProcessEnv,
  size: (data: string) => number | Promise<number>,
): Promise<Room> {
  const data = join(bench.folder, more['KARTOTEKA_DATABASE_URL'] === undefined ? 'alone' : 'shared')
  await commandWith(more, data, ...importArguments('customers', csv))
  const { said: token } = await commandWith(more, data, 'token', 'create', '--login', 'admin')
  const whole = await size(data)
  const ours = await startOurs(data, token.trim(), more)
  try {
    const indexes: number[] = []
    for (const [kind, column] of INDEXES) indexes.push(await makeIndex(ours, kind, column))
    const memory = memoryOf(ours.child.pid!)
    if (more['KARTOTEKA_DATABASE_URL'] !== undefined) return { whole, indexes, memory }
    const copy = join(bench.folder, 'backup')
    await command(data, 'backup', copy)
    return { whole, indexes, memory, backup: bytesOf(copy) }
  } finally {
    await stop(ours)
  }
}

/** Of a file, or of all in a folder. */
function bytesOf(path: string): number {
  const found = statSync(path)
  return found.isDirectory() ? readdirSync(path).reduce((sum, name) => sum + bytesOf(join(path, name)), 0) : found.size
}

async function sizeIn(cluster: Cluster): Promise<number> {
  const [row] = await askDatabase(cluster, 'SELECT pg_database_size(current_database()) AS size')
  return Number(row!['size'])
}
