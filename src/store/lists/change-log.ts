/** The changes of one table since the process began, by their numbers: which record each was of. The oldest are forgotten. */
export class ChangeLog {
  #first = 0
  #ids: number[] = []
  /** What was asked for since the last change, by the number. */
  readonly #asked = new Map<number, ReadonlySet<number>>()

  /** The number of the next change. */
  get end(): number {
    return this.#first + this.#ids.length
  }

  append(id: number): void {
    this.#ids.push(id)
    this.#asked.clear()
    if (this.#ids.length < 2 * MOST) return
    this.#ids = this.#ids.slice(MOST)
    this.#first += MOST
  }

  /** Whether it has all changes from this number on. */
  reaches(number: number): boolean {
    return number >= this.#first
  }

  /** The records that changed from this number on; undefined where the log does not reach back so far. */
  since(number: number): ReadonlySet<number> | undefined {
    if (!this.reaches(number)) return undefined
    if (number === this.end) return none
    // Sets that followed together ask for the same.
    const known = this.#asked.get(number)
    if (known) return known
    const changed = new Set(this.#ids.slice(number - this.#first))
    if (this.#asked.size < KEPT && changed.size <= KEPT_RECORDS) this.#asked.set(number, changed)
    return changed
  }
}

/** Changes that are kept at least: more are not followed, but read anew. */
const MOST = 20_000
/** Answers that are kept until the next change, and records of each. */
const KEPT = 8
const KEPT_RECORDS = 1_000

const none: ReadonlySet<number> = new Set()
