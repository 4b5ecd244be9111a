/** The structure changed under a request: it is right to run it again from the start. Never reaches a client. */
export class Stale extends Error {
  /** `cause`: the error of the database, where that is how it showed. */
  constructor(cause?: unknown) {
    super('The structure changed while the request ran.', { cause })
    this.name = 'Stale'
  }
}
