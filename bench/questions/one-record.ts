import type { Bench, Pair } from '../bench.ts'
import { atLeast, compare, comparison, median, outcome, type Line } from '../compare.ts'
import { verdict } from '../markdown.ts'
import type { Question } from '../question.ts'
import { anyId, oneRecord, page, twins } from '../requests.ts'

export const oneRecordQuestion: Question = {
  name: 'one-record',
  says: 'One record by id, and a page of 20 with the total: how far from the floor?',
  measure: (bench) =>
    bench.withPair(bench.rows, async (pair) => {
      const lines: Line[] = []
      for (const connections of [1, 16, 64]) {
        const one = await compare(bench, pair, connections, (round) => twins(20_000, round, (next) => oneRecord(anyId(next, pair.rows))))
        lines.push({ says: 'one record', connections, compared: one, bar: connections === 16 ? atLeast(0.5, one) : undefined })
      }
      const counting = await compare(bench, pair, 16, () => [page(pair, 'all', [])])
      lines.push({ says: 'page of 20 and total', connections: 16, compared: counting, bar: atLeast(0.6, counting) })
      const known = await compare(bench, pair, 16, () => [page(pair, 'known', [])])
      lines.push({ says: 'the same; the floor does not count', connections: 16, compared: known, bar: atLeast(0.6, known) })
      const bytes = `An answer has ${Math.round(lines[0]!.compared.ours.bytes)} bytes (floor: ${Math.round(lines[0]!.compared.floor.bytes)}), its head included.`
      return [comparison(lines), bytes, ...(bench.rows > SMALL ? [await besideSmall(bench, pair)] : [])].join('\n\n')
    }),
}

/** Records of the table with which a larger one is compared. */
const SMALL = 100_000

/** The same page of both tables in turns, so that what disturbs one disturbs the other. */
const besideSmall = (bench: Bench, large: Pair): Promise<string> =>
  bench.withPair(SMALL, async (small) => {
    const costs: number[] = []
    for (let round = 0; round <= 3 * bench.rounds; round++) {
      const [most, least] = [await pageOf(large), await pageOf(small)]
      if (round > 0) costs.push(least / most)
    }
    const cost = median(costs)
    return `A page of 20 costs ${cost.toFixed(2)} times what it costs at 100,000, in turns. Bar: ${verdict('≤ 1.2', cost <= 1.2)}.`

    async function pageOf(pair: Pair): Promise<number> {
      return (await outcome(bench, pair.ours, 16, [page(pair, 'all', []).ours])).perSecond
    }
  })
