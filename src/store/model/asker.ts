/** The connection that an answer goes to. */
export interface Client {
  readonly isGone: boolean
  /** Calls when the connection ends; what it returns stops that. */
  whenGone(call: () => void): () => void
}

/** Who waits for a read. */
export interface Asker {
  readonly userId: number
  /** Left out for who is not to be waited for, such as a command. */
  readonly client?: Client | undefined
}

/** The service itself. */
export const nobody: Asker = { userId: 0 }

/** Thrown instead of an answer that nobody waits for any more. */
export class Abandoned extends Error {}
