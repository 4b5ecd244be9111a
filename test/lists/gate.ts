/** Lets many work, or one alone: who pauses waits until all others have finished, and they wait until the pause ends. */
export class Gate {
  #active = 0
  #paused: Promise<void> | undefined
  #resume: () => void = () => undefined
  #drained: () => void = () => undefined

  async through<T>(work: () => Promise<T>): Promise<T> {
    while (this.#paused) await this.#paused
    this.#active++
    try {
      return await work()
    } finally {
      if (--this.#active === 0) this.#drained()
    }
  }

  async pause(): Promise<void> {
    this.#paused = new Promise((resolve) => (this.#resume = resolve))
    if (this.#active > 0) await new Promise<void>((resolve) => (this.#drained = resolve))
  }

  resume(): void {
    this.#paused = undefined
    this.#resume()
  }
}
