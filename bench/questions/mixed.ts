import type { Bench, Pair } from '../bench.ts'
import { load } from '../compare.ts'
import type { Measured, Shot } from '../load.ts'
import { memoryOf } from '../machine.ts'
import { table, verdict } from '../markdown.ts'
import type { Question } from '../question.ts'
import { anyId, change, create, oneRecord, page, twins, type Twin } from '../requests.ts'
import { command, importArguments } from '../servers.ts'

/** Lines of the import that runs beside, at 100,000 records and more. */
const LINES = 1_000_000
const kinds = ['one record', 'all', 'create', 'change']
const names: Readonly<Record<string, string>> = { all: 'page of 20 and total' }

export const mixedQuestion: Question = {
  name: 'mixed',
  says: 'Reading and writing at once, with an import running beside: who waits how long?',
  measure: (bench) =>
    bench.withPair(bench.rows, async (pair) => {
      const lines = Math.min(LINES, bench.rows * 10)
      const shots = mixture(pair, 20_000)
      await load(bench, pair.ours, 16, shots)
      const alone = await load(bench, pair.ours, 16, shots, bench.seconds * 2)
      const { measured, seconds, memory } = await beside(bench, pair, shots, lines)
      const rows = [...rowsOf('alone', alone, false), ...rowsOf('beside the import', measured, true)]
      const head = ['load', 'request', 'requests', 'p50 ms', 'p99 ms', 'longest ms', 'p99 / p50', 'bar']
      const what = `70 % one record, 20 % page, 5 % create, 5 % change; 16 connections; ${Math.round(alone.perSecond).toLocaleString('en-US')}/s alone, ${Math.round(measured.perSecond).toLocaleString('en-US')}/s beside the import of ${lines.toLocaleString('en-US')} lines, which took ${seconds.toFixed(0)} s. The server held ${memory.toFixed(0)} MiB at its end.`
      return `${table(head, rows)}\n\n${what}`
    }),
}

/** The four kinds in the shares of a mixed load, mixed by chance. */
export function mixture(pair: Pick<Pair, 'ours' | 'rows'>, count: number): Shot[] {
  let created = 20_000_000
  const one = (next: () => number): Twin => {
    const share = next()
    if (share < 0.7) return oneRecord(anyId(next, pair.rows))
    if (share < 0.9) return page(pair, 'all', [])
    return share < 0.95 ? create(pair, created++) : change(pair, anyId(next, pair.rows), 30_000_000 + anyId(next, 1e6))
  }
  return twins(count, 5, one).map(({ ours }) => ours)
}

/** The mixture for as long as the import takes. */
async function beside(
  bench: Bench,
  { ours }: Pair,
  shots: readonly Shot[],
  lines: number,
): Promise<{ measured: Measured; seconds: number; memory: number }> {
  const file = await bench.csv(40_000_001, 40_000_000 + lines)
  const running = load(bench, ours, 16, shots, 600)
  const imported = await command(ours.data, ...importArguments('imported', file)).finally(() => bench.loader.stop())
  const measured = await running
  return { measured, seconds: imported.seconds, memory: memoryOf(ours.child.pid!) }
}

const rowsOf = (loadName: string, measured: Measured, judged: boolean): (string | number)[][] =>
  kinds.map((kind) => {
    const { count, p50, p99, most } = measured.kinds[kind]!
    return [loadName, names[kind] ?? kind, count, p50, p99, most, p99 / p50, judged ? verdict('≤ 5', p99 / p50 <= 5) : '']
  })
