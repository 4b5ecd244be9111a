import type { Line } from './read-csv.ts'

/*
 * How many lines of an import are written together, as a batch. A request that writes waits for the batch in hand, so a batch takes about
 * BATCH milliseconds, whatever the table and the machine: its size follows the time that earlier batches took.
 */

/** Milliseconds for which a batch is written, about. */
const BATCH = 25
/** Lines of a batch: of the first one, and the bounds. */
const FIRST = 50
const FEWEST = 5
export const MOST = 500
/** Characters of a batch of more than one line, at most. */
const CHARACTERS = 262_144

export interface BatchSize {
  /** The lines of the next batch, from this one on; at least one. */
  next(lines: readonly Line[], from: number): readonly Line[]
  /** To be told how long it took to write so many lines. */
  took(lines: number, milliseconds: number): void
}

/** `milliseconds`: how long a batch takes, about. Grows to twice as many lines as were measured, and shrinks to a quarter: one slow batch is no measure. */
export function adaptiveSize(most = BATCH): BatchSize {
  let size = FIRST
  return {
    next: (lines, from) => batchOf(lines, from, size),
    took(lines, milliseconds) {
      const fits = (lines * most) / Math.max(milliseconds, 1)
      size = Math.floor(Math.min(MOST, Math.max(FEWEST, size / 4, Math.min(fits, Math.max(size, 2 * lines)))))
    },
  }
}

/** For a database in which most other writes go on beside a batch (PostgreSQL). */
export const fixedSize: BatchSize = { next: (lines, from) => batchOf(lines, from, MOST), took: () => {} }

function batchOf(lines: readonly Line[], from: number, most: number): readonly Line[] {
  let characters = 0
  let to = from
  while (to < lines.length && to - from < most) {
    characters += lines[to]!.values.reduce((sum, value) => sum + value.length, 0)
    if (to > from && characters > CHARACTERS) break
    to++
  }
  return lines.slice(from, to)
}
