import { join } from 'node:path'
import { startCitus } from '../../scripts/citus-cluster.mjs'
import type { Bench } from '../bench.ts'
import { median } from '../compare.ts'
import type { Shot } from '../load.ts'
import { table } from '../markdown.ts'
import type { Question } from '../question.ts'
import { anyId, change, create, pathOf } from '../requests.ts'
import { random } from '../seed.ts'
import { commandWith, importArguments, startOurs, stop, type Ours } from '../servers.ts'

const SETTINGS = ['shared_buffers=256MB']
const SHARDS = 4

type Kind = readonly [says: string, connections: number, shots: (bench: Bench, ours: Ours) => readonly Shot[]]

const many = (count: number, seed: number, shot: (next: () => number) => Shot): Shot[] => {
  const next = random(seed)
  return Array.from({ length: count }, () => shot(next))
}
const creates =
  (from: number): Kind[2] =>
  (_, ours) =>
    Array.from({ length: 10_000 }, (_one, i) => create({ ours }, from + i).ours)

const kinds: readonly Kind[] = [
  ['one record', 16, ({ rows }) => many(10_000, 7, (next) => ({ kind: 'one', path: `/api/dev/data1/${anyId(next, rows)}` }))],
  ['page of 20 and total', 16, (_, { fields }) => [{ kind: 'page', path: pathOf(fields, 'all', [], 0) }]],
  [
    'the same at any offset',
    16,
    ({ rows }, { fields }) =>
      many(1_000, 8, (next) => ({ kind: 'page', path: pathOf(fields, 'all', [], Math.floor(next() * (rows - 20))) })),
  ],
  ['create', 16, creates(21_000_000)],
  ['create', 64, creates(22_000_000)],
  ['change', 16, ({ rows }, ours) => many(10_000, 9, (next) => change({ ours }, anyId(next, rows), 30_000_000 + anyId(next, 1e6)).ours)],
]

export const citusQuestion: Question = {
  name: 'citus',
  says: 'Over Citus: what do one and two workers cost and bring, against one PostgreSQL?',
  async measure(bench) {
    const columns = [await measured(bench, 0), await measured(bench, 1), await measured(bench, 2)]
    const lines = kinds.map(([says, connections], i) => [says, String(connections), ...columns.map((column) => column[i]!)])
    return table(['requests a second', 'connections', 'one PostgreSQL', 'Citus, 1 worker', 'Citus, 2 workers'], lines)
  },
}

/** The rate of each kind of request; without workers, over the coordinator as a PostgreSQL like any other. */
async function measured(bench: Bench, workers: number): Promise<number[]> {
  const cluster = await startCitus({ workers, shards: SHARDS, settings: SETTINGS, onDisk: true })
  const more = { KARTOTEKA_DATABASE_URL: cluster.url, ...(workers > 0 && { KARTOTEKA_DISTRIBUTION: 'citus' }) }
  const data = join(bench.folder, `citus-${workers}`)
  let ours: Ours | undefined
  try {
    await commandWith(more, data, ...importArguments('customers', await bench.csv(1, bench.rows)))
    const { said: token } = await commandWith(more, data, 'token', 'create', '--login', 'admin')
    ours = await startOurs(data, token.trim(), more)
    const rates: number[] = []
    for (const [, connections, shotsOf] of kinds) rates.push(await rate(bench, ours, connections, shotsOf(bench, ours)))
    return rates
  } finally {
    if (ours) await stop(ours)
    await cluster.stop()
  }
}

/** The median over the rounds, one more before them. */
async function rate(bench: Bench, { port, token }: Ours, connections: number, shots: readonly Shot[]): Promise<number> {
  const rounds: number[] = []
  for (let round = 0; round <= bench.rounds; round++) {
    const { perSecond } = await bench.loader.run({ port, token, connections, seconds: bench.seconds, shots })
    if (round > 0) rounds.push(perSecond)
  }
  return median(rounds)
}
