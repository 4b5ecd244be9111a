import { load, outcome, type Outcome } from '../compare.ts'
import { indexesOf, type Bench, type Pair } from '../bench.ts'
import { table, verdict } from '../markdown.ts'
import type { Question } from '../question.ts'
import { pages } from '../requests.ts'
import { sameAnswer } from '../same-answer.ts'
import { lists } from '../lists.ts'
import { awaitIndexes } from '../await-indexes.ts'

/** Kinds with the least that is asked for in a second, at 1,000,000 records. */
const bars: Readonly<Record<string, number | undefined>> = {
  equal: 1000,
  'equal number': 1000,
  'equal list': undefined,
  range: 1000,
  between: 1000,
  in: 1000,
  'starts with': 1000,
  and: 1000,
  'sorted text': 1000,
  'sorted number': 1000,
  'sorted time': 1000,
  'filtered and sorted': 1000,
  'contains digits': 300,
  'contains part': 300,
  'contains words': 300,
}

export const filtersQuestion: Question = {
  name: 'filters',
  says: 'Filters and sorts on fields that nobody indexed, other values in each request: how many a second?',
  measure: (bench) =>
    bench.withPair(bench.rows, async (pair) => {
      await awaitIndexes(bench, pair, Object.keys(bars))
      const rows: (string | number)[][] = []
      for (const [kind, least] of Object.entries(bars)) rows.push(await measureKind(bench, pair, kind, least))
      const head = ['list', 'matches', 'kartoteka /s', 'p50 ms', 'p99 ms', 'CPU µs', 'floor /s', 'times the floor', 'bar at 1,000,000']
      return `${table(head, rows)}\n\nIndexes of the table: ${indexesOf(pair.ours).join('; ') || 'none'}.`
    }),
}

async function measureKind(bench: Bench, pair: Pair, kind: string, least: number | undefined): Promise<(string | number)[]> {
  const matches = await sameAnswer(pair, kind)
  const ours: Outcome[] = []
  for (let round = 0; round <= bench.rounds; round++)
    ours.push(
      await outcome(
        bench,
        pair.ours,
        16,
        pages(pair, kind, 10_000, 100 + round).map((one) => one.ours),
      ),
    )
  const { perSecond, p50, p99, cpu } = ours.slice(1).sort((a, b) => a.perSecond - b.perSecond)[Math.floor(bench.rounds / 2)]!
  // The floor scans: one stretch tells enough.
  const floor = await load(
    bench,
    pair.floor,
    4,
    pages(pair, kind, 1000, 100).map((one) => one.floor),
  )
  const bar = least === undefined ? '' : verdict(`≥ ${least.toLocaleString('en-US')}/s`, perSecond >= least)
  return [lists[kind]!.says, matches, perSecond, p50, p99, cpu, floor.perSecond, perSecond / floor.perSecond, bar]
}
