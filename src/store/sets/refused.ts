/** Times that something is asked for after which what could not be had is tried again. */
const AGAIN = 200

/** What could not be had, by its name, such as an order that there was no room for. */
export class Refused {
  readonly #all = new Map<string, { left: number; readonly before: number }>()
  readonly #most: number

  /** `most`: where it fails each time it is tried, after twice as many asks each, up to so many. */
  constructor(most = AGAIN) {
    this.#most = most
  }

  add(name: string): void {
    const { left = 0, before = AGAIN / 2 } = this.#all.get(name) ?? {}
    if (left > 0) return
    const next = Math.min(2 * before, this.#most)
    this.#all.set(name, { left: next, before: next })
  }

  /** Whether it is not to be tried. That it is asked for counts. */
  has(name: string): boolean {
    const refused = this.#all.get(name)
    if (!refused || refused.left === 0) return false
    refused.left--
    return true
  }
}
