import { setTimeout as sleep } from 'node:timers/promises'
import { randomOf } from '../support/random.ts'
import { wire } from '../fuzz/wire.ts'
import { step, type Target } from './mixture.ts'

/** What came of a stretch of load. */
export interface Stretch {
  readonly times: number[]
  /** Requests that were to be sent, by the timetable; without one, those that were. */
  readonly due: number
  /** Answers by what was asked for and status, of which there are few; 0: none came. */
  readonly answers: Map<string, number>
  readonly refused: number
  /** Neither 503 nor what is to be expected. */
  readonly faults: number
  /** The answer that took longest once it was asked for, if any took a second. */
  readonly slowest: Slow | undefined
}

/** Milliseconds; `sent` counts from when the load began. */
export interface Slow {
  readonly kind: string
  readonly sent: number
  readonly took: number
}

const CLIENTS = 16
/** Milliseconds from which on an answer is told of by itself. */
const SLOW = 1_000
/** As many as are made while the mixture keeps a record. */
const WITH_FILE = 50

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
  let since = due
  const origin = due
  const fresh = () => ({
    times: [] as number[],
    answers: new Map<string, number>(),
    refused: 0,
    faults: 0,
    slowest: undefined as Slow | undefined,
  })
  let now = fresh()
  const work = async (n: number) => {
    const random = randomOf(seed + n)
    const client = wire(port)
    while (!stopped) {
      const began = perSecond === undefined ? performance.now() : (due += 1_000 / perSecond)
      const early = began - performance.now()
      if (early > 0) await sleep(early)
      const { kind, request, expected } = step(random, target)
      const sent = performance.now()
      // A connection that is refused is no answer either.
      const answers = await client.exchange(request).catch(String)
      const [answer] = typeof answers === 'string' ? [] : answers
      const status = answer?.status ?? 0
      const name = `${kind} ${status}`
      const took = performance.now() - sent
      now.times.push(performance.now() - began)
      if (took > SLOW && took > (now.slowest?.took ?? 0)) now.slowest = { kind, sent: sent - origin, took }
      now.answers.set(name, (now.answers.get(name) ?? 0) + 1)
      if (status === 503) now.refused++
      else if (!expected.includes(status)) now.faults++
      if (status === 201) {
        const id = answer!.headers.get('location')!.split('/').at(-1)!
        target.made.push(id)
        if (kind === 'create with a file') target.withFile.push(id)
        if (target.withFile.length > WITH_FILE) target.withFile.shift()
      }
      // Nothing was done: it is there still.
      if (kind === 'delete' && status === 503) target.made.push(request.target.split('/').at(-1)!)
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
      const until = performance.now()
      const wanted = perSecond === undefined ? taken.times.length : ((until - since) * perSecond) / 1_000
      now = fresh()
      since = until
      return { ...taken, due: wanted }
    },
    async stop() {
      stopped = true
      await Promise.all(clients)
    },
  }
}
