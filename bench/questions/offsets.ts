import type { Bench, Pair } from '../bench.ts'
import { median, outcome } from '../compare.ts'
import { table, verdict } from '../markdown.ts'
import type { Question } from '../question.ts'
import { page, pathOf, twins } from '../requests.ts'
import { lists } from '../lists.ts'
import { random, type Random } from '../seed.ts'
import type { Server } from '../servers.ts'
import { awaitIndexes } from '../await-indexes.ts'
import { pathFrom, walker } from '../walk.ts'

/** Lists by one field or none: any offset. */
const anywhere = { all: 1.5, 'sorted text': 3, 'sorted number': 3, 'sorted time': 3 }
/** Filtered lists: the page after one that was visited, and the last. */
const walked = ['equal number', 'equal list', 'filtered and sorted', 'sorted number']
/** Pages of a walk. */
const STEPS = 60

export const offsetsQuestion: Question = {
  name: 'offsets',
  says: 'Pages far down a list: what do they cost beside the first?',
  measure: (bench) =>
    bench.withPair(bench.rows, async (pair) => {
      await awaitIndexes(bench, pair, [...Object.keys(anywhere), ...walked])
      const far: (string | number)[][] = []
      for (const [kind, most] of Object.entries(anywhere)) far.push(await anyOffset(bench, pair, kind, most))
      const near: (string | number)[][] = []
      for (const kind of walked) near.push(await walk(pair, kind))
      const head = [
        'list',
        'offset 0, p50 ms',
        'anywhere, p50 ms',
        'last page, p50 ms',
        'worst / first',
        'floor: offset 0',
        'floor: last page',
        'bar',
      ]
      const walkHead = ['list', 'matches', 'offset 0, p50 ms', 'by `links.next`, p50 ms', '`links.last`, p50 ms', 'worst / first', 'bar']
      return `${table(head, far)}\n\n${table(walkHead, near)}`
    }),
}

async function anyOffset(bench: Bench, pair: Pair, kind: string, most: number): Promise<(string | number)[]> {
  const last = Math.floor((pair.rows - 1) / 20) * 20
  const at = async (server: 'ours' | 'floor', offset: (next: Random) => number, seconds = bench.seconds) => {
    const requests = twins(500, 3, (next) => page(pair, kind, [], offset(next)))
    return (
      await outcome(
        bench,
        pair[server],
        1,
        requests.map((one) => one[server]),
        seconds,
      )
    ).p50
  }
  await at('ours', () => 0)
  const first = await at('ours', () => 0)
  const middle = await at('ours', (next) => Math.floor(next() * pair.rows))
  const end = await at('ours', () => last)
  const worst = Math.max(middle, end) / first
  const floor = [await at('floor', () => 0, 1), await at('floor', () => last, 1)]
  return [lists[kind]!.says, first, middle, end, worst, ...floor, verdict(`≤ ${most}`, worst <= most)]
}

/** Each time with another filter: the first page again and again, then the pages behind it, then the last. */
async function walk({ ours, rows }: Pair, kind: string): Promise<(string | number)[]> {
  const next = random(11)
  const first: number[] = []
  const behind: number[] = []
  const last: number[] = []
  let total = 0
  for (let round = 0; round < 5; round++) {
    const values = lists[kind]!.values(next, rows)
    total = await oneWalk(ours, pathOf(ours.fields, kind, values, 0), { first, behind, last })
  }
  const [a, b, c] = [median(first), median(behind), median(last)]
  const worst = Math.max(b, c) / a
  return [lists[kind]!.says, total, a, b, c, worst, verdict('≤ 3', worst <= 3)]
}

async function oneWalk(
  server: Server,
  path: string,
  { first, behind, last }: Record<'first' | 'behind' | 'last', number[]>,
): Promise<number> {
  const { get, close } = walker(server)
  try {
    let { document } = await get(path)
    for (let i = 0; i < STEPS; i++) first.push((await get(path)).milliseconds)
    for (let i = 0; i < STEPS && document.links.next !== undefined; i++) {
      const answer = await get(pathFrom(document.links.next))
      behind.push(answer.milliseconds)
      document = answer.document
    }
    for (let i = 0; i < 5; i++) last.push((await get(pathFrom(document.links.last!))).milliseconds)
    return document.meta.total
  } finally {
    close()
  }
}
