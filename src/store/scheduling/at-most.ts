import { fail } from '../../errors.ts'
import { Abandoned, type Client } from '../model/asker.ts'

/**
 * Runs work of one kind, at most some at the same time. Other work waits in order, as long as its client is connected.
 * @throws `server.busy` if too much waits already, Abandoned
 */
export type AtMost = <T>(work: () => Promise<T>, client?: Client) => Promise<T>

export function atMost(atOnce: number, waitingMost: number): AtMost {
  const waiting = new Set<() => void>()
  let running = 0
  return async (work, client) => {
    if (client?.isGone) throw new Abandoned()
    if (running < atOnce) running++
    else if (waiting.size >= waitingMost) throw fail('server.busy')
    else await turn(client)
    try {
      return await work()
    } finally {
      const [next] = waiting
      if (next) next()
      else running--
    }
  }

  function turn(client: Client | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const go = () => {
        waiting.delete(go)
        stop?.()
        resolve()
      }
      waiting.add(go)
      const stop = client?.whenGone(() => {
        if (waiting.delete(go)) reject(new Abandoned())
      })
    })
  }
}
