import type { Transaction } from '../store/ground/db.ts'
import type { Refused } from './read-line.ts'

export interface ImportCounts {
  read: number
  imported: number
  /** Of the imported ones, those that changed a record that was there. */
  updated?: number
  /** Lines not imported. */
  bad: number
  /** Lines imported whose reference to a line of the same file could not be filled in. */
  incomplete: number
  /** The error that ended the import before the end of the file. */
  stopped?: unknown
}

/** What is written of a part of the lines. */
export interface Part extends Omit<ImportCounts, 'stopped'> {
  /** The number of its last line; 0: the lines were written before, and references in them are set. */
  readonly last: number
  /** Bytes of the file that had been read. */
  readonly bytes: number
  /** Why lines were not imported, or are incomplete; `values` of those that were not. */
  readonly refused: readonly { readonly line: number; readonly values: readonly string[]; readonly faults: readonly Refused[] }[]
}

/** How an import goes that is resumed where it ended, or only tried. */
export interface Kept {
  /** Lines up to this number were written before, with these counts. */
  readonly after: number
  readonly before: Omit<ImportCounts, 'stopped'>
  /** Called in the transaction that writes the lines; of a trial, in one by itself. It may be called again where the transaction is. */
  keep(tx: Transaction, part: Part): Promise<void>
  /** The transaction has been committed. */
  kept(): void
  /** Lines are written and undone again. */
  readonly isTrial: boolean
}
