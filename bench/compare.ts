import type { Bench, Pair } from './bench.ts'
import type { Cluster } from '../scripts/postgres.mjs'
import type { Measured, Shot } from './load.ts'
import { cpuOf, cpuOfFamily, familyOf } from './machine.ts'
import { percent, table, verdict } from './markdown.ts'
import type { Twin } from './requests.ts'
import type { Server } from './servers.ts'

/** Medians over the rounds. */
export interface Compared {
  readonly ours: Outcome
  readonly floor: Outcome
  /** Ours through the floor's, of requests per second. */
  readonly ratio: number
  /** The floor's through ours, of CPU per request: what the ratio would be if each had the machine for itself. */
  readonly cpuRatio: number
}

export interface Outcome {
  readonly perSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  /** Microseconds of the server's CPU per request. */
  readonly cpu: number
  readonly bytes: number
}

/** Both servers in turns, the same requests in each round; a first round warms them and does not count. */
export async function compare(
  bench: Bench,
  pair: Pair,
  connections: number,
  twinsOf: (round: number) => readonly Twin[],
): Promise<Compared> {
  const rounds: { ours: Outcome; floor: Outcome }[] = []
  for (let round = 0; round <= bench.rounds; round++) {
    const requests = twinsOf(round)
    const ours = await outcome(
      bench,
      pair.ours,
      connections,
      requests.map((one) => one.ours),
    )
    const floor = await outcome(
      bench,
      pair.floor,
      connections,
      requests.map((one) => one.floor),
    )
    if (round > 0) rounds.push({ ours, floor })
  }
  const of = (pick: (round: { ours: Outcome; floor: Outcome }) => number) => median(rounds.map(pick))
  const medians = (who: 'ours' | 'floor'): Outcome => ({
    perSecond: of((round) => round[who].perSecond),
    p50: of((round) => round[who].p50),
    p99: of((round) => round[who].p99),
    cpu: of((round) => round[who].cpu),
    bytes: of((round) => round[who].bytes),
  })
  return {
    ours: medians('ours'),
    floor: medians('floor'),
    ratio: of(({ ours, floor }) => ours.perSecond / floor.perSecond),
    cpuRatio: of(({ ours, floor }) => floor.cpu / ours.cpu),
  }
}

/** `cluster`: the database of the server, whose processor time counts too. */
export async function outcome(
  bench: Bench,
  server: Server,
  connections: number,
  shots: readonly Shot[],
  seconds = bench.seconds,
  cluster?: Cluster,
): Promise<Outcome> {
  const used = () => cpuOf(server.child.pid!) + (cluster ? cpuOfFamily(cluster.process.pid!) : 0)
  const before = used()
  const measured = await load(bench, server, connections, shots, seconds, cluster)
  return { ...summary(measured), cpu: ((used() - before) * 1e6) / measured.all.count }
}

/** One load; what other processes used meanwhile is noted. */
export function load(
  bench: Bench,
  server: Server,
  connections: number,
  shots: readonly Shot[],
  seconds = bench.seconds,
  cluster?: Cluster,
): Promise<Measured> {
  const pids = [server.child.pid!, ...(cluster ? familyOf(cluster.process.pid!) : []), bench.loader.pid, process.pid]
  return bench.neighbours.during(pids, () => bench.loader.run({ port: server.port, token: server.token, connections, seconds, shots }))
}

const summary = ({ perSecond, all, bytes }: Measured): Omit<Outcome, 'cpu'> => ({ perSecond, p50: all.p50, p99: all.p99, bytes })

export const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!

/** A row of a table of requests that both servers answered. */
export interface Line {
  readonly says: string
  readonly connections: number
  readonly compared: Compared
  readonly bar?: { readonly says: string; readonly met: boolean } | undefined
}

export const comparison = (lines: readonly Line[]): string =>
  table(
    ['request', 'connections', 'kartoteka /s', 'floor /s', 'ratio', 'CPU µs', 'floor CPU µs', 'ratio of CPU', 'p50 ms', 'p99 ms', 'bar'],
    lines.map(({ says, connections, compared: { ours, floor, ratio, cpuRatio }, bar }) => [
      says,
      String(connections),
      ours.perSecond,
      floor.perSecond,
      percent(ratio),
      ours.cpu,
      floor.cpu,
      percent(cpuRatio),
      ours.p50,
      ours.p99,
      bar ? verdict(bar.says, bar.met) : '',
    ]),
  )

/** The bar that the ratio is so high. */
export const atLeast = (share: number, { ratio }: Compared): Line['bar'] => ({ says: `≥ ${percent(share)}`, met: ratio >= share })

/** The bar that so many requests are answered in a second. */
export const perSecond = (least: number, { ours }: Compared): Line['bar'] => ({
  says: `≥ ${least.toLocaleString('en-US')}/s`,
  met: ours.perSecond >= least,
})
