import type { Bench, Pair } from '../bench.ts'
import { load } from '../compare.ts'
import { lists } from '../lists.ts'
import type { Shot } from '../load.ts'
import { table } from '../markdown.ts'
import type { Question } from '../question.ts'
import { anyId, change, pages } from '../requests.ts'
import { sameAnswer } from '../same-answer.ts'
import { random } from '../seed.ts'
import { ask } from '../servers.ts'

const kinds = ['search name', 'search name and notes', 'search common']
const everywhere = 'search in all tables'
/** Searches for each change, in the load with changes. */
const SEARCHES = 19
/** Seconds that the first search may wait for its index, and 1 more for each 5,000 records. */
const PATIENCE = 20

export const searchQuestion: Question = {
  name: 'search',
  says: 'Words that are searched in all fields: how many requests a second, the first time, quiet and beside changes?',
  measure: (bench) =>
    bench.withPair(bench.rows, async (pair) => {
      const first = await firstSearch(bench, pair)
      const rows: (string | number)[][] = []
      for (const kind of [...kinds, everywhere]) rows.push(await measureKind(bench, pair, kind))
      const head = [
        'search',
        'matches',
        'quiet /s',
        'p50 ms',
        'p99 ms',
        'beside changes /s',
        'p50 ms',
        'p99 ms',
        'change p50 ms',
        'floor /s',
      ]
      return `${table(head, rows)}\n\n${first} 16 connections, other words in each request; of the requests beside changes, 1 of ${SEARCHES + 1} changes a record.`
    }),
}

/** How long the first search takes, and how long it is until the index of words answers. */
async function firstSearch(bench: Bench, pair: Pair): Promise<string> {
  const [shot] = pages(pair, kinds[0]!, 1, 1)
  const began = performance.now()
  const since = () => (performance.now() - began) / 1000
  await ask(pair.ours, shot!.ours.path).catch(() => undefined)
  const answered = since()
  const end = PATIENCE + bench.rows / 5000
  for (let turn = 2; since() < end; turn++) {
    const { all } = await load(
      bench,
      pair.ours,
      1,
      pages(pair, kinds[0]!, 200, turn).map(({ ours }) => ours),
      0.5,
    )
    if (all.p50 < 10) break
  }
  return `The first search of the table took ${answered.toFixed(1)} s; after ${since().toFixed(1)} s searches took less than 10 ms.`
}

async function measureKind(bench: Bench, pair: Pair, kind: string): Promise<(string | number)[]> {
  const isList = kind !== everywhere
  const listed = isList ? kind : kinds[0]!
  const matches = await sameAnswer(pair, listed)
  const shots = (seed: number): Shot[] => (isList ? pages(pair, kind, 10_000, seed).map(({ ours }) => ours) : anywhere(pair, seed))
  await load(bench, pair.ours, 16, shots(1))
  const quiet = await load(bench, pair.ours, 16, shots(2))
  const mixed = await load(bench, pair.ours, 16, withChanges(pair, shots(3)))
  const floor = await load(
    bench,
    pair.floor,
    4,
    pages(pair, listed, 1000, 2).map((one) => one.floor),
  )
  const { p50, p99, count } = mixed.kinds[kind]!
  return [
    isList ? lists[kind]!.says : '`GET /search` for the same two words',
    matches,
    quiet.perSecond,
    quiet.all.p50,
    quiet.all.p99,
    count / mixed.seconds,
    p50,
    p99,
    mixed.kinds['change']!.p50,
    isList ? floor.perSecond : '',
  ]
}

/** Searches in all tables, for what the first kind of list searches for. */
function anywhere({ rows }: Pair, seed: number): Shot[] {
  const next = random(seed)
  return Array.from({ length: 10_000 }, () => {
    const text = lists[kinds[0]!]!.values(next, rows).join(' ')
    return { kind: everywhere, path: `/api/dev/search?text=${encodeURIComponent(text)}` }
  })
}

function withChanges(pair: Pair, shots: readonly Shot[]): Shot[] {
  const next = random(11)
  return shots.flatMap((shot, i) => (i % SEARCHES > 0 ? [shot] : [change(pair, anyId(next, pair.rows), 30_000_000 + i).ours, shot]))
}
