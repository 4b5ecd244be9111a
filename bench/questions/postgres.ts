import { spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { Cluster } from '../../scripts/postgres.mjs'
import { askDatabase } from '../ask-database.ts'
import type { Bench } from '../bench.ts'
import { median, outcome, type Outcome as Measured } from '../compare.ts'
import type { Shot } from '../load.ts'
import { lists } from '../lists.ts'
import { cpuOf, cpuOfFamily } from '../machine.ts'
import { percent, table, verdict } from '../markdown.ts'
import { overPostgres } from '../over-postgres.ts'
import type { Question } from '../question.ts'
import { anyId, change, create, pathOf, twins } from '../requests.ts'
import { random, type Random } from '../seed.ts'
import { startOurs, stop, type Ours, type Server } from '../servers.ts'

const REST_PORT = 18131

export const postgresQuestion: Question = {
  name: 'postgres',
  says: 'Over PostgreSQL: how far from what its own tools do with it?',
  async measure(bench) {
    return overPostgres(bench, join(bench.folder, 'postgres'), async ({ data, token, more, cluster }) => {
      const servers: Pick<Server, 'child'>[] = []
      try {
        const ours = await startOurs(data, token, more)
        servers.push(ours)
        const rest = await startRest(cluster)
        if (rest) servers.push(rest)
        const scene: Scene = { bench, ours, rest, cluster }
        const lines = [...(await reads(scene)), ...(await writes(scene))]
        return `${table(HEAD, lines)}\n\n${await far(scene)}\n\nPostgreSQL ${cluster.version}.`
      } finally {
        for (const one of servers) await stop(one)
      }
    })
  },
}

interface Scene {
  readonly bench: Bench
  readonly ours: Ours
  readonly rest: Server | undefined
  readonly cluster: Cluster
}

type Line = (string | number)[]

const HEAD = [
  'request',
  'connections',
  'kartoteka /s',
  'p50 ms',
  'p99 ms',
  'CPU µs',
  'beside it',
  'its /s',
  'its CPU µs',
  'ratio',
  'ratio of CPU',
  'bar',
]

/** Processor time is that of the database, too. */
type Outcome = Omit<Measured, 'bytes'>

interface Kind {
  readonly says: string
  readonly connections: number
  readonly ours: () => Promise<Outcome>
  readonly beside?: string
  readonly its?: (() => Promise<Outcome>) | undefined
  readonly bar?: number | undefined
}

async function reads(scene: Scene): Promise<Line[]> {
  const { bench, ours, rest } = scene
  const many = <T>(count: number, seed: number, make: (next: Random) => T): T[] => {
    const next = random(seed)
    return Array.from({ length: count }, () => make(next))
  }
  const one = (id: number) => ({ ours: `/api/dev/data1/${id}`, rest: `/customers?id=eq.${id}` })
  const page = (offset: number) => ({
    ours: pathOf(ours.fields, 'all', [], offset),
    rest: `/customers?order=id&limit=20&offset=${offset}`,
  })
  const kinds = [
    { says: 'one record', bar: 2, paths: many(10_000, 7, (next) => one(anyId(next, bench.rows))) },
    { says: 'page of 20 and total', bar: 10, paths: [page(0)] },
    { says: 'the same at any offset', bar: 10, paths: many(1_000, 8, (next) => page(Math.floor(next() * (bench.rows - 20)))) },
  ]
  const lines: Line[] = []
  for (const { says, bar, paths } of kinds)
    for (const connections of [1, 16, 64]) {
      const shots = (of: 'ours' | 'rest') => paths.map((path) => ({ kind: says, path: path[of] }))
      lines.push(
        await line(bench, {
          says,
          connections,
          ours: () => load(scene, ours, connections, shots('ours')),
          beside: 'PostgREST',
          its: rest && (() => load(scene, rest, connections, shots('rest'))),
          bar: connections === 16 ? bar : undefined,
        }),
      )
    }
  return lines
}

async function writes(scene: Scene): Promise<Line[]> {
  const { bench, ours } = scene
  const lines: Line[] = []
  const pgbench = await insertingAsOurs(scene)
  for (const connections of [1, 16, 64]) {
    const creates = Array.from({ length: 10_000 }, (_, i) => create({ ours }, 20_000_000 + 100_000 * connections + i).ours)
    lines.push(
      await line(bench, {
        says: 'create',
        connections,
        ours: () => load(scene, ours, connections, creates),
        beside: 'pgbench, the same insert',
        its: pgbench && (() => pgbench(connections)),
        bar: connections === 64 ? 0.7 : undefined,
      }),
    )
    const changes = twins(10_000, connections, (next) => change({ ours }, anyId(next, bench.rows), 30_000_000 + anyId(next, 1e6)))
    const shots = changes.map((twin) => twin.ours)
    lines.push(await line(bench, { says: 'change', connections, ours: () => load(scene, ours, connections, shots) }))
  }
  return lines
}

/** Both in turns; medians over the rounds. */
async function line(bench: Bench, { says, connections, ours, beside, its, bar }: Kind): Promise<Line> {
  const rounds: { ours: Outcome; its: Outcome | undefined }[] = []
  for (let round = 0; round <= bench.rounds; round++) {
    const measured = { ours: await ours(), its: await its?.() }
    if (round > 0) rounds.push(measured)
  }
  const of = (pick: (round: (typeof rounds)[number]) => number) => median(rounds.map(pick))
  const ratio = of((round) => round.ours.perSecond / (round.its?.perSecond ?? 0))
  const mine = [
    of((round) => round.ours.perSecond),
    of((round) => round.ours.p50),
    of((round) => round.ours.p99),
    of((round) => round.ours.cpu),
  ]
  if (!its) return [says, String(connections), ...mine, '–', '–', '–', '–', '–', '']
  return [
    says,
    String(connections),
    ...mine,
    beside!,
    of((round) => round.its!.perSecond),
    of((round) => round.its!.cpu),
    percent(ratio),
    percent(of((round) => round.its!.cpu / round.ours.cpu)),
    bar === undefined ? '' : verdict(`≥ ${percent(bar)}`, ratio >= bar),
  ]
}

const load = ({ bench, cluster }: Scene, server: Server, connections: number, shots: readonly Shot[]): Promise<Outcome> =>
  outcome(bench, server, connections, shots, bench.seconds, cluster)

/** Lists of the whole table, and how many times as long as the first page any other may take. */
const FAR = { all: 1.5, 'sorted text': 3, 'sorted number': 3, 'sorted time': 3 }

/** Pages far down, one request at a time. */
async function far(scene: Scene): Promise<string> {
  const { bench, ours } = scene
  const lines: Line[] = []
  for (const [kind, most] of Object.entries(FAR)) {
    const at = async (offset: (next: Random) => number) => {
      const next = random(3)
      const shots = Array.from({ length: 500 }, () => ({ kind, path: pathOf(ours.fields, kind, [], offset(next)) }))
      return (await load(scene, ours, 1, shots)).p50
    }
    const anywhere = (next: Random) => Math.floor(next() * bench.rows)
    // Until the index is there, and what is remembered of it.
    for (let turns = 0; turns < 20 && (await at(anywhere)) > QUICK; turns++);
    const [first, middle, end] = [await at(() => 0), await at(anywhere), await at(() => Math.floor((bench.rows - 1) / 20) * 20)]
    const worst = Math.max(middle, end) / first
    lines.push([lists[kind]!.says, first, middle, end, worst, verdict(`≤ ${most}`, worst <= most)])
  }
  return table(['list', 'offset 0, p50 ms', 'anywhere, p50 ms', 'last page, p50 ms', 'worst / first', 'bar'], lines)
}

/** Milliseconds under which a page counts as found without stepping over what comes before. */
const QUICK = 3

/** PostgREST over a plain table of the same records, without rights; undefined where there is none. */
async function startRest(cluster: Cluster): Promise<Server | undefined> {
  const program = process.env['POSTGREST']
  if (program === undefined) return undefined
  await askDatabase(
    cluster,
    'CREATE TABLE customers AS SELECT id, f1 AS name, f2 AS email, f3 AS phone, f4 AS balance, f5 AS created, f6 AS status, f7 AS manager, f8 AS notes FROM data1',
    'ALTER TABLE customers ADD PRIMARY KEY (id)',
    'VACUUM ANALYZE customers',
  )
  const env = {
    PGRST_DB_URI: cluster.url(),
    PGRST_DB_ANON_ROLE: 'kartoteka',
    PGRST_DB_SCHEMAS: 'public',
    PGRST_SERVER_HOST: '127.0.0.1',
    PGRST_SERVER_PORT: String(REST_PORT),
    PGRST_LOG_LEVEL: 'crit',
  }
  const child = spawn(program, [], { env, stdio: 'ignore' })
  for (;;) {
    const ready = await fetch(`http://127.0.0.1:${REST_PORT}/customers?limit=1`).then(
      ({ ok }) => ok,
      () => false,
    )
    // What else it needs to be told goes with the token: the generator knows one header.
    if (ready) return { child, port: REST_PORT, token: '-\r\nPrefer: count=exact' }
    if (child.exitCode !== null) throw new Error('PostgREST does not start.')
    await new Promise((next) => setTimeout(next, 50))
  }
}

/** Inserts a second by pgbench, each in a transaction of its own; undefined where it is not installed. */
async function insertingAsOurs({ bench, cluster }: Scene): Promise<((clients: number) => Promise<Outcome>) | undefined> {
  if (spawnSync('pgbench', ['--version']).error) return undefined
  const [row] = await askDatabase(cluster, 'SELECT * FROM data1 LIMIT 1')
  const { id: _, ...values } = row!
  const literal = (value: unknown) => (typeof value === 'number' ? String(value) : pg.escapeLiteral(String(value)))
  const script = join(bench.folder, 'insert.sql')
  writeFileSync(
    script,
    `INSERT INTO data1 (${Object.keys(values).join(', ')}) VALUES (${Object.values(values).map(literal).join(', ')}) RETURNING id;\n`,
  )
  return async (clients) => {
    const args = [
      '-h',
      cluster.directory,
      '-U',
      'kartoteka',
      '-n',
      '-M',
      'prepared',
      '-j',
      '2',
      '-c',
      String(clients),
      '-T',
      String(Math.max(1, Math.round(bench.seconds))),
      '-f',
      script,
      'postgres',
    ]
    // What it used itself is found with this process, once it has ended.
    const used = () => cpuOf(process.pid) + cpuOfFamily(cluster.process.pid!)
    const before = used()
    const { stdout, stderr } = spawnSync('pgbench', args, { encoding: 'utf8' })
    const [done, tps] = [/actually processed: (\d+)/, /tps = ([\d.]+)/].map((pattern) => Number(pattern.exec(stdout)?.[1]))
    if (!done || !tps) throw new Error(`pgbench: ${stderr}`)
    return { perSecond: tps, cpu: ((used() - before) * 1e6) / done, p50: Number.NaN, p99: Number.NaN }
  }
}
