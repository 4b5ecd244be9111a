import { limits } from '../../limits.ts'
import { Abandoned, type Asker } from '../model/asker.ts'
import { fairQueue, type FairQueue } from '../scheduling/fair-queue.ts'
import type { Scan } from './piece-scan.ts'
import type { Question, ReadingAnswer } from './reading-thread.ts'

/*
 * Reads that look for a piece in the same text of all records of a table (piece-scan.ts). The first ones read alone. Those that come meanwhile wait, and
 * one pass looks for all their pieces: most of what such a read costs is to read the records.
 */

export interface SharedScans {
  /** `alone`: reads it without others. Errors as those of the queue of slow reads. */
  read(by: Asker, scan: Scan, alone: () => Promise<ReadingAnswer>): Promise<ReadingAnswer>
  /** How many reads wait for a pass. */
  waiting(): number
  /** Those that wait fail. */
  close(): void
}

/** Pieces that one pass looks for, at most. */
const MOST = 16
/** What a further piece costs, as a share of what the first one costs. */
const FURTHER = 1 / 4

interface Waiting {
  readonly by: Asker
  readonly scan: Scan
  readonly alone: () => Promise<ReadingAnswer>
  resolve(answer: ReadingAnswer): void
  reject(error: unknown): void
}

/** The passes through one text of a table. */
interface Passes {
  running: number
  /** How long the last read of one piece took. */
  milliseconds: number
  readonly waiting: FairQueue<Waiting>
}

/** `atOnce`: passes through a text at the same time. `limit`: milliseconds that a read may take. */
export function sharedScans(ask: (by: Asker, question: Question) => Promise<ReadingAnswer>, atOnce: number, limit: number): SharedScans {
  const all = new Map<string, Passes>()

  function next(name: string, passes: Passes): void {
    while (passes.running < atOnce) {
      const some = taken(passes, limit)
      if (some.length === 0) break
      passes.running++
      void pass(passes, some).finally(() => {
        passes.running--
        next(name, passes)
      })
    }
    if (passes.running === 0) all.delete(name)
  }

  async function pass(passes: Passes, some: readonly Waiting[]): Promise<void> {
    try {
      if (some.length > 1) return ended(some, await together(some))
      const answer = await some[0]!.alone()
      if (!('failed' in answer)) passes.milliseconds = answer.milliseconds
      ended(some, answer)
    } catch (error) {
      for (const { reject } of some) reject(error)
    }
  }

  function together(some: readonly Waiting[]): Promise<ReadingAnswer> {
    const { records, text } = some[0]!.scan
    return ask(everyone(some.map(({ by }) => by)), {
      queries: [records, text],
      limit,
      as: 'sets',
      pieces: some.map(({ scan }) => scan.piece),
    })
  }

  return {
    async read(by, scan, alone) {
      if (by.client?.isGone) throw new Abandoned()
      const name = JSON.stringify([scan.records.text, scan.records.params.map(String)])
      const passes = all.get(name) ?? {
        running: 0,
        milliseconds: 0,
        waiting: fairQueue<Waiting>(limits.slowReads.most, limits.slowReadsOfUser.most),
      }
      all.set(name, passes)
      let waiting: Waiting
      const stop = by.client?.whenGone(() => passes.waiting.remove(by.userId, waiting) && waiting.reject(new Abandoned()))
      return new Promise<ReadingAnswer>((resolve, reject) => {
        waiting = { by, scan, alone, resolve, reject }
        passes.waiting.add(by.userId, waiting, by.client)
        next(name, passes)
      }).finally(stop)
    },
    waiting: () => [...all.values()].reduce((sum, { waiting }) => sum + waiting.waiting(), 0),
    close() {
      for (const { waiting } of all.values()) for (const { reject } of waiting.clear()) reject(new Error('The database is closed.'))
    },
  }
}

/** Those who are next, as many as one pass can answer in half of the time limit. */
function taken({ milliseconds, waiting }: Passes, limit: number): Waiting[] {
  const inTime = milliseconds === 0 ? MOST : 1 + (limit / 2 / milliseconds - 1) / FURTHER
  const some: Waiting[] = []
  while (some.length < Math.min(MOST, Math.max(1, Math.floor(inTime)))) {
    const one = waiting.take()
    if (!one) break
    some.push(one)
  }
  return some
}

/** A pass of several gives each its set. */
function ended(some: readonly Waiting[], answer: ReadingAnswer): void {
  for (const [i, { resolve }] of some.entries()) {
    resolve('sets' in answer ? { set: answer.sets[i]!, milliseconds: answer.milliseconds } : answer)
  }
}

/** Goes on while any of them waits. */
function everyone(all: readonly Asker[]): Asker {
  const { userId } = all[0]!
  const clients = all.flatMap(({ client }) => client ?? [])
  if (clients.length < all.length) return { userId }
  const areGone = () => clients.every(({ isGone }) => isGone)
  return {
    userId,
    client: {
      get isGone() {
        return areGone()
      },
      whenGone(call) {
        const stops = clients.map((client) => client.whenGone(() => areGone() && call()))
        return () => stops.forEach((stop) => stop())
      },
    },
  }
}
