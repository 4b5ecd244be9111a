import type { Bench, Pair } from '../bench.ts'
import { compare, outcome } from '../compare.ts'
import { table } from '../markdown.ts'
import type { Question } from '../question.ts'
import { anyId, create, oneRecord, page, pages, twins, type Twin } from '../requests.ts'
import { memoryOf } from '../machine.ts'
import { awaitIndexes } from '../await-indexes.ts'

const filters = ['equal', 'sorted number', 'contains digits']

const requests: Readonly<Record<string, (pair: Pair, round: number) => Twin[]>> = {
  'one record': ({ rows }, round) => twins(20_000, round, (next) => oneRecord(anyId(next, rows))),
  'page of 20 and total': (pair) => [page(pair, 'all', [])],
  'page anywhere': (pair, round) => twins(2000, round, (next) => page(pair, 'all', [], anyId(next, pair.rows))),
  '`eq`, one match': (pair, round) => pages(pair, 'equal', 2000, round),
  'sorted by a decimal': (pair, round) => pages(pair, 'sorted number', 2000, round),
  '`contains`, one match': (pair, round) => pages(pair, 'contains digits', 2000, round),
  create: (pair, round) => Array.from({ length: 10_000 }, (_, i) => create(pair, 20_000_000 + 100_000 * round + i)),
}

export const growthQuestion: Question = {
  name: 'growth',
  says: 'The same requests on ever larger tables, from 10,000 records to as many as asked for: what grows?',
  async measure(bench) {
    const sizes = [10_000, 100_000, 1_000_000, 10_000_000].filter((size) => size <= bench.rows)
    const columns: Map<string, Cell>[] = []
    for (const size of sizes) columns.push(await bench.withPair(size, (pair) => column(bench, pair)))
    const rows = [...columns[0]!.keys()].map((what) => {
      const cells = columns.map((one) => one.get(what)!)
      return [what, ...cells.map(({ ours }) => ours), ...cells.map(({ floor }) => floor)]
    })
    const named = (who: string) => sizes.map((size) => `${who} ${size.toLocaleString('en-US')}`)
    return table(['a second, 16 connections', ...named('kartoteka'), ...named('floor')], rows)
  },
}

interface Cell {
  readonly ours: number
  readonly floor: number
}

async function column(bench: Bench, pair: Pair): Promise<Map<string, Cell>> {
  const cells = new Map<string, Cell>()
  await awaitIndexes(bench, pair, filters)
  for (const [what, make] of Object.entries(requests)) {
    await outcome(
      bench,
      pair.ours,
      16,
      make(pair, 0).map((one) => one.ours),
    )
    const one = await compare({ ...bench, rounds: 1 }, pair, 16, (round) => make(pair, round + 1))
    cells.set(what, { ours: one.ours.perSecond, floor: one.floor.perSecond })
  }
  cells.set('memory MiB', { ours: memoryOf(pair.ours.child.pid!), floor: memoryOf(pair.floor.child.pid!) })
  return cells
}
