/** What of a record a change has touched, or a set compares, as bits; all bits where that is not known. Several attributes may share a bit. */
export type Touch = number

export const EVERYTHING: Touch = -1
/** The bit of what is no field, such as `update_time`: each change touches it. */
const SYSTEM = 30

/** The changes of one table since the process began, by their numbers: which record each was of, and what of it changed. The oldest are forgotten. */
export class ChangeLog {
  #first = 0
  #ids: number[] = []
  #touched: Touch[] = []
  readonly #bits = new Map<string, Touch>()
  /** What was asked for since the last change, by the number and what is compared. */
  readonly #asked = new Map<number, Map<Touch, ReadonlySet<number>>>()

  /** `attributes`: the names of all that the records have; of others nothing is known. */
  constructor(attributes: Iterable<string> = []) {
    let fields = 0
    for (const name of attributes) this.#bits.set(name, name === 'id' ? 0 : 1 << (/^f\d+$/.test(name) ? fields++ % SYSTEM : SYSTEM))
  }

  /** The number of the next change. */
  get end(): number {
    return this.#first + this.#ids.length
  }

  touchOf(attributes: Iterable<string>): Touch {
    let touch = 0
    for (const name of attributes) touch |= this.#bits.get(name) ?? EVERYTHING
    return touch
  }

  /** `attributes`: those that changed of a record that was there before and is there still. */
  append(id: number, attributes?: Iterable<string>): void {
    this.#ids.push(id)
    this.#touched.push(attributes ? this.touchOf(attributes) | (1 << SYSTEM) : EVERYTHING)
    this.#asked.clear()
    if (this.#ids.length < 2 * MOST) return
    this.#ids = this.#ids.slice(MOST)
    this.#touched = this.#touched.slice(MOST)
    this.#first += MOST
  }

  /** Whether it has all changes from this number on. */
  reaches(number: number): boolean {
    return number >= this.#first
  }

  /** The records that changed from this number on in what is compared, that came or went; undefined where the log does not reach back so far. */
  since(number: number, compared: Touch = EVERYTHING): ReadonlySet<number> | undefined {
    if (!this.reaches(number)) return undefined
    if (number === this.end) return none
    // Sets that followed together ask for the same.
    const known = this.#asked.get(number)?.get(compared)
    if (known) return known
    const changed = new Set<number>()
    for (let i = number - this.#first; i < this.#ids.length; i++) {
      const touched = this.#touched[i]!
      if (touched === EVERYTHING || (touched & compared) !== 0) changed.add(this.#ids[i]!)
    }
    this.#keep(number, compared, changed)
    return changed
  }

  #keep(number: number, compared: Touch, changed: ReadonlySet<number>): void {
    let ofNumber = this.#asked.get(number)
    if (!ofNumber && this.#asked.size < KEPT) this.#asked.set(number, (ofNumber = new Map()))
    if (ofNumber && ofNumber.size < KEPT && changed.size <= KEPT_RECORDS) ofNumber.set(compared, changed)
  }
}

/** Changes that are kept at least: more are not followed, but read anew. */
const MOST = 20_000
/** Answers that are kept until the next change: numbers, and of each what is compared; and records of each. */
const KEPT = 8
const KEPT_RECORDS = 1_000

const none: ReadonlySet<number> = new Set()
