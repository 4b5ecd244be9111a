/*
 * How long a transaction waits for more writes. Clients that are answered together send their next writes together. If a writer began
 * with the first of these, its transaction would have one write, and all others would wait for the next one. So a writer waits for a
 * moment, until about as many writes are there as were answered lately.
 */

/** Expected writes up to which a writer begins at once: waiting for so few costs more than it gains. */
const FEW = 4
/** The most milliseconds that a writer waits. */
const PATIENCE = 1

export interface BatchGathering {
  /** Called when a write arrives. */
  came(): void
  /** Called with the number of writes that were answered. */
  left(count: number): void
  /** Resolves when enough writes are there to begin, with the most to take. */
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
