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
