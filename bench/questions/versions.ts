import { join } from 'node:path'
import { startPostgres, type Cluster } from '../../scripts/postgres.mjs'
import type { Bench } from '../bench.ts'
import { median } from '../compare.ts'
import type { Shot } from '../load.ts'
import { cpuOfFamily, familyOf } from '../machine.ts'
import { percent, table, verdict } from '../markdown.ts'
import type { Question } from '../question.ts'
import { anyId, change, create, oneRecord, twins } from '../requests.ts'
import { commandOf, importArguments, program, startOurs, stop, type Ours } from '../servers.ts'

/** The least speed of this version, compared with the other one. */
const BAR = 0.85
const CONNECTIONS = 64

export const versionsQuestion: Question = {
  name: 'versions',
  says: 'Is this version as fast as the one in another folder (--other)? Both in turns, each on a store of its own.',
  async measure(bench) {
    if (bench.other === undefined) throw new Error('--other takes the folder of another checkout that has its dependencies.')
    const programs = [program, join(bench.other, 'bin/kartoteka.mjs')] as const
    const lines = [...(await compared(bench, programs, 'SQLite')), ...(await compared(bench, programs, 'PostgreSQL'))]
    const head = ['store', 'request', 'this /s', 'other /s', 'ratio', 'this, CPU µs', 'other, CPU µs', 'ratio of CPU', 'bar']
    return `${table(head, lines)}\n\n${CONNECTIONS} connections; medians of ${bench.rounds} rounds of ${bench.seconds} s each, of ratios too. Over PostgreSQL the processor time is that of the database, too.`
  },
}

/** One version that runs. */
interface Running {
  readonly server: Ours
  readonly cluster: Cluster | undefined
}

async function compared(bench: Bench, programs: readonly [string, string], store: string): Promise<(string | number)[][]> {
  const running: Running[] = []
  try {
    for (const [i, from] of programs.entries()) running.push(await begun(bench, from, store, i))
    const [ours, other] = running as [Running, Running]
    const lines: (string | number)[][] = []
    for (const [says, shots] of Object.entries(requests(bench))) {
      const rounds: (readonly [Outcome, Outcome])[] = []
      for (let round = 0; round <= bench.rounds; round++) {
        const [one, two] = round % 2 === 0 ? [ours, other] : [other, ours]
        const first = await outcome(bench, one, shots(one.server, round))
        const second = await outcome(bench, two, shots(two.server, round))
        // The first round warms them up.
        if (round > 0) rounds.push(one === ours ? [first, second] : [second, first])
      }
      const of = (pick: (round: readonly [Outcome, Outcome]) => number) => median(rounds.map(pick))
      const ratio = of(([one, two]) => one.perSecond / two.perSecond)
      lines.push([
        store,
        says,
        of(([one]) => one.perSecond),
        of(([, two]) => two.perSecond),
        percent(ratio),
        of(([one]) => one.cpu),
        of(([, two]) => two.cpu),
        percent(of(([one, two]) => two.cpu / one.cpu)),
        verdict(`≥ ${percent(BAR)}`, ratio >= BAR),
      ])
    }
    return lines
  } finally {
    for (const { server, cluster } of running) {
      await stop(server)
      await cluster?.stop()
    }
  }
}

/** The same for both versions, in each round others. */
const requests = ({ rows }: Bench): Readonly<Record<string, (ours: Ours, round: number) => Shot[]>> => ({
  create: (ours, round) => Array.from({ length: 10_000 }, (_, i) => create({ ours }, 20_000_000 + 100_000 * round + i).ours),
  change: (ours, round) =>
    twins(10_000, round, (next) => change({ ours }, anyId(next, rows), 30_000_000 + anyId(next, 1e6))).map((twin) => twin.ours),
  'one record': (_, round) => twins(10_000, round, (next) => oneRecord(anyId(next, rows))).map((twin) => twin.ours),
})

async function begun(bench: Bench, from: string, store: string, i: number): Promise<Running> {
  const cluster = store === 'SQLite' ? undefined : await startPostgres({ settings: ['shared_buffers=256MB'], onDisk: true })
  const more = cluster ? { KARTOTEKA_DATABASE_URL: cluster.url() } : {}
  const data = join(bench.folder, `${store}-${i}`)
  await commandOf(from, more, data, ...importArguments('customers', await bench.csv(1, bench.rows)))
  const { said: token } = await commandOf(from, more, data, 'token', 'create', '--login', 'admin')
  return { server: await startOurs(data, token.trim(), more, from), cluster }
}

interface Outcome {
  readonly perSecond: number
  /** Microseconds for each request. */
  readonly cpu: number
}

async function outcome(bench: Bench, { server, cluster }: Running, shots: readonly Shot[]): Promise<Outcome> {
  const roots = [server.child.pid!, ...(cluster ? [cluster.process.pid!] : [])]
  const used = () => roots.reduce((sum, pid) => sum + cpuOfFamily(pid), 0)
  const before = used()
  const { perSecond, all } = await bench.neighbours.during([...roots.flatMap(familyOf), bench.loader.pid, process.pid], () =>
    bench.loader.run({ port: server.port, token: server.token, connections: CONNECTIONS, seconds: bench.seconds, shots }),
  )
  return { perSecond, cpu: ((used() - before) * 1e6) / all.count }
}
