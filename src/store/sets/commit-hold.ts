import type { Tally } from '../ground/changes.ts'

/** What the thread that serves knows of commits: whether another thread is committing, and what was not told change by change. */
export class CommitHold {
  /** Changes told before the commit, by table. */
  readonly #told = new Map<number, number>()
  #held: PromiseWithResolvers<void> | undefined

  /** Changes of a transaction are told before its commit, perhaps in parts. */
  tell(changes: readonly Tally[]): void {
    for (const { tableId } of changes) this.#told.set(tableId, (this.#told.get(tableId) ?? 0) + 1)
  }

  /** What was told does not hold. */
  undone(): void {
    this.#told.clear()
  }

  /** Another thread is about to commit: readers may see that before this thread knows of it. */
  hold(): void {
    this.#held ??= Promise.withResolvers()
  }

  release(): void {
    this.#held?.resolve()
    this.#held = undefined
  }

  /** Resolves when no other thread is committing. */
  async released(): Promise<void> {
    while (this.#held) await this.#held.promise
  }

  /** Tables of which more was changed than is told after the commit (`changedNow`). */
  gaps(tallies: readonly Tally[]): readonly number[] {
    for (const { tableId } of tallies) {
      const left = this.#told.get(tableId)
      if (left !== undefined) this.#told.set(tableId, left - 1)
    }
    const gaps = Array.from(this.#told).flatMap(([tableId, left]) => (left > 0 ? [tableId] : []))
    this.#told.clear()
    return gaps
  }
}
