/** Resolves in the next turn of the event loop, so that long work lets others run between its steps. */
export const othersTurn = (): Promise<void> => new Promise((next) => setImmediate(next))
