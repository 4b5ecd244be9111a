/** The connection that an answer goes to. */
export interface Client {
  readonly isGone: boolean
  /** Calls a function when the connection ends. Returns how to cancel that. */
  whenGone(call: () => void): () => void
}

/** Who waits for a read. */
export interface Asker {
  readonly userId: number
  /** Absent where the work must go on in any case, such as for a command. */
  readonly client?: Client | undefined
}

/** The service itself. */
export const nobody: Asker = { userId: 0 }

/** Thrown instead of an answer that nobody waits for any more. */
export class Abandoned extends Error {}
