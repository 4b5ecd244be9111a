import { join } from 'node:path'
import type { Cluster } from '../../scripts/postgres.mjs'
import type { Bench } from '../bench.ts'
import { load, median, outcome } from '../compare.ts'
import type { Shot } from '../load.ts'
import { cpuOf, cpuOfFamily } from '../machine.ts'
import { makeIndex } from '../make-index.ts'
import { table } from '../markdown.ts'
import { overPostgres } from '../over-postgres.ts'
import type { Question } from '../question.ts'
import { anyId, changeOf, create } from '../requests.ts'
import { customer, random, type Column } from '../seed.ts'
import { ask, startOurs, stop, type Ours } from '../servers.ts'

/** Those over texts last, so that writes are measured without them as well. */
const OVER_VALUES: readonly (readonly [kind: string, column: Column])[] = [
  ['order', 'name'],
  ['order', 'email'],
  ['order', 'phone'],
  ['order', 'balance'],
  ['order_desc', 'balance'],
  ['order', 'created'],
  ['value', 'status'],
  ['order', 'manager'],
]
const OVER_TEXTS: readonly Column[] = ['name', 'email', 'phone', 'notes']

/** Clients at a time, and writes after which indexes over texts are brought up to date. */
const CLIENTS = 64
const WRITES = 5_000
/** Seconds for which a server does nothing when it has nothing to do, and the share of a core that counts as nothing. */
const QUIET = 0.5
const AT_REST = 0.04

export const indexesQuestion: Question = {
  name: 'indexes',
  says: 'What does an index cost: on disk, while it is made, and when records are written?',
  measure: (bench) =>
    bench.store === 'postgres'
      ? overPostgres(bench, join(bench.folder, 'postgres'), ({ data, token, more, cluster }) => measured(bench, data, token, more, cluster))
      : bench.withData(bench.rows, ({ data, token }) => measured(bench, data, token)),
}

async function measured(bench: Bench, data: string, token: string, more: NodeJS.ProcessEnv = {}, cluster?: Cluster): Promise<string> {
  const ours = await startOurs(data, token, more)
  try {
    const scene = { bench, ours, cluster, round: 0 }
    const used = () => cpuOf(ours.child.pid!) + (cluster ? cpuOfFamily(cluster.process.pid!) : 0)
    const made: string[][] = []
    const make = async (kind: string, column: Column) => {
      const before = used()
      const size = await makeIndex(ours, kind, column)
      made.push([`\`${kind}\` of ${column}`, (size / bench.rows).toFixed(0), (used() - before).toFixed(1)])
    }
    const lines = [['none', ...(await writes(scene))]]
    for (const [kind, column] of OVER_VALUES) await make(kind, column)
    lines.push([`${OVER_VALUES.length} over values`, ...(await writes(scene))])
    for (const column of OVER_TEXTS) await make('text', column)
    lines.push([`${OVER_TEXTS.length} over texts more`, ...(await writes(scene))])
    const tables = [
      table(['index', 'bytes of each record', 'making it, s of CPU'], made),
      `CPU µs of a request, ${CLIENTS} clients at a time${cluster ? ', with that of the database' : ''}:`,
      table(['indexes', 'create', 'change of the e-mail address', 'of the longer text', 'of the decimal'], lines),
    ]
    // PostgreSQL updates indexes over texts with each write.
    return [...tables, ...(cluster ? [`PostgreSQL ${cluster.version}.`] : await later(scene))].join('\n\n')
  } finally {
    await stop(ours)
  }
}

async function later(scene: Scene): Promise<readonly string[]> {
  const lines = [
    ['new', await takenIn(scene, (i) => create(scene, 40_000_000 + i).ours, true)],
    ['with another name', await takenIn(scene, (i) => changed(scene, 1 + i, 'name', i), false)],
    ['with another longer text', await takenIn(scene, (i) => changed(scene, 1 + i, 'notes', i), false)],
  ] as const
  return [
    'CPU µs to take a record into all indexes over texts, when a list asks after many writes:',
    table(
      ['record', 'µs'],
      lines.map(([says, micros]) => [says, micros.toFixed(0)]),
    ),
  ]
}

interface Scene {
  readonly bench: Bench
  readonly ours: Ours
  readonly cluster: Cluster | undefined
  round: number
}

/** CPU of each kind of write, medians over the rounds. */
async function writes(scene: Scene): Promise<string[]> {
  const kinds: ((i: number) => Shot)[] = [
    (i) => create(scene, 20_000_000 + scene.round * 100_000 + i).ours,
    ...(['email', 'notes', 'balance'] as const).map((column) => (i: number) => changed(scene, undefined, column, i)),
  ]
  const cells: string[] = []
  for (const kind of kinds) {
    const rounds: number[] = []
    for (let round = 0; round <= scene.bench.rounds; round++) {
      const shots = Array.from({ length: 10_000 }, (_, i) => kind(i))
      scene.round++
      const { cpu } = await outcome(scene.bench, scene.ours, CLIENTS, shots, scene.bench.seconds, scene.cluster)
      if (round > 0) rounds.push(cpu)
    }
    cells.push(median(rounds).toFixed(0))
  }
  return cells
}

/** A record, any where none is named, gets a value of another customer. */
function changed({ bench, ours, round }: Scene, id: number | undefined, column: Column, i: number): Shot {
  const next = random(round * 1_000_003 + i)
  return changeOf(ours.fields, id ?? anyId(next, bench.rows), { [column]: customer(30_000_000 + round * 100_000 + i)[column] })
}

/** Microseconds of CPU for each of many records that were written, when the indexes over texts are brought up to date. */
async function takenIn(scene: Scene, write: (i: number) => Shot, isNew: boolean): Promise<number> {
  const { bench, ours } = scene
  await lookedFor(ours)
  scene.round++
  const shots = Array.from({ length: WRITES }, (_, i) => write(i))
  const { all } = await load(bench, ours, CLIENTS, shots)
  const before = cpuOf(ours.child.pid!)
  await lookedFor(ours)
  return ((cpuOf(ours.child.pid!) - before) * 1e6) / (isNew ? all.count : Math.min(all.count, WRITES))
}

/** Asks for what is in no text, and until nothing is done about it any more. */
async function lookedFor(ours: Ours): Promise<void> {
  for (const column of OVER_TEXTS) await ask(ours, `/api/dev/data1?filter=contains(${ours.fields[column]},'qzx')`)
  for (let last = 0, now = cpuOf(ours.child.pid!); now - last > QUIET * AT_REST;) {
    await new Promise((next) => setTimeout(next, QUIET * 1000))
    ;[last, now] = [now, cpuOf(ours.child.pid!)]
  }
}
