import { Failure } from '../../errors.ts'
import { Abandoned, type Asker } from '../model/asker.ts'

/* What is read once for all who wait for it. */

export class SharedReads {
  /** What is being read, by its name. */
  readonly #reading = new Map<string, Promise<unknown>>()

  /** Undefined: it has to be asked anew, since whoever it was read for has gone. @throws as `read` */
  once<T>(name: string, by: Asker, read: () => Promise<T>): Promise<T | undefined> {
    let begun = this.#reading.get(name) as Promise<T> | undefined
    const isOwn = begun === undefined
    if (!begun) {
      begun = read().finally(() => this.#reading.delete(name))
      this.#reading.set(name, begun)
    }
    return begun.catch((error: unknown) => {
      // Whoever it was read for has gone, or has too many reads waiting; the others ask again.
      const isOfOther = error instanceof Abandoned || (!isOwn && error instanceof Failure && error.code === 'server.busy')
      if (!isOfOther || by.client?.isGone) throw error
      return undefined
    })
  }

  /** Resolves when nothing is being read. */
  idle(): Promise<unknown> {
    return Promise.allSettled(this.#reading.values())
  }
}

/** The same for whoever waits for it. @throws Abandoned once they have gone, though the work goes on */
export function unlessGone<T>({ client }: Asker, work: Promise<T>): Promise<T> {
  if (!client) return work
  return new Promise((resolve, reject) => {
    const stop = client.whenGone(() => reject(new Abandoned()))
    work.then(resolve, reject).finally(stop)
  })
}
