import { indexesOf, type Bench, type Pair } from '../bench.ts'
import { atLeast, compare, comparison, perSecond, type Line } from '../compare.ts'
import type { Question } from '../question.ts'
import { anyId, change, create, twins } from '../requests.ts'
import { awaitIndexes } from '../await-indexes.ts'

/** What the policy gets to see before anything is written: all that the bars of lists ask of it. */
const asked = [
  'equal',
  'equal number',
  'equal list',
  'range',
  'between',
  'in',
  'starts with',
  'sorted text',
  'sorted number',
  'sorted time',
  'contains digits',
  'contains part',
  'contains words',
]

export const writesQuestion: Question = {
  name: 'writes',
  says: 'Records created and changed, each on disk before its answer: how many a second?',
  measure: (bench) =>
    bench.withPair(bench.rows, async (pair) => {
      const plain = indexesOf(pair.ours)
      const before = await writes(bench, pair, [1, 64])
      await awaitIndexes(bench, pair, asked)
      const made = indexesOf(pair.ours)
      const told = (indexes: readonly string[]) => `Indexes of the table: ${indexes.join('; ') || 'none'}.`
      if (made.length === plain.length) return `${comparison(await writes(bench, pair, [1, 16, 64]))}\n\n${told(made)}`
      return `With the indexes that lists had made:\n\n${comparison(await writes(bench, pair, [1, 16, 64]))}\n\n${told(made)}\n\nWithout:\n\n${comparison(before)}\n\n${told(plain)}`
    }),
}

async function writes(bench: Bench, pair: Pair, connections: readonly number[]): Promise<Line[]> {
  const lines: Line[] = []
  for (const n of connections) {
    const creates = await compare(bench, pair, n, (round) => {
      const first = 20_000_000 + 100_000 * round
      return Array.from({ length: 10_000 }, (_, i) => create(pair, first + i))
    })
    const changes = await compare(bench, pair, n, (round) =>
      twins(10_000, round, (next) => change(pair, anyId(next, pair.rows), 30_000_000 + anyId(next, 1e6))),
    )
    const bar = (compared: typeof creates, peer: number): Line['bar'] =>
      n === 1 ? atLeast(0.8, compared) : n === 16 ? perSecond(2 * peer, compared) : n === 64 ? perSecond(15_000, compared) : undefined
    lines.push({ says: 'create', connections: n, compared: creates, bar: bar(creates, 4166) })
    lines.push({ says: 'change', connections: n, compared: changes, bar: bar(changes, 3213) })
  }
  return lines
}
