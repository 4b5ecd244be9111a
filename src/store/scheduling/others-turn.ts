import type { Steps } from '../../fields/steps.ts'
import { Abandoned, type Client } from '../model/asker.ts'

/** Resolves in the next turn of the event loop, so that long work lets others run between its steps. */
export const othersTurn = (): Promise<void> => new Promise((next) => setImmediate(next))

/** Does the work and lets other work run between its steps. @throws Abandoned if its client has gone */
export async function inTurns<T>(steps: Steps<T>, client?: Client): Promise<T> {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    await othersTurn()
    if (client?.isGone) throw new Abandoned()
  }
}

/** Steps of a loop in a row, each of up to a millisecond. */
const STEPS = 10

/** For a loop that may have many short steps: called after each, it lets other work run now and then. */
export function turns(): () => Promise<void> | undefined {
  let steps = 0
  return () => (++steps % STEPS === 0 ? othersTurn() : undefined)
}
