import { nobody, type Asker } from '../model/asker.ts'
import { packed } from '../../sets/packed-set.ts'
import { packedOrder, type PackedOrder } from '../../sets/order-parts.ts'
import type { Sql } from '../../sql/sql.ts'
import type { AsideReader, Reader, ReadSet, Row, SetQuery, SharedDb } from '../ground/db.ts'
import type { Answered } from '../ground/indexes.ts'
import type { Positions } from '../ground/positions.ts'
import type { Catalogue, Table } from '../model/catalogue.ts'
import { Stale } from '../model/stale.ts'
import { isNotGiven } from '../postgres/faults.ts'
import type { Readable, Unread } from './record-reads.ts'
import { asHex, ID, ID_BYTES, idsIn, SOME_IDS, warmUp } from './packed-rows.ts'
import { layOut, NO_TOKEN } from '../positions/record-changes.ts'
import { LARGE, type Fresh, type Planned, type SetSource } from './set-source.ts'
import { rowsAnd, sharedRows, type RowsRead, type RowsTogether } from './shared-rows.ts'
import { readColumn } from './shared-columns.ts'
import { Snapshot } from './snapshot.ts'
import { changesSince, isOfTable, toldBy } from './told-changes.ts'
import type { TableSets } from './table-sets.ts'

/*
 * For a database that other processes change too (PostgreSQL). Whatever is read also tells its snapshot and which records were changed
 * by transactions that it sees and the state of the sets does not: exactly what the sets have to follow to be of the state of the answer. So the
 * log of a table grows with each answer, and its state is the latest snapshot that one of them told. After a crash of the server
 * the table of changes is empty, and its token another one: then sets are made anew.
 */

export interface SharedSourceParts {
  readonly db: SharedDb
  readonly positions: Positions
  readonly catalogue: () => Catalogue
  /** Records of a table from which on its lists are answered from sets. */
  readonly least: number
  /** Forgets the sets of a table, if these are they. */
  forget(sets: TableSets): void
}

/** Up to which state the log of a table goes. */
interface State {
  readonly snapshot: Snapshot
  /** Of the table of changes (record-changes.ts). */
  readonly token: string
}

/** Records of which an order or a column takes more than a moment to be read. */
const LONG = 50_000
/** Ids of a short read. */
const SHORT = 2_000
/** Questions before a small table is counted again, a large one, and those between. */
const SMALL = 20
const COUNTED = 10_000
const COUNTED_SMALLER = 200
/** Questions that SQL answers after so much was changed at once that the sets of a table had to go. */
const AFTER_MUCH = 5
/** Milliseconds for which a list waits until changes are told. */
const PATIENCE = 1_000

export class SharedSource implements SetSource {
  readonly #parts: SharedSourceParts
  readonly #states = new WeakMap<TableSets, State>()
  readonly #rows = new WeakMap<TableSets, RowsTogether>()
  readonly #beginnings = new WeakMap<TableSets, Promise<boolean>>()
  /** What is being fetched, so that those who wait for the same ask once. */
  readonly #fetching = new WeakMap<Readable, { readonly ids: ReadonlySet<number>; readonly read: Promise<void> }>()
  /** By table, for how many questions more SQL answers. */
  readonly #bySql = new Map<number, number>()
  /** By table, what answers it, and for how many questions more that stands. */
  readonly #counted = new Map<number, { readonly answered: Answered; readonly count: number; left: number }>()
  /** Whether changes are told; undefined: it has to be seen to, once for all who wait. */
  #isTold: Promise<boolean> | undefined

  constructor(parts: SharedSourceParts) {
    this.#parts = parts
  }

  async answered({ id }: Table): Promise<Answered | 'by SQL for once'> {
    const left = this.#bySql.get(id) ?? 0
    if (left > 0) {
      this.#bySql.set(id, left - 1)
      return 'by SQL for once'
    }
    const known = this.#counted.get(id)
    if (known && known.left-- > 0) return known.answered
    const { db, positions, least } = this.#parts
    const [rows] = await db.read(positions.total(id))
    const count = Number(rows![0]?.[0] ?? 0)
    const answered = count < least ? 'by SQL' : count < LARGE ? 'by sets of a table that is not large' : 'by sets'
    this.#counted.set(id, { answered, count, left: answered === 'by SQL' ? SMALL : answered === 'by sets' ? COUNTED : COUNTED_SMALLER })
    return answered
  }

  isLonger({ id }: Table, records: number): boolean {
    return (this.#counted.get(id)?.count ?? 0) > records
  }

  begun(sets: TableSets): Promise<boolean> | undefined {
    if (this.#states.has(sets)) return undefined
    let begun = this.#beginnings.get(sets)
    if (!begun) this.#beginnings.set(sets, (begun = this.#begin(sets).finally(() => this.#beginnings.delete(sets))))
    return begun
  }

  async #begin(sets: TableSets): Promise<boolean> {
    const { db, catalogue } = this.#parts
    if (!(await this.#told())) return this.#leave(sets)
    const [rows] = await db.read(changesSince(sets.tableId, undefined, sets.records))
    const { snapshot, token, version } = toldBy(String(rows![0]![0]))
    if (version > catalogue().version) throw new Stale()
    if (token === NO_TOKEN) {
      this.#isTold = undefined
      return this.#leave(sets)
    }
    this.#states.set(sets, { snapshot: new Snapshot(snapshot), token })
    return true
  }

  /** Whether changes are told; false also where it takes long to see to that. */
  #told(): Promise<boolean> {
    const isTold = (this.#isTold ??= this.#parts.db.write(layOut, { alone: true }).then(
      () => true,
      () => {
        this.#isTold = undefined
        return false
      },
    ))
    const isLate = new Promise<boolean>((late) => void setTimeout(late, PATIENCE, false).unref())
    return Promise.race([isTold, isLate])
  }

  /** Opens connections, has changes told, and lets the code for ids run. */
  async startAhead(): Promise<void> {
    const read = this.#parts.db.readAside(nobody, asHex(SOME_IDS, ID))
    const [[rows]] = await Promise.all([read, this.#told()])
    warmUp(String(rows![0]![0]))
  }

  /** Where changes are not told, such as by a server that takes no writes, SQL answers, and it is tried again later. */
  #leave(sets: TableSets): false {
    this.#bySql.set(sets.tableId, SMALL)
    this.#parts.forget(sets)
    return false
  }

  /** Of the moment of the call: the query may name records that were known to match then. */
  async set(sets: TableSets, by: Asker, query: Promise<SetQuery>): Promise<Fresh<ReadSet> | undefined> {
    const seen = sets.log.end
    const ids = query.then((asked) => asked.ids)
    const found = await this.#bytes(sets, by, ids, ID)
    return found && { seen, answer: { set: packed(idsIn(found.answer, ID_BYTES)) } }
  }

  async order(sets: TableSets, by: Asker, query: Sql): Promise<Fresh<PackedOrder | undefined> | undefined> {
    const found = await this.#bytes(sets, by, query, ID, this.#ofAll(sets))
    return found && { ...found, answer: packedOrder(idsIn(found.answer, ID_BYTES)) }
  }

  readonly column: SetSource['column'] = (sets, by, table, attribute, most) => {
    const read = (query: Sql, told: Sql, isOfAll: boolean) => this.#bytes(sets, by, query, told, isOfAll ? this.#ofAll(sets) : undefined)
    return readColumn(table, attribute, this.#counted.get(table.id)?.count ?? 0, most, read)
  }

  /** How something is read of all records of a table. */
  #ofAll({ tableId }: TableSets): AsideReader['readAside'] {
    const { readAside, readLong } = this.#parts.db
    return (this.#counted.get(tableId)?.count ?? 0) >= LONG ? readLong : readAside
  }

  /** `told`: the bytes of each row, all as long. */
  #bytes(
    sets: TableSets,
    by: Asker,
    query: Sql | Promise<Sql>,
    told: Sql,
    readAside = this.#parts.db.readAside,
  ): Promise<Fresh<Buffer> | undefined> {
    return this.#read(sets, async (changes) => {
      const [rows, changed] = await readAside(by, asHex(await query, told), changes)
      const text = rows![0]![0]
      return [Buffer.from(typeof text === 'string' ? text : '', 'hex'), textOf(changed)]
    })
  }

  async fetch(sets: TableSets, by: Asker, unread: Unread): Promise<void> {
    const { of, ids } = unread
    const begun = this.#fetching.get(of)
    // Who waits for it asks again, and hears what was wrong.
    if (begun && ids.every((id) => begun.ids.has(id))) return begun.read.catch(() => undefined)
    const read = this.#fetch(sets, by, unread)
    const fetch = { ids: new Set(ids), read }
    this.#fetching.set(of, fetch)
    await read.finally(() => this.#fetching.get(of) === fetch && this.#fetching.delete(of))
  }

  async #fetch(sets: TableSets, by: Asker, { of, ids }: Unread): Promise<void> {
    const { db } = this.#parts
    const { shape } = of
    const reads: Reader['read'] = ids.length > SHORT ? (...queries) => db.readAside(by, ...queries) : db.read
    const found = await this.#read(sets, async (changes) => {
      const [rows, told] = await reads(of.query(ids), changes)
      return [rows!, textOf(told)]
    })
    const since = found && sets.log.since(found.seen)
    if (!found || !since || of.shape !== shape) return
    const rows = found.answer.filter(([id]) => !since.has(Number(id)))
    of.learn(
      ids.filter((id) => !since.has(id)),
      rows,
    )
  }

  rows(sets: TableSets, plan: Planned<unknown>, ids: readonly number[]): Promise<RowsRead> {
    const query = plan.shown ? undefined : plan.query
    if (query) {
      return this.#read(sets, async (changes) => {
        const [told, rows] = await this.#parts.db.read(changes, query)
        return [rows!, textOf(told)]
      })
    }
    let rows = this.#rows.get(sets)
    if (!rows) this.#rows.set(sets, (rows = sharedRows(sets, (statement) => this.#rowsOf(sets, statement))))
    return rows(plan, ids)
  }

  /** The rows of a statement, but for the one that tells the changes in its last column; the changes alone are its only one. */
  #rowsOf(sets: TableSets, statement: (changes: Sql) => Sql): Promise<RowsRead> {
    return this.#read(sets, async (changes) => {
      const [rows] = await this.#parts.db.read(statement(changes))
      const last = rows!.findLastIndex(([id, ...more]) => id === null || more.length === 0)
      return [rows!.toSpliced(last, 1), rows![last]!.at(-1)]
    })
  }

  async areShownRight(sets: TableSets): Promise<boolean> {
    const { shown, log } = sets
    const compared = shown.some()
    if (!compared) return true
    const read = await this.#rowsOf(sets, (changes) => rowsAnd(compared.as, compared.ids, changes))
    const since = read && log.since(read.seen)
    if (!since) return true
    const ids = compared.ids.filter((id) => !since.has(id))
    return shown.areStill(
      { ...compared, ids },
      read.answer.filter(([id]) => !since.has(Number(id))),
    )
  }

  /** `ask`: the answer, and what the query for the changes told. */
  async #read<T>(sets: TableSets, ask: (changes: Sql) => Promise<readonly [T, unknown]>): Promise<Fresh<T> | undefined> {
    const base = this.#states.get(sets)
    if (!base) return undefined
    const asked = { base, end: sets.log.end, shape: sets.records.shape }
    const told = await ask(changesSince(sets.tableId, base.snapshot, sets.records)).catch((error: unknown) => {
      // A standby, to which the address leads now, does not have what is not needed after a crash.
      if (!isNotGiven(error)) throw error
      this.#isTold = undefined
      this.#leave(sets)
    })
    if (!told) return undefined
    const [answer, text] = told
    const seen = this.#learn(sets, asked, String(text))
    return seen === undefined ? undefined : { answer, seen }
  }

  /** Brings the log to the state of an answer; returns the number of the first change that may not be in it. */
  #learn(sets: TableSets, asked: Asked, text: string): number | undefined {
    const told = toldBy(text)
    if (told.version > this.#parts.catalogue().version) throw new Stale()
    const known = this.#states.get(sets)!
    const isLost = told.token !== asked.base.token || told.horizon > asked.base.snapshot.xmin
    const isMuch = told.areTooMany || told.changes.some(isOfTable)
    if (isLost || isMuch) {
      if (told.token === NO_TOKEN) this.#isTold = undefined
      if (isMuch) this.#bySql.set(sets.tableId, AFTER_MUCH)
      this.#parts.forget(sets)
      return undefined
    }
    const snapshot = new Snapshot(told.snapshot)
    // An answer of an earlier state than the one that is known: what has changed in between was told by others.
    if (!snapshot.isAtLeast(known.snapshot)) return asked.end
    for (const [xid, id, isThere, values, attributes] of told.changes) {
      if (known.snapshot.sees(Number(xid))) continue
      sets.changed(id, attributes?.split(','))
      if (asked.shape === sets.records.shape && (values !== null || !isThere)) sets.records.note(id, values ? [id, ...values] : undefined)
    }
    if (snapshot.text !== known.snapshot.text) this.#states.set(sets, { ...known, snapshot })
    return sets.log.end
  }
}

/** The last column of the last row. */
const textOf = (rows: readonly Row[] | undefined): unknown => rows!.at(-1)!.at(-1)

interface Asked {
  readonly base: State
  readonly end: number
  readonly shape: number
}
