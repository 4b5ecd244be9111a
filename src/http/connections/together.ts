/*
 * Answers that are ready in one turn of the event loop are written one right after the other, at its end. Each write wakes up a receiver that sleeps, which
 * takes longer than the write itself; the later ones find it awake.
 */

/** Seconds after which answers are written before the end of the turn: so none waits for more than one other request that takes long. */
const MOST = 0.002

export interface Together {
  /** Writes an answer, with the others of this turn. */
  write(write: () => void): void
  /** Called before a request is worked on: writes what has waited for long. */
  pause(): void
}

/** `seconds`: a clock. */
export function answersTogether(seconds: () => number): Together {
  const waiting: (() => void)[] = []
  let since = 0
  const writeAll = (): void => {
    for (const write of waiting.splice(0)) write()
  }
  const pause = (): void => {
    if (waiting.length > 0 && seconds() - since > MOST) writeAll()
  }
  return {
    write(write) {
      if (waiting.push(write) > 1) return pause()
      since = seconds()
      setImmediate(writeAll)
    },
    pause,
  }
}
