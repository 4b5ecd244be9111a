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

/** As what records are shown. */
export interface ShownAs {
  /** A select list, the id first: the same object each time. */
  readonly columns: Sql
  /** As many NULLs. */
  readonly nothing: Sql
  /** Reads the rows of some records. `more`: goes on with the select list. */
  query(ids: readonly number[], more?: Sql): Sql
}

/** Rows that are compared with the database. */
export interface Compared {
  readonly as: ShownAs
  readonly ids: readonly number[]
}
/** Reads now. */
type Read = (query: Sql) => readonly Row[]

/** Rows with the same columns, in two generations: when the younger one is full, the older one goes. What is used is of the younger one. */
class RowsOfColumns implements Kept {
  readonly as: ShownAs
  #young = new Map<number, Row>()
  #old = new Map<number, Row>()
  #youngBytes = 0
  #oldBytes = 0
  /** How many were taken to be compared. */
  #compared = 0

  constructor(as: ShownAs) {
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
    const before = this.#young.get(id)
    if (before) this.#youngBytes -= bytesOf(before)
    this.#young.set(id, row)
    this.#youngBytes += bytes
  }

  /** Their bytes count until the generation ends. */
  forget(id: number): void {
    this.#young.delete(id)
    this.#old.delete(id)
  }

  /** Records of the younger generation, others each time. */
  some(count: number): readonly number[] {
    const from = this.#compared < this.#young.size ? this.#compared : 0
    this.#compared = from + count
    return [...this.#young.keys()].slice(from, from + count)
  }

  isOther(row: Row): boolean {
    const kept = this.#young.get(Number(row[0]))
    return kept !== undefined && kept.join('\0') !== row.join('\0')
  }

  drop(): void {
    this.#young.clear()
    this.#old.clear()
    this.#youngBytes = 0
    this.#oldBytes = 0
  }
}

/** Of memory, about. */
export function bytesOf(row: Row): number {
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
  rows(as: ShownAs, ids: readonly number[], read: Read): readonly Row[] {
    const { rows, missing } = this.known(as, ids)
    if (missing.length === 0) return rows
    const more = read(as.query(missing))
    this.learn(as, more)
    return [...rows, ...more]
  }

  /** Those that are kept, and whose rows are not. */
  known(as: ShownAs, ids: readonly number[]): { readonly rows: readonly Row[]; readonly missing: readonly number[] } {
    const rows: Row[] = []
    const missing: number[] = []
    const kept = this.#all.get(as.columns)
    for (const id of ids) {
      const row = kept?.of(id)
      if (row) rows.push(row)
      else missing.push(id)
    }
    if (kept) this.#memory.use(kept)
    return { rows, missing }
  }

  /** Keeps rows of records as they are now. */
  learn(as: ShownAs, rows: readonly Row[]): void {
    if (this.#isEnded) return
    const kept = this.#all.get(as.columns) ?? this.#begun(as)
    for (const row of rows) kept.learn(Number(row[0]), row)
    this.#memory.use(kept)
  }

  #begun(as: ShownAs): RowsOfColumns {
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

  /** Some of them, to be compared with the database; with other columns each time. */
  some(): Compared | undefined {
    const kept = [...this.#all.values()][this.#compared++ % Math.max(1, this.#all.size)]
    const ids = kept?.some(COMPARED) ?? []
    return kept && ids.length > 0 ? { as: kept.as, ids } : undefined
  }

  /** Whether those that are kept of these are what was read. `read`: of the records as they are now. */
  areStill({ as, ids }: Compared, read: readonly Row[]): boolean {
    const kept = this.#all.get(as.columns)
    const found = new Set(read.map(([id]) => Number(id)))
    return !kept || (ids.every((id) => found.has(id) || !kept.of(id)) && !read.some((row) => kept.isOther(row)))
  }

  /** It keeps nothing any more. */
  end(): void {
    this.#isEnded = true
    for (const kept of this.#all.values()) this.#memory.remove(kept)
    this.#all.clear()
  }
}
