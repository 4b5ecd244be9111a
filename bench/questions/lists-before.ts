import { execFileSync } from 'node:child_process'
import type { Bench } from '../bench.ts'
import { shareOfMemory } from '../machine.ts'
import { figure, table, verdict } from '../markdown.ts'
import { FIRST, ofFirstQuiet, type Share } from '../office-bars.ts'
import {
  askPatiently,
  chosenRows,
  columns,
  firstAskOf,
  isMeasured,
  loadLists,
  measureCell,
  NoAnswer,
  nameOf,
  settle,
  shotsOf,
  type Cell,
  type Column,
  type Load,
  type Row,
} from '../office-cells.ts'
import { withScene, type Scene } from '../office-scene.ts'
import type { Question } from '../question.ts'
import { programIn } from '../servers.ts'

/** Seconds for which both are asked for each list before they are measured. */
const WARM_UP = 1
/** Values of each list that are asked for one after the other before that. */
const FIRST_ASKS = 12
/** The list whose rate on a quiet server, by the version before, is the baseline, and for how many seconds it is asked each time. */
const BASELINE = 'eq'
const BASELINE_SECONDS = 1

interface Pair<T> {
  readonly before: T
  readonly after: T
}

interface Line {
  readonly row: Row
  /** `baseline`: requests a second right before or after. */
  readonly cells: Partial<Record<Column, Pair<Cell> & { readonly baseline: number }>>
  /** Milliseconds. */
  first?: Pair<number>
}

export const listsBeforeQuestion: Question = {
  name: 'lists-before',
  says: 'The lists of the question `lists`, by the version in another folder (--other) and by this one, in turns.',
  measure(bench) {
    if (bench.other === undefined) throw new Error('--other takes the folder of another checkout that has its dependencies.')
    return withScene(bench, (before) => withScene(bench, (after) => compared(bench, { before, after })), programIn(bench.other))
  },
}

async function compared(bench: Bench, scenes: Pair<Scene>): Promise<string> {
  const loads: Pair<Load> = { before: loadOf(scenes.before), after: loadOf(scenes.after) }
  const lines = chosenRows(bench.only).map((row): Line => ({ row, cells: {} }))
  for (const scene of [scenes.before, scenes.after]) {
    for (const { row } of lines) await warmUp(scene, row)
    await settle(scene, 10 + scene.rows / 10_000)
  }
  let turn = 0
  for (const column of Object.keys(columns) as Column[])
    for (const { row, cells } of lines) {
      if (!isMeasured(row, column, bench.only)) continue
      cells[column] = await inTurns(loads, row, column, turn++ % 2 === 0)
    }
  const memory = { before: memoryOf(scenes.before), after: memoryOf(scenes.after) }
  for (const line of lines)
    line.first = { before: await firstMilliseconds(scenes.before, line.row), after: await firstMilliseconds(scenes.after, line.row) }
  return shown(bench, lines, memory, [...loads.before.missing, ...loads.after.missing])
}

/** First asks are waited for: what nobody waits for any more is not read to its end. */
async function warmUp(scene: Scene, row: Row): Promise<void> {
  const shots = shotsOf(scene, row, 1, false, 2000)
  for (const { path } of shots.slice(0, FIRST_ASKS)) await unlessNone(askPatiently(scene.reading, path))
  await loadLists(scene, shots, scene.reading.token, WARM_UP)
}

const loadOf = (scene: Scene): Load => ({ scene, missing: [], written: 0, torn: false })

/** One right after the other, since the speed of a machine changes from minute to minute. */
async function inTurns(loads: Pair<Load>, row: Row, column: Column, isBeforeFirst: boolean): Promise<Pair<Cell> & { baseline: number }> {
  const [one, two] = isBeforeFirst ? [loads.before, loads.after] : [loads.after, loads.before]
  const first = await measureCell(one, row, column)
  const baseline = await baselineOf(loads.before.scene)
  const second = await measureCell(two, row, column)
  return isBeforeFirst ? { before: first, baseline, after: second } : { before: second, baseline, after: first }
}

/** What the version before does with a list whose total it remembers: what HTTP takes on this machine, at this moment. */
async function baselineOf(scene: Scene): Promise<number> {
  const [row] = chosenRows([BASELINE])
  const shots = shotsOf(scene, row!, 50, false, 5000)
  await loadLists(scene, shots.slice(0, 200), scene.reading.token, 0.3)
  return (await loadLists(scene, shots, scene.reading.token, BASELINE_SECONDS)).perSecond
}

const memoryOf = ({ reading }: Scene): number => shareOfMemory(reading.child.pid!)

async function firstMilliseconds(scene: Scene, row: Row): Promise<number> {
  await scene.restart()
  return (await unlessNone(firstAskOf(scene, row)))?.milliseconds ?? Number.POSITIVE_INFINITY
}

/** Undefined where there was no answer. */
async function unlessNone<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error
    return undefined
  }
}

function shown(bench: Bench, lines: readonly Line[], memory: Pair<number>, missing: readonly string[]): string {
  const names = Object.keys(columns) as Column[]
  const baselines = lines.flatMap(({ cells }) => Object.values(cells).map(({ baseline }) => baseline))
  const commit = commitOf(bench.other!)
  return [
    'Requests a second, before → after:',
    table(
      ['list', ...names.map((column) => columns[column].says), 'first ask, ms'],
      lines.map(({ row, cells, first }) => [
        nameOf(row),
        ...names.map((column) => arrow(cells[column], ({ perSecond }) => perSecond)),
        first ? `${figure(first.before)} → ${figure(first.after)}` : '–',
      ]),
    ),
    'µs of CPU of each answer, before → after:',
    table(
      ['list', ...names.map((column) => columns[column].says)],
      lines.map(({ row, cells }) => [nameOf(row), ...names.map((column) => arrow(cells[column], ({ cpu }) => cpu))]),
    ),
    `Before: ${commit}. Both figures of a cell were measured one right after the other. After the load the servers held ${figure(memory.before)} → ${figure(memory.after)} MiB (PSS).`,
    ...missing.map((one) => `- ${one}`),
    `Beside each cell, the version before was asked on a quiet server for \`eq\` on a list: ${figure(Math.min(...baselines))} to ${figure(Math.max(...baselines))} requests a second, as the machine was at that moment. Rates of after as shares of that:`,
    sharesTable(bench, lines, commit.startsWith(FIRST)),
  ].join('\n\n')
}

const arrow = (pair: Pair<Cell> | undefined, of: (cell: Cell) => number): string =>
  pair ? `${figure(of(pair.before))} → ${figure(of(pair.after))}` : '–'

const commitOf = (folder: string): string =>
  execFileSync('git', ['-C', folder, 'rev-parse', '--short=8', 'HEAD'], { encoding: 'utf8' }).trim()

/** The bars are shares of what the first version did: of another one they say nothing. */
function sharesTable(bench: Bench, lines: readonly Line[], isFirst: boolean): string {
  const bars = ofFirstQuiet(bench.rows, bench.store === 'postgres')
  const worst = (orders: readonly Row['order'][], of: readonly Column[]): Share | undefined =>
    lines
      .filter(({ row }) => orders.includes(row.order))
      .flatMap(({ row, cells }) =>
        of.flatMap((column) => {
          const cell = cells[column]
          return cell ? [{ says: `${nameOf(row)}, ${columns[column].says}`, share: cell.after.perSecond / cell.baseline }] : []
        }),
      )
      .sort((one, two) => one.share - two.share)[0]
  const line = (says: string, found: Share | undefined, least: number | undefined) =>
    found && least !== undefined
      ? [[says, found.share.toFixed(2), found.says, isFirst ? verdict(`≥ ${least.toFixed(2)}`, found.share >= least) : '–']]
      : []
  return table(
    ['what', 'worst share', 'of', 'bar'],
    [
      ...line('by id, beside 60 writes/s', worst(['by id'], ['beside', 'limited']), bars.byId),
      ...line('sorted, beside 60 writes/s', worst(['sorted'], ['beside', 'limited']), bars.sorted),
      ...line('beside 1,000 writes/s', worst(['by id', 'sorted'], ['busy']), bars.busy),
    ],
  )
}
