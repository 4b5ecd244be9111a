import { setLast } from '../../memory/lru.ts'
import type { Sql } from '../../sql/sql.ts'
import type { Row } from '../ground/db.ts'
import type { Kept, SetMemory } from './set-memory.ts'

/*
 * Rows of a table that lists showed lately. People look at the same first pages again and again, and after each commit SQLite reads their records
 * from the file anew. A row is kept until its record changes.
 */

/** Bytes of the rows of one generation, about; and of one row at most. */
const GENERATION = 2 ** 21
const LONGEST = 2 ** 14
/** Choices of columns of a table. */
const MOST = 16
/** Rows that are compared with the database at once. */
const COMPARED = 50
/** Bytes of a value besides its characters, for which two bytes each are counted. */
const VALUE = 24

/** The columns of rows, the same object each time, and what reads the rows of some records. */
export interface KeptAs {
  readonly columns: Sql
  query(ids: readonly number[]): Sql
}
/** Reads now. */
type Read = (query: Sql) => readonly Row[]

/** Rows with the same columns, in two generations: when the younger one is full, the older one goes. What is used is of the younger one. */
class RowsOfColumns implements Kept {
  readonly as: KeptAs
  #young = new Map<number, Row>()
  #old = new Map<number, Row>()
  #youngBytes = 0
  #oldBytes = 0
  /** How many were taken to be compared. */
  #compared = 0

  constructor(as: KeptAs) {
    this.as = as
  }

  get bytes(): number {
    return this.#youngBytes + this.#oldBytes
  }

  of(id: number): Row | undefined {
    const young = this.#young.get(id)
    if (young) return young
    const old = this.#old.get(id)
    if (old) this.learn(id, old)
    return old
  }

  learn(id: number, row: Row): void {
    const bytes = bytesOf(row)
    if (bytes > LONGEST) return
    if (this.#youngBytes + bytes > GENERATION) {
      this.#old = this.#young
      this.#oldBytes = this.#youngBytes
      this.#young = new Map()
      this.#youngBytes = 0
    }
    this.#young.set(id, row)
    this.#youngBytes += bytes
  }

  /** Their bytes count until the generation ends. */
  forget(id: number): void {
    this.#young.delete(id)
    this.#old.delete(id)
  }

  /** Some of the younger generation, others each time. */
  some(count: number): ReadonlyMap<number, Row> {
    const from = this.#compared < this.#young.size ? this.#compared : 0
    this.#compared = from + count
    return new Map([...this.#young].slice(from, from + count))
  }

  drop(): void {
    this.#young.clear()
    this.#old.clear()
    this.#youngBytes = 0
    this.#oldBytes = 0
  }
}

function bytesOf(row: Row): number {
  let bytes = 0
  for (const value of row) bytes += VALUE + (typeof value === 'string' ? 2 * value.length : 0)
  return bytes
}

export class ShownRows {
  readonly #memory: SetMemory
  /** By their columns: who sees other fields has other rows. */
  readonly #all = new Map<Sql, RowsOfColumns>()
  #compared = 0
  #isEnded = false

  constructor(memory: SetMemory) {
    this.#memory = memory
  }

  /** Those of these records, in any order. @throws what `read` throws */
  rows(as: KeptAs, ids: readonly number[], read: Read): readonly Row[] {
    if (this.#isEnded) return read(as.query(ids))
    const kept = this.#all.get(as.columns) ?? this.#begun(as)
    const rows: Row[] = []
    const missing: number[] = []
    for (const id of ids) {
      const row = kept.of(id)
      if (row) rows.push(row)
      else missing.push(id)
    }
    if (missing.length > 0) {
      for (const row of read(as.query(missing))) {
        kept.learn(Number(row[0]), row)
        rows.push(row)
      }
    }
    this.#memory.use(kept)
    return rows
  }

  #begun(as: KeptAs): RowsOfColumns {
    const { columns } = as
    const kept = new RowsOfColumns(as)
    const gone = setLast(this.#all, columns, kept, MOST)
    if (gone) this.#memory.remove(gone[1])
    this.#memory.add('rows', kept, () => this.#all.delete(columns))
    return kept
  }

  /** The record was changed. */
  forget(id: number): void {
    for (const kept of this.#all.values()) kept.forget(id)
  }

  /** Whether some of them, with the same columns, are what the database has; of other columns each time. */
  areRight(read: Read): boolean {
    const kept = [...this.#all.values()][this.#compared++ % Math.max(1, this.#all.size)]
    const some = kept?.some(COMPARED)
    if (!kept || !some || some.size === 0) return true
    const rows = read(kept.as.query([...some.keys()]))
    return rows.length === some.size && rows.every((row) => row.join('\0') === some.get(Number(row[0]))?.join('\0'))
  }

  /** It keeps nothing any more. */
  end(): void {
    this.#isEnded = true
    for (const kept of this.#all.values()) this.#memory.remove(kept)
    this.#all.clear()
  }
}
