import { Abandoned, type Asker } from '../model/asker.ts'
import type { FairQueue } from './fair-queue.ts'

/** Has work done when its turn has come. @throws `server.busy`, Abandoned where nobody waits for it any more */
export interface InTurn {
  <T>(by: Asker, work: () => Promise<T>): Promise<T>
  /** Work that waits, and that runs. */
  load(): { readonly waiting: number; readonly running: number }
}

/** `atOnce`, `ofUser`: the most work at the same time, in all and of one user. */
export function fairTurns(queue: FairQueue<() => void>, atOnce: number, ofUser: number): InTurn {
  const running = new Map<number, number>()
  let all = 0
  const hasRoom = (userId: number) => (running.get(userId) ?? 0) < ofUser

  function next(): void {
    while (all < atOnce) {
      const go = queue.take(hasRoom)
      if (!go) return
      go()
    }
  }

  function count({ userId }: Asker, change: 1 | -1): void {
    all += change
    const own = (running.get(userId) ?? 0) + change
    if (own === 0) running.delete(userId)
    else running.set(userId, own)
  }

  const turn = (by: Asker) =>
    new Promise<void>((resolve, reject) => {
      const stop = by.client?.whenGone(() => queue.remove(by.userId, go) && reject(new Abandoned()))
      function go(): void {
        stop?.()
        count(by, 1)
        resolve()
      }
      try {
        queue.add(by.userId, go, by.client)
      } catch (error) {
        stop?.()
        throw error
      }
      next()
    })

  async function inTurn<T>(by: Asker, work: () => Promise<T>): Promise<T> {
    if (by.client?.isGone) throw new Abandoned()
    await turn(by)
    try {
      return await work()
    } finally {
      count(by, -1)
      next()
    }
  }
  return Object.assign(inTurn, { load: () => ({ waiting: queue.waiting(), running: all }) })
}
