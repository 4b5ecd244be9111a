import { limits } from '../../limits.ts'
import { sql, type Sql } from '../../sql/sql.ts'
import type { Row } from '../ground/db.ts'
import type { Fresh, Planned } from './set-source.ts'
import { bytesOf, type ShownAs } from './shown-rows.ts'
import type { TableSets } from './table-sets.ts'

/*
 * Rows of answers over a database that is asked for changes with each read. What one such read costs, the changes above all, answers that are
 * found while another read is under way share: their rows are read together, as many as are not kept.
 */

/** Reads under way, of one table and select list. More would be smaller, and each has to be asked for changes too. */
const AT_ONCE = 2
/** Records of one read, at most: as many as a page has, and up to these where the last ones were so short that they take no more memory than a page may. */
const RECORDS = 500

/** Undefined: the sets of the table were forgotten meanwhile. */
export type RowsRead = Fresh<readonly Row[]> | undefined
/** One statement with these as the last column of its last row, of the state of what it reads. */
type Read = (statement: (changes: Sql) => Sql) => Promise<RowsRead>

/** What one answer waits for. */
interface Wait {
  readonly ids: readonly number[]
  readonly areKept: boolean
  readonly given: (read: RowsRead) => void
  readonly failed: (error: unknown) => void
}

/** Those that wait, rows of them that are kept, and records whose rows are not. */
interface Together {
  readonly waits: readonly Wait[]
  readonly kept: ReadonlyMap<number, Row>
  readonly wanted: ReadonlySet<number>
}

/** The rows of these records, as a plan has them. */
export type RowsTogether = (plan: Planned<unknown>, ids: readonly number[]) => Promise<RowsRead>

/** Reads the rows of answers of one table. @throws what reading throws */
export function sharedRows(sets: TableSets, read: Read): RowsTogether {
  const withoutRows = new SharedRows(sets, undefined, read)
  const byColumns = new WeakMap<Sql, SharedRows>()
  return ({ shown, areKept = false }, ids) => {
    if (!shown || ids.length === 0) return withoutRows.of([], false)
    let rows = byColumns.get(shown.columns)
    if (!rows) byColumns.set(shown.columns, (rows = new SharedRows(sets, shown, read)))
    return rows.of(ids, areKept)
  }
}

class SharedRows {
  readonly #sets: TableSets
  /** Undefined: no rows are read, but the changes alone. */
  readonly #as: ShownAs | undefined
  readonly #read: Read
  #waiting: Wait[] = []
  #running = 0
  #isDue = false
  #most: number = limits.page.most

  constructor(sets: TableSets, as: ShownAs | undefined, read: Read) {
    this.#sets = sets
    this.#as = as
    this.#read = read
  }

  of(ids: readonly number[], areKept: boolean): Promise<RowsRead> {
    return new Promise((given, failed) => {
      this.#waiting.push({ ids, areKept, given, failed })
      this.#goOn()
    })
  }

  /** Not at once: what arrives in the same turn of the event loop goes along. */
  #goOn(): void {
    if (this.#isDue || this.#running >= AT_ONCE || this.#waiting.length === 0) return
    this.#isDue = true
    setImmediate(() => {
      this.#isDue = false
      this.#running++
      const together = this.#next()
      this.#answer(together)
        .catch((error: unknown) => together.waits.forEach(({ failed }) => failed(error)))
        .finally(() => {
          this.#running--
          this.#goOn()
        })
      this.#goOn()
    })
  }

  /** Those that have waited longest, as many as one read has room for, and one at least. Those behind them are not looked at. */
  #next(): Together {
    let taken = 0
    const kept = new Map<number, Row>()
    const wanted = new Set<number>()
    for (const wait of this.#waiting) {
      const known = this.#as && wait.areKept ? this.#sets.shown.known(this.#as, wait.ids) : { rows: [], missing: wait.ids }
      const more = known.missing.filter((id) => !wanted.has(id))
      if (taken > 0 && wanted.size + more.length > this.#most) break
      for (const row of known.rows) kept.set(Number(row[0]), row)
      for (const id of more) wanted.add(id)
      taken++
    }
    const waits = this.#waiting.slice(0, taken)
    this.#waiting = this.#waiting.slice(taken)
    return { waits, kept, wanted }
  }

  async #answer({ waits, kept, wanted }: Together): Promise<void> {
    const as = this.#as
    const sent = this.#sets.log.end
    const fresh = await this.#read((changes) => (as && wanted.size > 0 ? rowsAnd(as, [...wanted], changes) : changes))
    if (!fresh) return waits.forEach(({ given }) => given(undefined))
    const read = new Map(fresh.answer.map((row) => [Number(row[0]), row]))
    if (read.size > 0) this.#most = mostOf(fresh.answer)
    if (as) this.#keep(as, waits, read, fresh.seen)
    for (const { ids, given } of waits) {
      const isKept = ids.some((id) => !read.has(id) && kept.has(id))
      const answer = ids.map((id) => read.get(id) ?? kept.get(id)).filter((row) => row !== undefined)
      // A row that is kept was of the state in which it was looked up.
      given({ answer, seen: isKept ? Math.min(sent, fresh.seen) : fresh.seen })
    }
  }

  #keep(as: ShownAs, waits: readonly Wait[], read: ReadonlyMap<number, Row>, seen: number): void {
    const since = this.#sets.log.since(seen)
    if (!since) return
    const worth = new Set(waits.flatMap(({ ids, areKept }) => (areKept ? ids : [])))
    this.#sets.shown.learn(
      as,
      [...read].flatMap(([id, row]) => (worth.has(id) && !since.has(id) ? [row] : [])),
    )
  }
}

function mostOf(rows: readonly Row[]): number {
  const average = rows.reduce((sum, row) => sum + bytesOf(row), 0) / rows.length
  return Math.max(limits.page.most, Math.min(RECORDS, Math.floor(limits.pageInMemory.most / average)))
}

/** The rows of records, and one row more, whose id is NULL, with the changes. */
export const rowsAnd = (as: ShownAs, ids: readonly number[], changes: Sql): Sql =>
  sql`(${as.query(ids, sql`, '' AS told`)}) UNION ALL SELECT ${as.nothing}, (${changes})`
