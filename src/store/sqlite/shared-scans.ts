import { limits } from '../../limits.ts'
import { Abandoned, nobody, type Asker } from '../model/asker.ts'
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
/** What a pass through the records costs, and what each piece of it, as a multiple of what a read of one piece alone does. */
const PASS = 1.5
const PIECE = 0.25
/** Of the time limit, what a pass may take by that. */
const SHARE = 0.75

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
  /** How long one piece takes alone, by the last read; Infinity: that is not known, so each reads alone. */
  milliseconds: number
  readonly waiting: FairQueue<Waiting>
}

/** `atOnce`: passes through a text at the same time. `limit`: milliseconds that a read may take. */
export function sharedScans(ask: (by: Asker, question: Question) => Promise<ReadingAnswer>, atOnce: number, limit: number): SharedScans {
  const all = new Map<string, Passes>()
  /** All that wait: each user has so many, whatever texts they are about. */
  const admitted = fairQueue<Waiting>(limits.slowReads.most, limits.slowReadsOfUser.most)

  function next(name: string, passes: Passes): void {
    while (passes.running < atOnce) {
      const some = taken(passes, limit)
      if (some.length === 0) break
      for (const one of some) admitted.remove(one.by.userId, one)
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
      const answer = await (some.length > 1 ? ask(everyone(some.map(({ by }) => by)), together(some, limit)) : some[0]!.alone())
      // What took too long together is tried alone.
      if (!('failed' in answer)) passes.milliseconds = answer.milliseconds / costOf(some.length)
      else if (some.length > 1) passes.milliseconds = Infinity
      ended(some, answer)
    } catch (error) {
      for (const { reject } of some) reject(error)
    }
  }

  return {
    async read(by, scan, alone) {
      if (by.client?.isGone) throw new Abandoned()
      const name = JSON.stringify([scan.records.text, scan.records.params.map(String)])
      const passes = all.get(name) ?? {
        running: 0,
        milliseconds: Infinity,
        waiting: fairQueue<Waiting>(Infinity, Infinity),
      }
      let waiting: Waiting
      const stop = by.client?.whenGone(() => {
        if (!passes.waiting.remove(by.userId, waiting)) return
        admitted.remove(by.userId, waiting)
        waiting.reject(new Abandoned())
      })
      return new Promise<ReadingAnswer>((resolve, reject) => {
        waiting = { by, scan, alone, resolve, reject }
        admitted.add(by.userId, waiting, by.client)
        passes.waiting.add(by.userId, waiting, by.client)
        all.set(name, passes)
        next(name, passes)
      }).finally(stop)
    },
    waiting: () => admitted.waiting(),
    close() {
      for (const { waiting } of all.values()) waiting.clear()
      for (const { reject } of admitted.clear()) reject(new Error('The database is closed.'))
    },
  }
}

/** The pass that looks for all their pieces. */
function together(some: readonly Waiting[], limit: number): Question {
  const { records, text } = some[0]!.scan
  return { queries: [records, text], limit, pieces: some.map(({ scan }) => scan.piece) }
}

const costOf = (pieces: number): number => (pieces === 1 ? 1 : PASS + pieces * PIECE)

/** Those who are next, as many as one pass can answer in time. */
function taken({ milliseconds, waiting }: Passes, limit: number): Waiting[] {
  const inTime = ((SHARE * limit) / milliseconds - PASS) / PIECE
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

/** Goes on while any of them waits. Each of them had a place among those who wait, so it takes that of none. */
function everyone(all: readonly Asker[]): Asker {
  const { userId } = nobody
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
