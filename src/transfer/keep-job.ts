import { limits } from '../limits.ts'
import { advanceJob } from '../store/jobs/job-work.ts'
import type { Batch } from '../store/model/access.ts'
import { addPiece } from '../store/jobs/pieces.ts'
import { csvLine } from './formulas.ts'
import type { ImportCounts, Kept, Part } from './kept.ts'
import type { SentPlan } from './sent-plan.ts'

/*
 * An import that is a job: where it is, and the lines that were refused, are written in the transaction of each batch. So it goes on exactly
 * behind the last line that was committed, whenever its process ends.
 */

/** Where an import goes on, as JSON. */
export interface ImportPosition extends Omit<ImportCounts, 'stopped'> {
  /** Null: nothing was made or written yet. */
  readonly plan: SentPlan | null
  /** Whether tables or fields are being made; if its process ends meanwhile, it cannot go on. */
  readonly isMaking: boolean
  /** The number of the last line that was written. */
  readonly last: number
  /** Refused lines that are listed, in so many pieces of so many characters. */
  readonly listed: number
  readonly pieces: number
  readonly characters: number
  /** What became of columns otherwise than asked. */
  readonly notes: readonly string[]
}

export const beginning: ImportPosition = {
  read: 0,
  imported: 0,
  bad: 0,
  incomplete: 0,
  plan: null,
  isMaking: false,
  last: 0,
  listed: 0,
  pieces: 0,
  characters: 0,
  notes: [],
}

/** A job whose import is written; it can be sent to a thread. */
export interface KeptJob {
  readonly id: number
  readonly holder: string
  /** Bytes of a CSV file; null: of a workbook, which is counted in lines. */
  readonly total: number | null
  readonly position: ImportPosition
  readonly isTrial: boolean
  /** The first line of the file of errors. */
  readonly head: string
}

/** `batch`: that of the changes. */
export function keeperOf({ id, holder, total, position, isTrial, head }: KeptJob, batch: Batch | undefined): Kept {
  let now = position
  let begun = batch?.id[0] ?? 0
  let next = position
  return {
    after: position.last,
    before: position,
    isTrial,
    async keep(tx, part) {
      // Where the transaction is run again, a batch that it began before does not hold.
      if (batch) batch.id[0] = begun
      const text = part.refused.map(({ line, values, faults }) => refusedLine(line, values, faults)).join('')
      const isListed = text !== '' && now.characters + text.length <= limits.importErrors.most
      next = after(now, part, isListed ? text.length : 0)
      const done = total === null ? next.read : Math.min(total, part.bytes)
      await advanceJob(tx, id, holder, { done, total, position: next })
      if (isListed) await addPiece(tx, id, next.pieces, next.pieces === 1 ? head + text : text)
    },
    kept() {
      now = next
      begun = batch?.id[0] ?? 0
    },
  }
}

const after = (before: ImportPosition, part: Part, listed: number): ImportPosition => ({
  ...before,
  read: before.read + part.read,
  imported: before.imported + part.imported,
  updated: (before.updated ?? 0) + (part.updated ?? 0),
  bad: before.bad + part.bad,
  incomplete: before.incomplete + part.incomplete,
  last: Math.max(before.last, part.last),
  listed: before.listed + (listed > 0 ? part.refused.length : 0),
  pieces: before.pieces + (listed > 0 ? 1 : 0),
  characters: before.characters + listed,
})

/** A refused line in the file of errors: where it is, why, and itself, so that it can be mended and imported again. */
function refusedLine(line: number, values: readonly string[], faults: Part['refused'][number]['faults']): string {
  const columns = faults.map(({ column }) => column).filter((column) => column !== '')
  const reasons = faults.map(({ column, reason }) => (faults.length > 1 && column !== '' ? `${column}: ${reason}` : reason))
  return csvLine([String(line), columns.join(', '), reasons.join(' '), ...values])
}

/** The first line of the file of errors. */
export const headOfErrors = (header: readonly string[]): string => csvLine(['line', 'column', 'reason', ...header])
