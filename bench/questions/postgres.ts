import { spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { startPostgres, type Cluster } from '../../scripts/postgres.mjs'
import type { Bench } from '../bench.ts'
import { median } from '../compare.ts'
import type { Shot } from '../load.ts'
import { percent, table } from '../markdown.ts'
import type { Question } from '../question.ts'
import { anyId, change, create, pathOf, twins } from '../requests.ts'
import { random } from '../seed.ts'
import { commandWith, importArguments, startOurs, stop, type Ours, type Server } from '../servers.ts'

/** As durable as PostgreSQL is by default. */
const SETTINGS = ['shared_buffers=512MB']
const REST_PORT = 18131

export const postgresQuestion: Question = {
  name: 'postgres',
  says: 'Over PostgreSQL: how far from what its own tools do with it?',
  async measure(bench) {
    const cluster = await startPostgres({ settings: SETTINGS, onDisk: true })
    const servers: Pick<Server, 'child'>[] = []
    try {
      const more = { KARTOTEKA_DATABASE_URL: cluster.url() }
      const data = join(bench.folder, 'postgres')
      await commandWith(more, data, ...importArguments('customers', await bench.csv(1, bench.rows)))
      const { said: token } = await commandWith(more, data, 'token', 'create', '--login', 'admin')
      await ask(cluster, 'VACUUM ANALYZE')
      const ours = await startOurs(data, token.trim(), more)
      servers.push(ours)
      const rest = await startRest(cluster)
      if (rest) servers.push(rest)
      const lines = [...(await reads(bench, ours, rest)), ...(await writes(bench, ours, cluster))]
      return `${table(['request', 'connections', 'kartoteka /s', 'p50 ms', 'p99 ms', 'beside it', 'its /s', 'ratio', 'bar'], lines)}\n\nPostgreSQL ${cluster.version}.`
    } finally {
      for (const one of servers) await stop(one)
      await cluster.stop()
    }
  },
}

type Line = (string | number)[]

async function reads(bench: Bench, ours: Ours, rest: Server | undefined): Promise<Line[]> {
  const { rows } = bench
  const ids = Array.from(
    { length: 10_000 },
    (
      (next) => () =>
        anyId(next, rows)
    )(random(7)),
  )
  const offsets = Array.from(
    { length: 1_000 },
    (
      (next) => () =>
        Math.floor(next() * (rows - 20))
    )(random(8)),
  )
  const page = (offset: number) => ({
    ours: { kind: 'page', path: pathOf(ours.fields, 'all', [], offset) },
    rest: { kind: 'page', path: `/customers?order=id&limit=20&offset=${offset}` },
  })
  const kinds = [
    {
      says: 'one record',
      bar: 2,
      shots: ids.map((id) => ({
        ours: { kind: 'one', path: `/api/dev/data1/${id}` },
        rest: { kind: 'one', path: `/customers?id=eq.${id}` },
      })),
    },
    { says: 'page of 20 and total', bar: 10, shots: [page(0)] },
    { says: 'the same at any offset', bar: 10, shots: offsets.map(page) },
  ]
  const lines: Line[] = []
  for (const { says, bar, shots } of kinds)
    for (const connections of [1, 16, 64]) {
      const its =
        rest &&
        (() =>
          rate(
            bench,
            rest,
            connections,
            shots.map((shot) => shot.rest),
          ))
      lines.push(
        await line(
          bench,
          says,
          connections,
          ours,
          shots.map((shot) => shot.ours),
          'PostgREST',
          its,
          connections === 16 ? bar : undefined,
        ),
      )
    }
  return lines
}

async function writes(bench: Bench, ours: Ours, cluster: Cluster): Promise<Line[]> {
  const lines: Line[] = []
  const pgbench = await insertingAsOurs(bench, cluster)
  for (const connections of [1, 16, 64]) {
    const creates = Array.from({ length: 10_000 }, (_, i) => create({ ours }, 20_000_000 + 100_000 * connections + i).ours)
    lines.push(
      await line(
        bench,
        'create',
        connections,
        ours,
        creates,
        'pgbench, the same insert',
        pgbench && (async () => pgbench(connections)),
        connections === 64 ? 0.7 : undefined,
      ),
    )
    const changes = twins(10_000, connections, (next) => change({ ours }, anyId(next, bench.rows), 30_000_000 + anyId(next, 1e6))).map(
      (twin) => twin.ours,
    )
    lines.push(await line(bench, 'change', connections, ours, changes, '', undefined, undefined))
  }
  return lines
}

/** Both in turns; medians over the rounds. */
async function line(
  bench: Bench,
  says: string,
  connections: number,
  ours: Ours,
  shots: readonly Shot[],
  beside: string,
  its: (() => Promise<number>) | undefined,
  bar: number | undefined,
): Promise<Line> {
  const rounds: { perSecond: number; p50: number; p99: number; its: number }[] = []
  for (let round = 0; round <= bench.rounds; round++) {
    const { perSecond, all } = await load(bench, ours, connections, shots)
    const measured = { perSecond, p50: all.p50, p99: all.p99, its: its ? await its() : 0 }
    if (round > 0) rounds.push(measured)
  }
  const of = (pick: (round: (typeof rounds)[number]) => number) => median(rounds.map(pick))
  const ratio = of((round) => round.perSecond / round.its)
  return [
    says,
    String(connections),
    of((round) => round.perSecond),
    of((round) => round.p50),
    of((round) => round.p99),
    its ? beside : '–',
    its ? of((round) => round.its) : '–',
    its ? percent(ratio) : '–',
    its && bar !== undefined ? `≥ ${percent(bar)}: ${ratio >= bar ? 'met' : 'missed'}` : '',
  ]
}

const load = (bench: Bench, { port, token }: Omit<Server, 'child'>, connections: number, shots: readonly Shot[]) =>
  bench.loader.run({ port, token, connections, seconds: bench.seconds, shots })

const rate = async (bench: Bench, server: Server, connections: number, shots: readonly Shot[]): Promise<number> =>
  (await load(bench, server, connections, shots)).perSecond

/** PostgREST over a plain table of the same records, without rights; undefined where there is none. */
async function startRest(cluster: Cluster): Promise<Server | undefined> {
  const program = process.env['POSTGREST']
  if (program === undefined) return undefined
  await ask(
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
async function insertingAsOurs(bench: Bench, cluster: Cluster): Promise<((clients: number) => number) | undefined> {
  if (spawnSync('pgbench', ['--version']).error) return undefined
  const [row] = await ask(cluster, 'SELECT * FROM data1 LIMIT 1')
  const { id: _, ...values } = row!
  const literal = (value: unknown) => (typeof value === 'number' ? String(value) : pg.escapeLiteral(String(value)))
  const script = join(bench.folder, 'insert.sql')
  writeFileSync(
    script,
    `INSERT INTO data1 (${Object.keys(values).join(', ')}) VALUES (${Object.values(values).map(literal).join(', ')}) RETURNING id;\n`,
  )
  return (clients) => {
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
    const { stdout, stderr } = spawnSync('pgbench', args, { encoding: 'utf8' })
    const found = /tps = ([\d.]+)/.exec(stdout)
    if (!found) throw new Error(`pgbench: ${stderr}`)
    return Number(found[1])
  }
}

async function ask(cluster: Cluster, ...statements: string[]): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(cluster.url())
  await client.connect()
  try {
    let rows: Record<string, unknown>[] = []
    for (const statement of statements) ({ rows } = await client.query(statement))
    return rows
  } finally {
    await client.end()
  }
}
