/** The lists of the question `lists`, each in each of its columns: the load, the writes beside it, and the first ask. */
import { setTimeout as sleep } from 'node:timers/promises'
import { OWN } from './limited-reader.ts'
import { lists, type Fields } from './lists.ts'
import type { Measured, Shot } from './load.ts'
import { figure } from './markdown.ts'
import type { Order } from './office-bars.ts'
import type { Scene } from './office-scene.ts'
import { shotOf, writeAt } from './office-writes.ts'
import { pathOf } from './requests.ts'
import type { Answered } from './same-answer.ts'
import { MANAGERS, random } from './seed.ts'
import type { Server } from './servers.ts'

/** A line of the table. */
export interface Row {
  /** What `--only` calls it. */
  readonly name: string
  readonly kind: string
  readonly order: Order
  /** Share of the records that match at least, where any page is asked for; undefined: the first one is. */
  readonly anyOf?: number
  /** What answers the first ask after a start: a scan; or an index in the order of a column, and a scan where there is none. By default an index of values or pieces. */
  readonly firstBy?: 'scan' | Ordered
  /** Measured beside many writes, too, unless `--only` chooses lines. */
  readonly busy?: true
}

/** An index, by the column that it is over. */
export type Ordered = readonly [column: keyof Fields, kind: 'order' | 'order_desc']

/** A sort by two fields has no index of both, and figures of groups are made of the columns of all records. */
const rows: readonly Row[] = [
  { name: 'eq', kind: 'equal list', order: 'by id', busy: true },
  { name: 'ne', kind: 'other options', order: 'by id' },
  { name: 'typed', kind: 'typed name', order: 'by id', busy: true },
  { name: 'new-needle', kind: 'new needle', order: 'new needles' },
  { name: 'two-letters', kind: 'two letters', order: 'by id', firstBy: 'scan', busy: true },
  { name: 'not-contains', kind: 'without word', order: 'by id', firstBy: 'scan' },
  { name: 'two-by-text', kind: 'of one by name', order: 'sorted', firstBy: ['name', 'order'], busy: true },
  { name: 'eq-by-decimal', kind: 'option by balance', order: 'sorted', firstBy: ['balance', 'order_desc'] },
  { name: 'two-fields', kind: 'by two fields', order: 'sorted', anyOf: 1, firstBy: 'scan', busy: true },
  { name: 'range-deep', kind: 'amount and option', order: 'by id', anyOf: 0.1, firstBy: ['balance', 'order'], busy: true },
  { name: 'range-wide', kind: 'any amount and option', order: 'by id', anyOf: 0.04, firstBy: ['balance', 'order'] },
  { name: 'eq-any', kind: 'equal list', order: 'by id', anyOf: 0.2 },
  { name: 'ne-any', kind: 'other options', order: 'by id', anyOf: 0.8 },
  { name: 'typed-any', kind: 'typed name', order: 'by id', anyOf: 0.025 },
  { name: 'two-letters-any', kind: 'two letters', order: 'by id', anyOf: 0.075, firstBy: 'scan' },
  { name: 'not-contains-any', kind: 'without word', order: 'by id', anyOf: 0.4, firstBy: 'scan' },
  { name: 'eq-by-decimal-any', kind: 'option by balance', order: 'sorted', anyOf: 0.2, firstBy: ['balance', 'order_desc'], busy: true },
  { name: 'eq-by-time-any', kind: 'option by time', order: 'sorted', anyOf: 0.2, firstBy: ['created', 'order'] },
  { name: 'range-by-text-any', kind: 'amount by name', order: 'sorted', anyOf: 0.48, firstBy: ['name', 'order'], busy: true },
  { name: 'counts', kind: 'count by option', order: 'aggregate', firstBy: 'scan' },
  { name: 'sums', kind: 'sums of typed name', order: 'aggregate', firstBy: 'scan' },
]

export const columns = {
  quiet: { says: 'quiet', writes: 0, limited: false },
  beside: { says: 'beside 60 writes/s', writes: 60, limited: false },
  limited: { says: 'limited reader, beside 60 writes/s', writes: 60, limited: true },
  busy: { says: 'beside 1,000 writes/s', writes: 1000, limited: false },
} as const
export type Column = keyof typeof columns

const CONNECTIONS = 16
/** Connections that write: 2, more only where two cannot reach the rate. */
const writingConnections = (writes: number): number => (writes > 100 ? 16 : 2)
/** Seconds for which a list is asked for before it is measured. */
export const WARM = 0.5
/** Share of the matches among which a page is chosen: a total is not always the same. */
const SAFE = 0.95
/** Seconds of processor time in 150 ms that count as nothing. */
const AT_REST = 0.02
/** Seconds that one list may be refused for. */
export const PATIENCE = 60

export interface Cell {
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
export interface First {
  readonly milliseconds: number
  readonly refusals: number
}

/** A server under load, and the writes that were made there so far; torn: some were refused, so that nobody knows which. */
export interface Load {
  readonly scene: Scene
  readonly missing: string[]
  written: number
  torn: boolean
}

/** What tables call a line. */
export const nameOf = ({ kind, anyOf }: { readonly kind: string; readonly anyOf?: number | undefined }): string =>
  `${lists[kind]!.says}${anyOf === undefined ? '' : ', any page'}`

/** Lines by their names; none: all. */
export const chosenRows = (only: readonly string[]): readonly Row[] => (only.length === 0 ? rows : only.map(named))

/** Whether a line is measured in a column. */
export const isMeasured = (row: Row, column: Column, only: readonly string[]): boolean =>
  column !== 'busy' || row.busy === true || only.length > 0

function named(name: string): Row {
  const found = rows.find((row) => row.name === name)
  if (!found) throw new Error(`There is no list '${name}', but ${rows.map((row) => row.name).join(', ')}.`)
  return found
}

/** An answer that was refused for too long. */
export class NoAnswer extends Error {}

/** The limited reader asks for what they see. */
export const valuesOfReader = (kind: string, values: readonly string[]): readonly string[] =>
  kind === 'of one by name' ? [values[0]!, String(OWN)] : values

/** One line in one column. */
export async function measureCell(run: Load, row: Row, column: Column): Promise<Cell> {
  const { scene } = run
  const { writes, limited } = columns[column]
  const { seconds } = scene.bench
  const token = limited ? scene.limited : scene.reading.token
  const shots = shotsOf(scene, row, 10 + Object.keys(columns).indexOf(column), limited, 8500)
  const writing = writes > 0 ? write(run, writes, WARM + seconds) : undefined
  await loadLists(scene, shots.slice(8000), token, WARM)
  const before = scene.cpu()
  const measured = await loadLists(scene, shots.slice(0, 8000), token, seconds)
  const cpu = ((scene.cpu() - before) * 1e6) / measured.answered
  const others = scene.bench.neighbours.last() ?? Number.NaN
  const { perSecond, refusals, all } = measured
  const cell: Cell = { perSecond, refusals, p50: all.p50, p99: all.p99, cpu, writes: (await writing) ?? 0, others }
  console.error(`${row.name}, ${columns[column].says}: ${figure(perSecond)}/s`)
  await settle(scene, 1 + scene.rows / 200_000)
  return cell
}

/**
 * Asks for a list, in stretches of a second, until one has no answer that waited for what is read the first time. Seconds before that stretch; not a number
 * where values are always new.
 */
export async function untilKnown(scene: Scene, row: Row): Promise<number> {
  if (row.order === 'new needles' || row.kind === 'count by option') return Number.NaN
  const began = performance.now()
  const most = 60 + scene.rows / 50_000
  for (let stretch = 0; ; stretch++) {
    const before = (performance.now() - began) / 1000
    const { all } = await loadLists(scene, shotsOf(scene, row, 1000 + stretch, false, 3000), scene.reading.token, 1)
    if (all.p99 < READ_FIRST || before > most) return before
  }
}

/** Milliseconds: of 100 answers one at most took longer. */
const READ_FIRST = 100

export const loadLists = (scene: Scene, shots: readonly Shot[], token: string, seconds: number): Promise<Measured> =>
  scene.bench.neighbours.during(scene.pids(), () =>
    scene.bench.loader.run({ port: scene.reading.port, token, connections: CONNECTIONS, seconds, shots, lenient: true }),
  )

/** Pages of 20, or aggregates, other values in each. */
export function shotsOf({ reading, rows }: Scene, { kind, anyOf }: Row, seed: number, limited: boolean, count: number): Shot[] {
  const next = random(seed)
  const visible = limited ? rows / MANAGERS : rows
  return Array.from({ length: count }, () => {
    const values = lists[kind]!.values(next, rows)
    return { kind, path: pathOf(reading.fields, kind, limited ? valuesOfReader(kind, values) : values, offsetOf(next, anyOf, visible)) }
  })
}

export const offsetOf = (next: () => number, anyOf: number | undefined, rows: number): number =>
  anyOf === undefined ? 0 : Math.floor(next() * anyOf * rows * SAFE)

/** Makes so many writes a second. Returns how many it were. */
async function write(run: Load, pace: number, seconds: number): Promise<number> {
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

/** Asks until the answer is not 503. Milliseconds since the first time. @throws NoAnswer where it never is, Error where it is another than 200 */
export async function askPatiently({ port, token }: Server, path: string): Promise<First & { document: Answered }> {
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

/** Asks a server that has just started for one record, and then for the list. @throws NoAnswer, Error */
export async function firstAskOf(scene: Scene, row: Row): Promise<First> {
  await askPatiently(scene.reading, '/api/dev/data1/77')
  const [shot] = shotsOf(scene, row, 99, false, 1)
  const first = await askPatiently(scene.reading, shot!.path)
  console.error(`${row.name}, the first after a start: ${firstOf(first)} ms`)
  return first
}

/** Waits until the indexes that lists want are made; of a large table for long. */
export async function untilIndexed({ indexes, rows }: Scene): Promise<void> {
  const end = performance.now() + (60 + rows / 500) * 1000
  while ((await indexes()).waiting > 0 && performance.now() < end) await sleep(1000)
}

/** Waits until the server does nothing, for at most so many seconds. */
export async function settle({ cpu }: Scene, seconds: number): Promise<void> {
  const end = performance.now() + seconds * 1000
  for (let last = -1, now = cpu(); now - last > AT_REST && performance.now() < end;) {
    last = now
    await sleep(150)
    now = cpu()
  }
}

export const firstOf = (first: First | undefined): string =>
  first === undefined ? '–' : `${figure(first.milliseconds)}${first.refusals === 0 ? '' : ` (${first.refusals} refused)`}`
