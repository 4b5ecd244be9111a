import { join } from 'node:path'
import { startPostgres, type Cluster } from '../../scripts/postgres.mjs'
import type { Bench } from '../bench.ts'
import { median, outcome, type Outcome } from '../compare.ts'
import type { Shot } from '../load.ts'
import { percent, table, verdict } from '../markdown.ts'
import type { Question } from '../question.ts'
import { anyId, change, create, twins } from '../requests.ts'
import { commandOf, importArguments, program, programIn, startOurs, stop, type Ours } from '../servers.ts'

/** The least speed of this version, compared with the other one. */
const BAR = 0.85
const CONNECTIONS = 64
/** How often both are started: some processes are slower than others of the same program for as long as they run. */
const STARTS = 5

export const versionsQuestion: Question = {
  name: 'versions',
  says: 'Is this version as fast as the one in another folder (--other)? Both in turns, each on a store of its own.',
  async measure(bench) {
    if (bench.other === undefined) throw new Error('--other takes the folder of another checkout that has its dependencies.')
    const programs = [program, programIn(bench.other)] as const
    const lines = [...(await compared(bench, programs, 'SQLite')), ...(await compared(bench, programs, 'PostgreSQL'))]
    const head = ['store', 'request', 'this /s', 'other /s', 'ratio', 'this, CPU µs', 'other, CPU µs', 'ratio of CPU', 'bar']
    return `${table(head, lines)}\n\n${CONNECTIONS} connections; medians of ${STARTS * bench.rounds} rounds of ${bench.seconds} s each, of ratios too; both were started ${STARTS} times. Over PostgreSQL the processor time is that of the database, too.`
  },
}

type Programs = readonly [ours: string, other: string]

/** One version that runs. */
interface Running {
  readonly server: Ours
  readonly cluster: Cluster | undefined
}

type Round = readonly [ours: Outcome, other: Outcome]

async function compared(bench: Bench, programs: Programs, store: string): Promise<(string | number)[][]> {
  const rounds = new Map<string, Round[]>()
  for (let start = 0; start < STARTS; start++) await once(bench, programs, store, start, rounds)
  return [...rounds].map(([says, all]) => {
    const of = (pick: (round: Round) => number) => median(all.map(pick))
    const ratio = of(([ours, other]) => ours.perSecond / other.perSecond)
    return [
      store,
      says,
      of(([ours]) => ours.perSecond),
      of(([, other]) => other.perSecond),
      percent(ratio),
      of(([ours]) => ours.cpu),
      of(([, other]) => other.cpu),
      percent(of(([ours, other]) => other.cpu / ours.cpu)),
      verdict(`≥ ${percent(BAR)}`, ratio >= BAR),
    ]
  })
}

/** Starts both, on new stores, and measures rounds. */
async function once(bench: Bench, programs: Programs, store: string, start: number, rounds: Map<string, Round[]>): Promise<void> {
  const running: Running[] = []
  try {
    for (const [i, from] of programs.entries()) running.push(await begun(bench, from, store, `${store}-${start}-${i}`))
    const [ours, other] = running as [Running, Running]
    for (const [says, shots] of Object.entries(requests(bench))) {
      for (let round = 0; round <= bench.rounds; round++) {
        // Who comes first changes from round to round.
        const [one, two] = round % 2 === 0 ? [ours, other] : [other, ours]
        const first = await measured(bench, one, shots(one.server, round))
        const second = await measured(bench, two, shots(two.server, round))
        // The first round warms them up.
        if (round > 0) rounds.set(says, [...(rounds.get(says) ?? []), one === ours ? [first, second] : [second, first]])
      }
    }
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
})

async function begun(bench: Bench, from: string, store: string, folder: string): Promise<Running> {
  const cluster = store === 'SQLite' ? undefined : await startPostgres({ settings: ['shared_buffers=256MB'], onDisk: true })
  const more = cluster ? { KARTOTEKA_DATABASE_URL: cluster.url() } : {}
  const data = join(bench.folder, folder)
  await commandOf(from, more, data, ...importArguments('customers', await bench.csv(1, bench.rows)))
  const { said: token } = await commandOf(from, more, data, 'token', 'create', '--login', 'admin')
  return { server: await startOurs(data, token.trim(), more, from), cluster }
}

const measured = (bench: Bench, { server, cluster }: Running, shots: readonly Shot[]): Promise<Outcome> =>
  outcome(bench, server, CONNECTIONS, shots, bench.seconds, cluster)
