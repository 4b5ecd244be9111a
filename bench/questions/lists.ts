import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { median } from '../compare.ts'
import { OWN_ROWS } from '../limited-reader.ts'
import { lists } from '../lists.ts'
import { peakMemory, shareOfMemory } from '../machine.ts'
import { figure, table } from '../markdown.ts'
import { barsTable, type Judged } from '../office-bars.ts'
import {
  askPatiently,
  chosenRows,
  columns,
  firstAskOf,
  firstOf,
  isMeasured,
  loadLists,
  measureCell,
  nameOf,
  NoAnswer,
  offsetOf,
  PATIENCE,
  settle,
  shotsOf,
  untilIndexed,
  untilKnown,
  valuesOfReader,
  WARM,
  type Cell,
  type Column,
  type First,
  type Load,
  type Row,
} from '../office-cells.ts'
import { withScene, type Scene } from '../office-scene.ts'
import { repeatWrites } from '../office-writes.ts'
import type { Question } from '../question.ts'
import { page, pathOf } from '../requests.ts'
import { sameAnswer, totalOf } from '../same-answer.ts'
import { random } from '../seed.ts'
import type { Server } from '../servers.ts'

/** Seconds without a request, after which memory is looked at once more. */
const IDLE = 20
/** Records of which the floor still scans all to be compared with. */
const SCANNED = 1_000_000

interface Result {
  /** How many match, of all and of what the limited reader sees. */
  matches: number
  seen: number
  /** The first of all, and the first after a start. */
  readonly ever: First | undefined
  first?: First
  /** Seconds until the values of the list had been asked for once, with the indexes there. */
  known?: number
  /** What answered the first ask. */
  firstBy?: 'index' | 'scan'
  floor?: number
  readonly cells: Partial<Record<Column, Cell>>
}

interface Run extends Load {
  readonly results: Map<Row, Result>
  /** Answers that were compared with the floor, those that differed, and those that did not come. */
  compared: number
  readonly wrong: string[]
  /** MiB of the server right after the load, at most, and after some idle time. */
  memory: readonly [now: number, peak: number, idle: number]
}

export const listsQuestion: Question = {
  name: 'lists',
  says: 'Lists of an office at work, other values in each request: how many a second, quiet, beside writes, for a limited reader, and the first ask?',
  measure: (bench) =>
    withScene(bench, async (scene) => {
      const chosen = chosenRows(bench.only)
      const run: Run = { scene, results: new Map(), compared: 0, wrong: [], missing: [], written: 0, torn: false, memory: [0, 0, 0] }
      for (const row of chosen) await compareWithFloor(run, row)
      await untilIndexed(scene)
      await scene.readThrough()
      await settle(scene, 10 + scene.rows / 10_000)
      for (const row of chosen) await knowAll(run, row)
      for (const row of chosen) await scan(run, row)
      for (const column of Object.keys(columns) as Column[])
        for (const row of chosen)
          if (isMeasured(row, column, bench.only)) run.results.get(row)!.cells[column] = await measureCell(run, row, column)
      const { pid } = scene.reading.child
      const held = [shareOfMemory(pid!), peakMemory(pid!)] as const
      await sleep(IDLE * 1000)
      run.memory = [...held, shareOfMemory(pid!)]
      await compareAfterWrites(run, chosen)
      for (const row of chosen) await firstAsk(run, row)
      if (run.wrong.length > 0) process.exitCode = 1
      return shown(run)
    }),
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
  await loadLists(scene, shotsOf(scene, row, 1, false, 500), scene.reading.token, WARM)
  results.set(row, { matches, seen, ever, cells: {} })
  console.error(`${row.name}: the first ${firstOf(ever)} ms`)
}

async function knowAll({ scene, results }: Run, row: Row): Promise<void> {
  const known = (results.get(row)!.known = await untilKnown(scene, row))
  console.error(`${row.name}: all of its values after ${figure(known)} s`)
}

/** Notes answers that differ or do not come, so that the rest is measured none the less. */
async function noting(run: Pick<Run, 'missing' | 'wrong'>, work: () => Promise<number>): Promise<number> {
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

/** Makes the same writes in the database of the floor, and compares totals of both readers. */
async function compareAfterWrites(run: Run, chosen: readonly Row[]): Promise<void> {
  if (run.torn) return void run.missing.push('Nothing was compared after the writes, of which some were refused.')
  repeatWrites(run.scene.floorFile, run.written, run.scene.rows)
  for (const row of chosen) for (const limited of [false, true]) await compareTotal(run, row, limited, 9)
}

async function firstAsk({ scene, results, missing, wrong }: Run, row: Row): Promise<void> {
  const result = results.get(row)!
  result.first = { milliseconds: Number.POSITIVE_INFINITY, refusals: 0 }
  result.firstBy = await servedBy(scene, row)
  await scene.restart()
  await noting({ missing, wrong }, async () => {
    const first = await firstAskOf(scene, row)
    result.first = first
    return first.milliseconds
  })
}

async function servedBy({ indexes, reading }: Scene, { firstBy }: Row): Promise<'index' | 'scan'> {
  if (!firstBy) return 'index'
  if (firstBy === 'scan') return firstBy
  const [column, kind] = firstBy
  return (await indexes()).ready.has(`${reading.fields[column]} ${kind}`) ? 'index' : 'scan'
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
  const judged = [...results].map(([{ kind, anyOf, order }, { cells, first, firstBy }]): Judged => ({
    name: nameOf({ kind, anyOf }),
    order,
    firstBy: firstBy ?? 'index',
    beside: cells.beside,
    limited: cells.limited,
    busy: cells.busy,
    first: first?.milliseconds,
  }))
  const [now, peak, idle] = memory
  return [
    'Requests a second:',
    rates(results),
    'p50 ms / p99 ms / µs of CPU of each answer:',
    times(results),
    `${scene.cluster ? '' : 'The file of the database was read once before the measurement. '}Writes reached in a second: ${reached('beside')} and ${reached('limited')} of 60, ${reached('busy')} of 1,000; ${figure(written)} in all. 16 connections read${scene.cluster ? ' from one process over PostgreSQL, and the other one writes' : ''}; the processor time of the writes${scene.cluster ? ' in the database' : ''} is in that of the answers beside them. After the load the server held ${figure(now)} MiB (PSS), ${figure(peak)} MiB at most, and ${figure(idle)} MiB ${IDLE} s later. Cores that other processes used meanwhile, medians: ${disturbed.join(', ')}.`,
    `Answers compared with the floor, before and after the writes: ${compared + wrong.length}, of which ${wrong.length === 0 ? 'none differed' : `**${wrong.length} differed**`}${missing.length === 0 ? '' : `; ${missing.length} did not come within ${PATIENCE} s`}.`,
    ...[...wrong, ...missing].map((one) => `- ${one}`),
    barsTable(judged, now, scene.rows, scene.cluster !== undefined),
  ].join('\n\n')
}

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
      'all values known, s',
      'floor',
      'times the floor',
    ],
    [...results].map(([{ kind, anyOf }, { matches, seen, cells, first, ever, known, floor }]) => [
      nameOf({ kind, anyOf }),
      matches,
      seen,
      ...(Object.keys(columns) as Column[]).map((column) => rateOf(cells[column])),
      firstOf(first),
      firstOf(ever),
      known ?? Number.NaN,
      floor ?? Number.NaN,
      (cells.quiet?.perSecond ?? Number.NaN) / (floor ?? Number.NaN),
    ]),
  )

const rateOf = (cell: Cell | undefined): string | number =>
  cell === undefined ? '–' : cell.refusals === 0 ? cell.perSecond : `${figure(cell.perSecond)} (${figure(cell.refusals)} refused)`

const times = (results: Run['results']): string =>
  table(
    ['list', ...Object.values(columns).map(({ says }) => says)],
    [...results].map(([{ kind, anyOf }, { cells }]) => [
      nameOf({ kind, anyOf }),
      ...(Object.keys(columns) as Column[]).map((column) => {
        const cell = cells[column]
        return cell === undefined ? '–' : [cell.p50, cell.p99, cell.cpu].map(figure).join(' / ')
      }),
    ]),
  )
