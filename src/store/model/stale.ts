/** The structure changed under a request: it is right to run it again from the start. Never reaches a client. */
export class Stale extends Error {
  constructor() {
    super('The structure changed while the request ran.')
    this.name = 'Stale'
  }
}
