import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench, Pair } from '../bench.ts'
import { load, median } from '../compare.ts'
import { memoryOf } from '../machine.ts'
import { table, verdict } from '../markdown.ts'
import type { Question } from '../question.ts'
import { anyId, change, create, oneRecord, page, pages, twins } from '../requests.ts'
import { ask, startFloor, startOurs, stop, type Server } from '../servers.ts'

export const startQuestion: Question = {
  name: 'start',
  says: 'How soon is the first record answered, and how much memory does the server hold?',
  measure: (bench) =>
    bench.withData(bench.rows, async ({ data, token, floor }) => {
      const ours = await threeStarts(() => startOurs(data, token))
      const its = await threeStarts(() => startFloor(floor))
      const filled = await afterLoad(bench)
      const head = ['', 'first answer ms', 'idle MiB', 'after the load MiB', 'first answer', 'idle', 'after the load']
      return table(head, [
        [
          'kartoteka',
          ours.first,
          ours.idle,
          filled.ours,
          verdict('≤ 300 ms', ours.first <= 300),
          verdict('≤ 90 MiB', ours.idle <= 90),
          verdict('≤ 250 MiB', filled.ours <= 250),
        ],
        ['floor', its.first, its.idle, filled.floor, '', '', ''],
      ])
    }),
}

/** Medians of three starts: milliseconds from starting the process to the first answer, and memory three seconds later. */
async function threeStarts(begin: () => Promise<Server>): Promise<{ first: number; idle: number }> {
  const first: number[] = []
  const idle: number[] = []
  for (let i = 0; i < 3; i++) {
    const began = performance.now()
    const server = await begin()
    await ask(server, '/api/dev/data1/77')
    first.push(performance.now() - began)
    await sleep(3000)
    idle.push(memoryOf(server.child.pid!))
    await stop(server)
  }
  return { first: median(first), idle: median(idle) }
}

/** Memory of both after every kind of request that the other questions make. */
const afterLoad = (bench: Bench): Promise<{ ours: number; floor: number }> =>
  bench.withPair(bench.rows, async (pair) => {
    const of = async (who: 'ours' | 'floor') => {
      for (const requests of workload(pair))
        await load(
          bench,
          pair[who],
          16,
          requests.map((one) => one[who]),
        )
      return memoryOf(pair[who].child.pid!)
    }
    return { ours: await of('ours'), floor: await of('floor') }
  })

const workload = (pair: Pair) => [
  twins(10_000, 1, (next) => oneRecord(anyId(next, pair.rows))),
  [page(pair, 'all', [])],
  ...['equal', 'equal number', 'equal list', 'contains digits', 'sorted number'].map((kind) => pages(pair, kind, 1000, 2)),
  twins(1000, 3, (next) => page(pair, 'all', [], anyId(next, pair.rows))),
  twins(10_000, 4, (next) => change(pair, anyId(next, pair.rows), 30_000_000 + anyId(next, 1e6))),
  Array.from({ length: 10_000 }, (_, i) => create(pair, 20_000_000 + i)),
]
