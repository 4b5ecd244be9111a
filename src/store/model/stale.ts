/** The structure changed during a request, which is run again from the start. Clients never see this error. */
export class Stale extends Error {
  /** `cause`: the error of the database, if there was one. */
  constructor(cause?: unknown) {
    super('The structure changed while the request ran.', { cause })
    this.name = 'Stale'
  }
}
