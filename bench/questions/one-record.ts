import { atLeast, compare, comparison, type Line } from '../compare.ts'
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
      return `${comparison(lines)}\n\n${bytes}`
    }),
}
