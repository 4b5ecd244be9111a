/*
 * How large the steps of a text index are, and how long others write between two of them. On SQLite writes wait for a step.
 */

/** The target time of a step of a text index, in milliseconds. */
const STEP = 40
/** Bytes of texts in a step: in the first step, the least and the most. */
const FIRST = 32 * 1_024
const SMALLEST = 8 * 1_024
const LARGEST = 2 ** 19
/** Pages that a step merges: in the first step, and the most. */
const FIRST_PAGES = 16
const MOST_PAGES = 1_024

/**
 * Others may write for so many times as long as a step took, after it, if they write all the time (writing-time.ts); less where the table has changed so many
 * times since the index was up to date, but as long as the step in any case: else an index could stay behind for ever.
 */
const OTHERS = 49
const FAR_BEHIND = 50_000
/** The most of it, after a step that could not be made smaller, in milliseconds. */
const OTHERS_MOST = 10_000

/** How much a step of a text index does: bytes of texts that it adds, or pages that it merges. */
export interface Pace {
  readonly bytes: number
  readonly pages: number
}

export const firstPace: Pace = { bytes: FIRST, pages: FIRST_PAGES }

export interface Did extends Partial<Pace> {
  /** Whether the step did as much as the pace allows. */
  readonly full: boolean
}

/** The pace after a step: up to twice as much if the step was full, down to a quarter if it was slow, since one slow write of the disk says little. */
export function paceAfter(pace: Pace, { bytes, pages, full }: Did, milliseconds: number): Pace {
  const next = (now: number, done: number, least: number, most: number) => {
    const fits = (done * STEP) / (milliseconds + 1)
    return Math.round(Math.max(least, now / 4, Math.min(most, full ? 2 * now : now, Math.max(fits, milliseconds < STEP ? now : 0))))
  }
  return {
    bytes: bytes === undefined ? pace.bytes : next(pace.bytes, bytes, SMALLEST, LARGEST),
    pages: pages === undefined ? pace.pages : next(pace.pages, pages, 1, MOST_PAGES),
  }
}

/** How many milliseconds others may write after a step of so many. `behindBy`: changes of the table that the index does not have. */
export const othersTime = (milliseconds: number, behindBy: number): number =>
  Math.min(OTHERS_MOST, milliseconds * Math.max(1, OTHERS * Math.min(1, FAR_BEHIND / behindBy)))
