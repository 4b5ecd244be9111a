/** Milliseconds for which a step may have other writes wait, about. Its size follows the time that earlier steps took. */
const STEP = 20
/** Changes that a step erases: the first one, and the bounds. */
const FIRST = 200
const FEWEST = 10
const MOST = 5_000

/** Erases changes in steps until one is the last: `erased` changes, for which other writes waited so many milliseconds. They have as long between two steps. */
export async function inSteps(
  step: (size: number) => Promise<{ readonly erased: number; readonly milliseconds: number; readonly isEnd: boolean }>,
): Promise<void> {
  for (let size = FIRST; ;) {
    const { erased, milliseconds, isEnd } = await step(size)
    if (isEnd) return
    await new Promise((next) => setTimeout(next, milliseconds))
    // One slow write of the disk says little: it shrinks to a quarter at most.
    const fits = (erased * STEP) / Math.max(milliseconds, 1)
    size = Math.floor(Math.min(MOST, Math.max(FEWEST, size / 4, Math.min(fits, 2 * size))))
  }
}
