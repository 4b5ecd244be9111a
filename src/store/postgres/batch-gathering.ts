/*
 * How many writes wait for each other to share a transaction. Callers who are answered together ask again together; a writer
 * that began with the first of them would do a transaction for one, and all the rest would go to the next and wait for the
 * disk at the same time. So a writer waits, for a moment, until its part of those who were there lately is there again.
 */

/** Writes a writer begins with at once: to wait for so few brings less than it costs. */
const FEW = 4
/** Milliseconds, at most. */
const PATIENCE = 1

export interface BatchGathering {
  /** One more write waits to be done. */
  came(): void
  /** So many have been answered. */
  left(count: number): void
  /** Resolves when enough are there to begin, with how many to take at most. */
  enough(): Promise<number>
}

/** @param waiting writes that no writer has taken yet */
export function batchGathering(writers: number, waiting: () => number): BatchGathering {
  let present = 0
  let lately = 0
  const begins: (() => void)[] = []
  const isEnough = () => {
    const part = lately / writers
    return part <= FEW || waiting() >= part
  }
  return {
    came() {
      lately = Math.max(lately, ++present)
      if (begins.length > 0 && isEnough()) begins.shift()!()
    },
    left: (count) => void (present -= count),
    async enough() {
      if (!isEnough())
        await new Promise<void>((resolve) => {
          const begin = () => {
            clearTimeout(timer)
            resolve()
          }
          const timer = setTimeout(() => {
            begins.splice(begins.indexOf(begin), 1)
            resolve()
          }, PATIENCE)
          begins.push(begin)
        })
      const most = Math.max(FEW, Math.ceil(lately / writers))
      lately = Math.max(present, lately * 0.9)
      return most
    },
  }
}
