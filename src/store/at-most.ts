import { fail } from '../errors.ts'

/** Runs work of one kind, so much at once; what is more waits in its order. @throws `server.busy` where too much waits already */
export type AtMost = <T>(work: () => Promise<T>) => Promise<T>

export function atMost(once: number, waitingMost: number): AtMost {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running < once) running++
    else if (waiting.length >= waitingMost) throw fail('server.busy', undefined, { headers: { 'Retry-After': '5' } })
    else await new Promise<void>((go) => waiting.push(go))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
