/** The changes of one table since the process began, by their numbers: which record each was of. The oldest are forgotten. */
export class ChangeLog {
  #first = 0
  #ids: number[] = []

  /** The number of the next change. */
  get end(): number {
    return this.#first + this.#ids.length
  }

  append(id: number): void {
    this.#ids.push(id)
    if (this.#ids.length < 2 * MOST) return
    this.#ids = this.#ids.slice(MOST)
    this.#first += MOST
  }

  /** The records that changed from this number on; undefined where the log does not reach back so far. */
  since(number: number): ReadonlySet<number> | undefined {
    if (number < this.#first) return undefined
    return number === this.end ? none : new Set(this.#ids.slice(number - this.#first))
  }
}

/** Changes that are kept at least: more are not followed, but read anew. */
const MOST = 20_000

const none: ReadonlySet<number> = new Set()
