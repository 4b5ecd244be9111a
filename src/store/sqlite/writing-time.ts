import { setTimeout as sleep } from 'node:timers/promises'

/*
 * How long others write, and a wait for them: on SQLite one writes at a time.
 */

/** Milliseconds after which it is looked at again. */
const LOOK = 5

export interface WritingTime {
  /** The time that the work takes is that of somebody who writes. */
  timed<T>(work: () => Promise<T>): Promise<T>
  /** Waits for so many milliseconds if others write all the time, for half of them if they do half of the time, and so on. */
  giveWay(milliseconds: number, isStopped: () => boolean): Promise<void>
}

/** In milliseconds. */
export interface Clock {
  now(): number
  sleep(milliseconds: number): Promise<unknown>
}

const monotonic: Clock = { now: () => performance.now(), sleep }

export function writingTime(clock: Clock = monotonic): WritingTime {
  let ended = 0
  let since: number | undefined
  const spent = (now: number) => ended + (since === undefined ? 0 : now - since)
  return {
    async timed(work) {
      since = clock.now()
      try {
        return await work()
      } finally {
        ended = spent(clock.now())
        since = undefined
      }
    },
    async giveWay(milliseconds, isStopped) {
      const began = clock.now()
      const before = spent(began)
      let [waited, share] = [0, 1]
      while (waited < milliseconds * share && !isStopped()) {
        await clock.sleep(LOOK)
        const now = clock.now()
        waited = now - began
        share = (spent(now) - before) / waited
      }
    },
  }
}
