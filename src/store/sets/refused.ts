/** Questions after which what could not be had is tried again. */
const AGAIN = 200

/** What could not be had, by its name, such as an order that there was no room for. */
export class Refused {
  /** For how many questions more that stands. */
  readonly #left = new Map<string, number>()

  add(name: string): void {
    this.#left.set(name, AGAIN)
  }

  /** Asked once for each question. */
  has(name: string): boolean {
    const left = this.#left.get(name) ?? 0
    if (left > 0) this.#left.set(name, left - 1)
    return left > 0
  }
}
