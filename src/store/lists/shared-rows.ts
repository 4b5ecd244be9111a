import { sql, type Sql } from '../../sql/sql.ts'
import type { Row } from '../ground/db.ts'
import type { Fresh, Planned } from './set-source.ts'
import type { ShownAs } from './shown-rows.ts'
import type { TableSets } from './table-sets.ts'

/*
 * Rows of answers over a database that is asked for changes with each read. What one such read costs, the changes above all, answers that are
 * found while another read is under way share: their rows are read together, as many as are not kept.
 */

/** Reads under way, of one table. More would be smaller, and each has to be asked for changes too. */
const AT_ONCE = 2
/** Records of one read, at most, unless one answer alone has more. */
const RECORDS = 500

/** Undefined: the sets of the table were forgotten meanwhile. */
export type RowsRead = Fresh<readonly Row[]> | undefined
/** One statement with these as the last column of its last row, of the state of what it reads. */
type Read = (statement: (changes: Sql) => Sql) => Promise<RowsRead>

/** What one answer waits for. `shown`: undefined where no record has to be read. */
interface Wait {
  readonly shown: ShownAs | undefined
  readonly ids: readonly number[]
  readonly areKept: boolean
  readonly given: (read: RowsRead) => void
  readonly failed: (error: unknown) => void
}

export class SharedRows {
  readonly #sets: TableSets
  readonly #read: Read
  #waiting: Wait[] = []
  #running = 0
  #isDue = false

  constructor(sets: TableSets, read: Read) {
    this.#sets = sets
    this.#read = read
  }

  /** @throws what reading throws */
  of({ ids, shown, areKept = false }: Planned<unknown>): Promise<RowsRead> {
    return new Promise((given, failed) => {
      this.#waiting.push({ shown: ids.length > 0 ? shown : undefined, ids, areKept, given, failed })
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
      void this.#together(this.#next()).finally(() => {
        this.#running--
        this.#goOn()
      })
      this.#goOn()
    })
  }

  /** Those of one select list that have waited longest, and what needs no row. */
  #next(): readonly Wait[] {
    const shown = this.#waiting.find((wait) => wait.shown)?.shown
    const chosen: Wait[] = []
    let records = 0
    this.#waiting = this.#waiting.filter((wait) => {
      const isOther = wait.shown !== undefined && wait.shown.columns !== shown?.columns
      if (isOther || (records > 0 && records + wait.ids.length > RECORDS)) return true
      if (wait.shown) records += wait.ids.length
      chosen.push(wait)
      return false
    })
    return chosen
  }

  async #together(waits: readonly Wait[]): Promise<void> {
    const { shown: rows, log } = this.#sets
    const as = waits.find(({ shown }) => shown)?.shown
    const sent = log.end
    const kept = new Map<number, Row>()
    const wanted = new Set<number>()
    for (const { ids, shown, areKept } of waits) {
      if (!shown) continue
      const known = areKept ? rows.known(shown, ids) : { rows: [], missing: ids }
      for (const row of known.rows) kept.set(Number(row[0]), row)
      for (const id of known.missing) wanted.add(id)
    }
    try {
      const fresh = await this.#read((changes) => (as && wanted.size > 0 ? rowsAnd(as, [...wanted], changes) : changes))
      if (!fresh) return waits.forEach(({ given }) => given(undefined))
      const read = new Map(fresh.answer.map((row) => [Number(row[0]), row]))
      if (as) this.#keep(as, waits, read, fresh.seen)
      for (const { ids, given } of waits) {
        const isKept = ids.some((id) => !read.has(id) && kept.has(id))
        const answer = ids.map((id) => read.get(id) ?? kept.get(id)).filter((row) => row !== undefined)
        // A row that is kept was of the state in which it was looked up.
        given({ answer, seen: isKept ? Math.min(sent, fresh.seen) : fresh.seen })
      }
    } catch (error) {
      for (const { failed } of waits) failed(error)
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

const rowsAnd = (as: ShownAs, ids: readonly number[], changes: Sql): Sql =>
  sql`(${as.query(ids, sql`, '' AS told`)}) UNION ALL SELECT ${as.nothing}, (${changes})`
