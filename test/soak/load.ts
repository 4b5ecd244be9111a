import { setTimeout as sleep } from 'node:timers/promises'
import { randomOf } from '../fuzz/random.ts'
import { wire } from '../fuzz/wire.ts'
import { step, type Target } from './mixture.ts'

/** What came of a stretch of load. */
export interface Stretch {
  readonly times: number[]
  /** Answers by status. */
  readonly answers: Map<number, number>
}

const CLIENTS = 16

export interface Load {
  /** So many a second from now on; undefined: as many as are answered. Times count from when a request was due. */
  pace(perSecond: number | undefined): void
  /** What came since this was last asked. */
  take(): Stretch
  stop(): Promise<void>
}

export function startLoad(port: number, target: Target, seed: number): Load {
  let perSecond: number | undefined
  let stopped = false
  let due = performance.now()
  let now: { times: number[]; answers: Map<number, number> } = { times: [], answers: new Map() }
  const work = async (n: number) => {
    const random = randomOf(seed + n)
    const client = wire(port)
    while (!stopped) {
      const began = perSecond === undefined ? performance.now() : (due += 1_000 / perSecond)
      const early = began - performance.now()
      if (early > 0) await sleep(early)
      const { kind, request } = step(random, target)
      const answers = await client.exchange(request)
      const [answer] = typeof answers === 'string' ? [] : answers
      const status = answer?.status ?? 0
      now.times.push(performance.now() - began)
      now.answers.set(status, (now.answers.get(status) ?? 0) + 1)
      if (kind === 'create' && status === 201) target.made.push(answer!.headers.get('location')!.split('/').at(-1)!)
    }
    client.close()
  }
  const clients = Array.from({ length: CLIENTS }, (_, n) => work(n))
  return {
    pace(wanted) {
      perSecond = wanted
      due = performance.now()
    },
    take() {
      const taken = now
      now = { times: [], answers: new Map() }
      return taken
    },
    async stop() {
      stopped = true
      await Promise.all(clients)
    },
  }
}

export function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
