import Database from 'better-sqlite3'
import { setTimeout as sleep } from 'node:timers/promises'
import { median } from '../compare.ts'
import { OWN, OWN_ROWS } from '../limited-reader.ts'
import { lists } from '../lists.ts'
import type { Measured, Shot } from '../load.ts'
import { peakMemory, shareOfMemory } from '../machine.ts'
import { figure, table } from '../markdown.ts'
import { barsTable, type Judged, type Order } from '../office-bars.ts'
import { withScene, type Scene } from '../office-scene.ts'
import { repeatWrites, shotOf, writeAt } from '../office-writes.ts'
import type { Question } from '../question.ts'
import { page, pathOf } from '../requests.ts'
import { sameAnswer, totalOf, type Answered } from '../same-answer.ts'
import { MANAGERS, random } from '../seed.ts'
import type { Server } from '../servers.ts'

/** A line of the table. */
interface Row {
  /** What `--only` calls it. */
  readonly name: string
  readonly kind: string
  readonly order: Order
  /** Share of the records that match at least, where any page is asked for; undefined: the first one is. */
  readonly anyOf?: number
  /** What answers the first ask after a start; index by default. */
  readonly firstBy?: 'scan'
  /** Measured beside many writes, too, unless `--only` chooses lines. */
  readonly busy?: true
}

const rows: readonly Row[] = [
  { name: 'eq', kind: 'equal list', order: 'by id', busy: true },
  { name: 'ne', kind: 'other options', order: 'by id' },
  { name: 'typed', kind: 'typed name', order: 'by id', busy: true },
  { name: 'new-needle', kind: 'new needle', order: 'new needles' },
  { name: 'two-letters', kind: 'two letters', order: 'by id', firstBy: 'scan', busy: true },
  { name: 'not-contains', kind: 'without word', order: 'by id', firstBy: 'scan' },
  { name: 'two-by-text', kind: 'of one by name', order: 'sorted', busy: true },
  { name: 'eq-by-decimal', kind: 'option by balance', order: 'sorted' },
  { name: 'two-fields', kind: 'by two fields', order: 'sorted', anyOf: 1, busy: true },
  { name: 'range-deep', kind: 'amount and option', order: 'by id', anyOf: 0.1, busy: true },
  { name: 'eq-any', kind: 'equal list', order: 'by id', anyOf: 0.2 },
  { name: 'ne-any', kind: 'other options', order: 'by id', anyOf: 0.8 },
  { name: 'typed-any', kind: 'typed name', order: 'by id', anyOf: 0.025 },
  { name: 'two-letters-any', kind: 'two letters', order: 'by id', anyOf: 0.075, firstBy: 'scan' },
  { name: 'not-contains-any', kind: 'without word', order: 'by id', anyOf: 0.4, firstBy: 'scan' },
  { name: 'eq-by-decimal-any', kind: 'option by balance', order: 'sorted', anyOf: 0.2, busy: true },
  { name: 'eq-by-time-any', kind: 'option by time', order: 'sorted', anyOf: 0.2 },
  { name: 'range-by-text-any', kind: 'amount by name', order: 'sorted', anyOf: 0.48, busy: true },
  { name: 'counts', kind: 'count by option', order: 'aggregate', firstBy: 'scan' },
  { name: 'sums', kind: 'sums of typed name', order: 'aggregate' },
]

const columns = {
  quiet: { says: 'quiet', writes: 0, limited: false },
  beside: { says: 'beside 60 writes/s', writes: 60, limited: false },
  limited: { says: 'limited reader, beside 60 writes/s', writes: 60, limited: true },
  busy: { says: 'beside 1,000 writes/s', writes: 1000, limited: false },
} as const
type Column = keyof typeof columns

const CONNECTIONS = 16
/** Connections that write: 2, more only where two cannot reach the rate. */
const writingConnections = (writes: number): number => (writes > 100 ? 16 : 2)
/** Seconds for which a list is asked for before it is measured. */
const WARM = 0.5
/** Records of which the floor still scans all to be compared with. */
const SCANNED = 1_000_000
/** Share of the matches among which a page is chosen: a total is not always the same. */
const SAFE = 0.95
/** Seconds of processor time in 150 ms that count as nothing. */
const AT_REST = 0.02
/** Seconds that one list may be refused for. */
const PATIENCE = 60

interface Cell {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  /** Microseconds of each answer; that of the writes is in it. */
  readonly cpu: number
  readonly refusals: number
  /** Reached in a second. */
  readonly writes: number
  /** Cores that other processes used meanwhile. */
  readonly others: number
}

/** How long a first ask took, and how often it was refused meanwhile. */
interface First {
  readonly milliseconds: number
  readonly refusals: number
}

interface Result {
  /** How many match, of all and of what the limited reader sees. */
  matches: number
  seen: number
  /** The first of all, and the first after a start. */
  readonly ever: First | undefined
  first?: First
  floor?: number
  readonly cells: Partial<Record<Column, Cell>>
}

interface Run {
  readonly scene: Scene
  readonly results: Map<Row, Result>
  /** Answers that were compared with the floor, those that differed, and those that did not come. */
  compared: number
  readonly wrong: string[]
  readonly missing: string[]
  /** Writes that were made so far, and whether some of them were refused, so that nobody knows which. */
  written: number
  torn: boolean
  /** MiB of the server after the load, now and at most. */
  memory: readonly [now: number, peak: number]
}

export const listsQuestion: Question = {
  name: 'lists',
  says: 'Lists of an office at work, other values in each request: how many a second, quiet, beside writes, for a limited reader, and the first ask?',
  measure: (bench) =>
    withScene(bench, async (scene) => {
      const chosen = bench.only.length === 0 ? rows : bench.only.map(named)
      const run: Run = { scene, results: new Map(), compared: 0, wrong: [], missing: [], written: 0, torn: false, memory: [0, 0] }
      for (const row of chosen) await compareWithFloor(run, row)
      await settle(scene, 10 + scene.rows / 10_000)
      for (const row of chosen) await scan(run, row)
      for (const column of Object.keys(columns) as Column[])
        for (const row of chosen) if (column !== 'busy' || row.busy || bench.only.length > 0) await measureCell(run, row, column)
      const { pid } = scene.reading.child
      run.memory = [shareOfMemory(pid!), peakMemory(pid!)]
      await compareAfterWrites(run, chosen)
      for (const row of chosen) await firstAsk(run, row)
      if (run.wrong.length > 0) process.exitCode = 1
      return shown(run)
    }),
}

function named(name: string): Row {
  const found = rows.find((row) => row.name === name)
  if (!found) throw new Error(`There is no list '${name}', but ${rows.map((row) => row.name).join(', ')}.`)
  return found
}

/** Asks for each list for the first time, compares answers of both readers with the floor, and asks for some while, so that indexes are made. */
async function compareWithFloor(run: Run, row: Row): Promise<void> {
  const { scene, results } = run
  const { kind, anyOf } = row
  const pair = { ours: scene.reading, floor: scene.floor, rows: scene.rows }
  let ever: First | undefined
  const asking = async (server: Server, path: string) => {
    const answered = await askPatiently(server, path)
    ever ??= answered
    return answered.document
  }
  const offset = Math.floor((anyOf ?? 0) * scene.rows * 0.5)
  const times = scene.rows < SCANNED ? 3 : 1
  const matches = await noting(run, async () => {
    const found = await sameAnswer(pair, kind, { offset, times, asking })
    run.compared += times
    return found
  })
  const seen = await compareTotal(run, row, true, 8)
  await loadLists(run, shotsOf(scene, row, 1, false, 500), scene.reading.token, WARM)
  results.set(row, { matches, seen, ever, cells: {} })
  console.error(`${row.name}: the first ${firstOf(ever)} ms`)
}

/** An answer that was refused for too long. */
class NoAnswer extends Error {}

/** Notes answers that differ or do not come, so that the rest is measured none the less. */
async function noting(run: Run, work: () => Promise<number>): Promise<number> {
  try {
    return await work()
  } catch (error) {
    ;(error instanceof NoAnswer ? run.missing : run.wrong).push(String(error))
    return Number.NaN
  }
}

/** Compares one total with that of the floor. Returns it. */
const compareTotal = (run: Run, row: Row, limited: boolean, seed: number): Promise<number> =>
  noting(run, () => comparedTotal(run, row, limited, seed))

async function comparedTotal(run: Run, { kind, name }: Row, limited: boolean, seed: number): Promise<number> {
  const { reading, limited: token, rows, floorFile } = run.scene
  const asked = lists[kind]!.values(random(seed), rows)
  const values = limited ? valuesOfReader(kind, asked) : asked
  const { document } = await askPatiently({ ...reading, token: limited ? token : reading.token }, pathOf(reading.fields, kind, values, 0))
  const told = totalOf(document)
  const counted = countOf(floorFile, [`(${lists[kind]!.where ?? '1'})`, ...(limited ? [OWN_ROWS] : [])].join(' AND '), values)
  if (told !== counted)
    throw new Error(`${name} with ${values.join(', ')}${limited ? ', limited reader' : ''}: ${told}, but the floor says ${counted}`)
  run.compared++
  return told
}

function countOf(file: string, where: string, values: readonly string[]): number {
  const db = new Database(file, { readonly: true })
  try {
    return (db.prepare(`SELECT count(*) AS n FROM customers WHERE ${where}`).get(...values) as { n: number }).n
  } finally {
    db.close()
  }
}

/** The limited reader asks for what they see. */
const valuesOfReader = (kind: string, values: readonly string[]): readonly string[] =>
  kind === 'of one by name' ? [values[0]!, String(OWN)] : values

/** What the floor does in a second, where that takes no time worth mentioning: one stretch tells enough. */
async function scan({ scene, results }: Run, { kind, anyOf }: Row): Promise<void> {
  if (scene.rows > SCANNED) return
  const next = random(100)
  const pair = { ours: scene.reading }
  const shots = Array.from({ length: 200 }, () => {
    const values = kind === 'new needle' ? lists['typed name']!.values(next, scene.rows) : lists[kind]!.values(next, scene.rows)
    return page(pair, kind, values, offsetOf(next, anyOf, scene.rows)).floor
  })
  const { port, token } = scene.floor
  const { perSecond } = await scene.bench.loader.run({ port, token, connections: 4, seconds: 1, shots })
  for (const [row, result] of results) if (row.kind === kind && row.anyOf === anyOf) result.floor = perSecond
}

async function measureCell(run: Run, row: Row, column: Column): Promise<void> {
  const { scene, results } = run
  const { writes, limited } = columns[column]
  const { seconds } = scene.bench
  const token = limited ? scene.limited : scene.reading.token
  const shots = shotsOf(scene, row, 10 + Object.keys(columns).indexOf(column), limited, 8500)
  const writing = writes > 0 ? write(run, writes, WARM + seconds) : undefined
  await loadLists(run, shots.slice(8000), token, WARM)
  const before = scene.cpu()
  const measured = await loadLists(run, shots.slice(0, 8000), token, seconds)
  const cpu = ((scene.cpu() - before) * 1e6) / measured.answered
  const others = scene.bench.neighbours.last() ?? Number.NaN
  const { perSecond, refusals, all } = measured
  results.get(row)!.cells[column] = { perSecond, refusals, p50: all.p50, p99: all.p99, cpu, writes: (await writing) ?? 0, others }
  console.error(`${row.name}, ${columns[column].says}: ${figure(perSecond)}/s`)
  await settle(scene, 1 + scene.rows / 200_000)
}

const loadLists = ({ scene }: Run, shots: readonly Shot[], token: string, seconds: number): Promise<Measured> =>
  scene.bench.neighbours.during(scene.pids(), () =>
    scene.bench.loader.run({ port: scene.reading.port, token, connections: CONNECTIONS, seconds, shots, lenient: true }),
  )

/** Pages of 20, or aggregates, other values in each. */
function shotsOf({ reading, rows }: Scene, { kind, anyOf }: Row, seed: number, limited: boolean, count: number): Shot[] {
  const next = random(seed)
  const visible = limited ? rows / MANAGERS : rows
  return Array.from({ length: count }, () => {
    const values = lists[kind]!.values(next, rows)
    return { kind, path: pathOf(reading.fields, kind, limited ? valuesOfReader(kind, values) : values, offsetOf(next, anyOf, visible)) }
  })
}

const offsetOf = (next: () => number, anyOf: number | undefined, rows: number): number =>
  anyOf === undefined ? 0 : Math.floor(next() * anyOf * rows * SAFE)

/** Makes so many writes a second. Returns how many it were. */
async function write(run: Run, pace: number, seconds: number): Promise<number> {
  const { writing, writer, rows } = run.scene
  const shots = Array.from({ length: Math.ceil(pace * (seconds + 1)) }, (_, i) => shotOf(writing, writeAt(run.written + i, rows)))
  const { port, token } = writing
  try {
    const measured = await writer.run({ port, token, connections: writingConnections(pace), seconds, shots, pace })
    run.written += measured.answered
    return measured.perSecond
  } catch (error) {
    run.missing.push(`Writes: ${String(error)}`)
    run.written += shots.length
    run.torn = true
    return Number.NaN
  }
}

/** Makes the same writes in the database of the floor, and compares totals of both readers. */
async function compareAfterWrites(run: Run, chosen: readonly Row[]): Promise<void> {
  if (run.torn) return void run.missing.push('Nothing was compared after the writes, of which some were refused.')
  repeatWrites(run.scene.floorFile, run.written, run.scene.rows)
  for (const row of chosen) for (const limited of [false, true]) await compareTotal(run, row, limited, 9)
}

/** The first request for a list that a server gets after its start, besides one for a record. */
async function firstAsk(run: Run, row: Row): Promise<void> {
  const { scene, results } = run
  await scene.restart()
  await askPatiently(scene.reading, '/api/dev/data1/77')
  const [shot] = shotsOf(scene, row, 99, false, 1)
  results.get(row)!.first = { milliseconds: Number.POSITIVE_INFINITY, refusals: 0 }
  await noting(run, async () => {
    const first = await askPatiently(scene.reading, shot!.path)
    results.get(row)!.first = first
    console.error(`${row.name}, the first after a start: ${firstOf(first)} ms`)
    return first.milliseconds
  })
}

/** Asks until the answer is not 503. Milliseconds since the first time. @throws NoAnswer where it never is, Error where it is another than 200 */
async function askPatiently({ port, token }: Server, path: string): Promise<First & { document: Answered }> {
  const began = performance.now()
  for (let refusals = 0; ; refusals++) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'x-auth-token': token } })
    const text = await response.text()
    const milliseconds = performance.now() - began
    if (response.ok) return { milliseconds, refusals, document: JSON.parse(text) as Answered }
    if (response.status !== 503) throw new Error(`${path}: ${response.status} ${text}`)
    if (milliseconds > PATIENCE * 1000) throw new NoAnswer(`${path}: ${text}`)
    await sleep(50)
  }
}

/** Waits until the server does nothing, for at most so many seconds. */
async function settle({ cpu }: Scene, seconds: number): Promise<void> {
  const end = performance.now() + seconds * 1000
  for (let last = -1, now = cpu(); now - last > AT_REST && performance.now() < end;) {
    last = now
    await sleep(150)
    now = cpu()
  }
}

function shown({ scene, results, compared, wrong, missing, written, memory }: Run): string {
  const cells = (column: Column) => [...results.values()].flatMap(({ cells }) => cells[column] ?? [])
  const reached = (column: Column) => {
    const rates = cells(column).map(({ writes }) => writes)
    return rates.length === 0 ? '–' : `${figure(Math.min(...rates))} to ${figure(Math.max(...rates))}`
  }
  const disturbed = (Object.keys(columns) as Column[])
    .filter((column) => cells(column).length > 0)
    .map((column) => `${column} ${figure(median(cells(column).map(({ others }) => others)))}`)
  const judged = [...results].map(([{ kind, anyOf, order, firstBy }, { cells, first }]): Judged => ({
    name: saysOf(kind, anyOf),
    order,
    firstBy: firstBy ?? 'index',
    beside: cells.beside,
    limited: cells.limited,
    busy: cells.busy,
    first: first?.milliseconds,
  }))
  const [now, peak] = memory
  return [
    'Requests a second:',
    rates(results),
    'p50 ms / p99 ms / µs of CPU of each answer:',
    times(results),
    `Writes reached in a second: ${reached('beside')} and ${reached('limited')} of 60, ${reached('busy')} of 1,000; ${figure(written)} in all. 16 connections read${scene.cluster ? ' from one process over PostgreSQL, and the other one writes' : ''}; the processor time of the writes${scene.cluster ? ' in the database' : ''} is in that of the answers beside them. After the load the server held ${figure(now)} MiB (PSS), ${figure(peak)} MiB at most. Cores that other processes used meanwhile, medians: ${disturbed.join(', ')}.`,
    `Answers compared with the floor, before and after the writes: ${compared + wrong.length}, of which ${wrong.length === 0 ? 'none differed' : `**${wrong.length} differed**`}${missing.length === 0 ? '' : `; ${missing.length} did not come within ${PATIENCE} s`}.`,
    ...[...wrong, ...missing].map((one) => `- ${one}`),
    barsTable(judged, now, scene.rows, scene.cluster !== undefined),
  ].join('\n\n')
}

const saysOf = (kind: string, anyOf: number | undefined): string => `${lists[kind]!.says}${anyOf === undefined ? '' : ', any page'}`

const rates = (results: Run['results']): string =>
  table(
    [
      'list',
      'matches',
      'of the limited reader',
      'quiet',
      'beside 60 writes/s',
      'limited reader, beside 60',
      'beside 1,000 writes/s',
      'first ask, ms',
      'first of all, ms',
      'floor',
      'times the floor',
    ],
    [...results].map(([{ kind, anyOf }, { matches, seen, cells, first, ever, floor }]) => [
      saysOf(kind, anyOf),
      matches,
      seen,
      ...(Object.keys(columns) as Column[]).map((column) => rateOf(cells[column])),
      firstOf(first),
      firstOf(ever),
      floor ?? Number.NaN,
      (cells.quiet?.perSecond ?? Number.NaN) / (floor ?? Number.NaN),
    ]),
  )

const firstOf = (first: First | undefined): string =>
  first === undefined ? '–' : `${figure(first.milliseconds)}${first.refusals === 0 ? '' : ` (${first.refusals} refused)`}`

const rateOf = (cell: Cell | undefined): string | number =>
  cell === undefined ? '–' : cell.refusals === 0 ? cell.perSecond : `${figure(cell.perSecond)} (${figure(cell.refusals)} refused)`

const times = (results: Run['results']): string =>
  table(
    ['list', ...Object.values(columns).map(({ says }) => says)],
    [...results].map(([{ kind, anyOf }, { cells }]) => [
      saysOf(kind, anyOf),
      ...(Object.keys(columns) as Column[]).map((column) => {
        const cell = cells[column]
        return cell === undefined ? '–' : [cell.p50, cell.p99, cell.cpu].map(figure).join(' / ')
      }),
    ]),
  )
