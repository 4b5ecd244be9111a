import { Failure } from '../../errors.ts'
import { takesStep, type Condition } from '../../filter/check.ts'
import type { Attribute } from '../../fields/field-type.ts'
import type { SortKey } from '../../filter/sort.ts'
import { attributesOf, termKey } from '../../filter/terms.ts'
import type { PackedOrder } from '../../sets/order-parts.ts'
import type { Tally } from '../ground/changes.ts'
import type { LocalDb, ServedDb } from '../ground/db.ts'
import type { OnFault } from '../ground/fault.ts'
import type { ListFigures } from '../ground/pages.ts'
import { hasIndex } from '../ground/indexes.ts'
import type { Uses } from '../ground/store.ts'
import { Abandoned, nobody, type Asker } from '../model/asker.ts'
import type { Table } from '../model/catalogue.ts'
import { Stale } from '../model/stale.ts'
import { ChangeLog } from './change-log.ts'
import { CommitHold } from './commit-hold.ts'
import { keepUp, readFirsts } from './keep-up.ts'
import { Diverged, type Unread } from './record-reads.ts'
import { joinedOrder, type OrderParts } from './joined-order.ts'
import { inOrderOf, rangeOf } from './range-sets.ts'
import { LONGEST_COLUMN, RecordColumn, WIDTH } from './record-column.ts'
import { orderText, RecordOrder } from './record-order.ts'
import type { Missing } from './missing.ts'
import type { SetMemory } from './set-memory.ts'
import { SharedReads, unlessGone } from './shared-reads.ts'
import { learned, type Fresh, type SetSource } from './set-source.ts'
import { firstInOrder, idsInOrder, idsThat, MOST_UNTESTED } from './set-queries.ts'
import { TableSets } from './table-sets.ts'
import type { Term } from './term.ts'
import { isStill } from './verified.ts'

/** Milliseconds after an order was read until its first keys are: first comes the answer that it was read for. */
const PAUSE = 100
/** Orders that are read on at a time although nobody waits for them. */
const READ_ON = 2

export interface SetParts extends Uses<'indexes' | 'catalogue'> {
  readonly db: ServedDb & Partial<Pick<LocalDb, 'readBriefly'>>
  readonly onFault: OnFault
}

/**
 * The sets and orders of all tables. The thread that serves has them; what is missing is read aside. A set that was read of any snapshot not
 * before change S is exact after the changes from S on are followed: to assign is idempotent.
 */
export class ListSets {
  readonly #parts: SetParts
  readonly #memory: SetMemory
  readonly #tables = new Map<number, TableSets>()
  readonly #reads = new SharedReads()
  #readOn = 0
  /** How many were read. */
  readonly #read = { set: 0, order: 0, column: 0 }
  #wrong = 0
  /** How many lists were answered, which their reader counts. */
  readonly answered = { sets: 0, sql: 0 }
  readonly hold = new CommitHold()
  readonly source: SetSource

  constructor(parts: SetParts, memory: SetMemory, sourceOf: (sets: ListSets) => SetSource) {
    this.#parts = parts
    this.#memory = memory
    this.source = sourceOf(this)
  }

  /** Those of a table; undefined: the structure that the caller knows is not the newest one. */
  of(table: Table): TableSets | undefined {
    const known = this.#tables.get(table.id)
    if (known?.version === table.version) return known
    if (known && known.version > table.version) return undefined
    known?.end()
    const { db, indexes } = this.#parts
    const ways = {
      isOrdered: (key: SortKey) => hasIndex(indexes, table.id, key),
      isServed: (condition: Condition) => indexes.serving(table, condition).length > 0,
      hasCandidates: db.dialect.indexes.texts.perhapsHolding !== undefined,
      readColumn: (attribute: Attribute, most: number) => this.#readMeanwhile(table, made, attribute, most),
    }
    const made: TableSets = new TableSets(
      { tableId: table.id, version: table.version },
      new ChangeLog(table.attributes.keys()),
      db,
      this.#memory,
      ways,
      (sets, from) => keepUp(sets, from, this.#fetchFor(sets)).catch((error: unknown) => this.diverged(sets, error)),
    )
    this.#tables.set(table.id, made)
    return made
  }

  /** Called after each commit, before anything is read. */
  committed(tallies: readonly Tally[]): void {
    for (const tableId of this.hold.gaps(tallies)) this.forget(tableId)
    for (const { tableId, recordId, attributes } of tallies) this.#tables.get(tableId)?.changed(recordId, attributes)
    this.hold.release()
  }

  /** Sets are not what the records of their table are: they are made anew. Other errors are thrown on. */
  diverged({ tableId }: Pick<TableSets, 'tableId'>, error: unknown): void {
    if (!(error instanceof Diverged)) throw error
    this.#isWrong(tableId, error)
  }

  #isWrong(tableId: number, error: Diverged): void {
    this.#wrong++
    this.forget(tableId)
    this.#parts.onFault('the sets of a table were not those of its records', error)
  }

  /** How many orders of a table were read, in the present state of its structure. */
  ordersRead(tableId: number): number {
    return this.#tables.get(tableId)?.ordersRead ?? 0
  }

  /** Forgets all of a table. `only`: if these are its sets. */
  forget(tableId: number, only = this.#tables.get(tableId)): void {
    if (only !== this.#tables.get(tableId)) return
    this.#tables.get(tableId)?.end()
    this.#tables.delete(tableId)
  }

  /** Reads what is missing, once for all who wait for it; undefined: it has to be asked anew. @throws as `readAside` */
  read(table: Table, sets: TableSets, missing: Missing, by: Asker): Promise<Term | undefined> {
    // What other tables hold now is perhaps not what it was when the same began to be read for another question.
    const alone = takesStep(missing.condition) ? ` ${this.#read.set}` : ''
    return this.#reads.once(`${nameOf(sets)} ${termKey(missing.condition)}${alone}`, by, async () => {
      this.#noteRanges(table, sets, missing)
      this.#read.set++
      let isUntested = false
      const read = (how?: 'tested') =>
        learned(
          sets,
          // `among` is of this moment, too.
          () => this.source.set(sets, by, idsThat(table, missing, this.#parts, how)),
          ({ set, untested = new Uint32Array() }, seen) => {
            isUntested = untested.length > 0
            return untested.length > MOST_UNTESTED ? undefined : sets.learn(missing, set, seen, new Set(untested))
          },
        )
      const term = await read()
      // Too many were left untested, or could not be read at once: SQL tests them. Where `among` is known, none are left.
      return term || !isUntested ? term : read('tested')
    })
  }

  /** The same of an order; undefined also where it cannot be had for the time being. */
  readOrder(table: Table, sets: TableSets, sort: readonly SortKey[], by: Asker): Promise<RecordOrder | undefined> {
    const query = idsInOrder(table, sort, this.#parts.db.dialect)
    const read = (asker: Asker) => this.source.order(sets, asker, query)
    const order = this.#order(sets, sort, by, () => {
      this.#read.order++
      // To read that of a large table may take longer than anybody waits: it is read on for whoever comes next.
      return read(by).catch((error: unknown) => {
        if (!(error instanceof Abandoned) || this.#readOn >= READ_ON) throw error
        this.#readOn++
        return read(nobody).finally(() => this.#readOn--)
      })
    })
    return unlessGone(by, order)
  }

  /** An order that is made of what is known of its keys. */
  joinOrder(sets: TableSets, sort: readonly SortKey[], parts: OrderParts, by: Asker): Promise<RecordOrder | undefined> {
    return this.#order(sets, sort, by, () => joinedOrder(sets, sort, parts))
  }

  #order(
    sets: TableSets,
    sort: readonly SortKey[],
    by: Asker,
    read: () => Promise<Fresh<PackedOrder | undefined> | undefined>,
  ): Promise<RecordOrder | undefined> {
    const refused = (): undefined => {
      sets.refusedOrders.add(orderText(sort))
    }
    return this.#reads.once(`${nameOf(sets)} order ${orderText(sort)}`, by, () => {
      // After many of them there seems to be no room for orders, and indexes are wanted.
      sets.ordersRead++
      return learned(sets, read, (order, seen) => (order ? this.#learnOrder(sets, sort, order, seen) : refused())).catch(
        (error: unknown) => {
          if (!(error instanceof Failure) || error.code !== 'server.query_timeout') throw error
          return refused()
        },
      )
    })
  }

  #learnOrder(sets: TableSets, sort: readonly SortKey[], packed: PackedOrder, seen: number): RecordOrder {
    const order = sets.learnOrder(sort, packed, seen)
    const fetch = this.#fetchFor(sets)
    // Whoever needs them hears what is wrong.
    if (fetch) setTimeout(() => void readFirsts(sets, order, fetch).catch(() => undefined), PAUSE).unref()
    return order
  }

  /** What reads records, where they cannot be read at once. */
  #fetchFor(sets: TableSets): ((unread: Unread) => Promise<void>) | undefined {
    return this.source.fetch && ((unread) => this.source.fetch!(sets, nobody, unread))
  }

  /** Whether an index has the beginning of an order, and it can be read at once. */
  hasBeginning({ id }: Table, sort: readonly SortKey[]): boolean {
    const { db, indexes } = this.#parts
    return db.readBriefly !== undefined && sort.length === 1 && hasIndex(indexes, id, sort[0]!)
  }

  /** The first records of a table in an order that an index has, as they are now; undefined where that is not possible in a moment. */
  beginning(table: Table, sort: readonly SortKey[], most: number): readonly number[] | undefined {
    const { db } = this.#parts
    if (!this.hasBeginning(table, sort)) return undefined
    return db.readBriefly!(firstInOrder(table, sort, most, db.dialect))?.map(([id]) => Number(id))
  }

  /** The same of the values of an attribute. */
  readColumn(table: Table, sets: TableSets, attribute: Attribute, by: Asker, most = Infinity): Promise<RecordColumn | undefined> {
    return this.#reads.once(`${nameOf(sets)} column ${attribute.name}`, by, () => {
      this.#read.column++
      return learned(
        sets,
        () => this.source.column(sets, by, table, attribute, most),
        (column, seen) => sets.columns.learn(attribute, column, seen),
      )
    })
  }

  /** A column that would save much reading, of up to so many bytes. */
  #readMeanwhile(table: Table, sets: TableSets, attribute: Attribute, most: number): void {
    if (this.source.isLonger(table, Math.min(LONGEST_COLUMN, most / WIDTH))) return sets.columns.unwanted(attribute)
    this.readColumn(table, sets, attribute, nobody, most).catch((error: unknown) => {
      sets.columns.unwanted(attribute)
      if (!(error instanceof Failure || error instanceof Stale)) this.#parts.onFault('a column of a table was not read', error)
    })
  }

  /** Other ranges of the field are found in its order, without the database. A filter that is tested for few records is read as a whole. */
  #noteRanges(table: Table, sets: TableSets, { condition }: Missing): void {
    for (const term of condition.is === 'and' ? condition.terms : [condition]) {
      const range = rangeOf(term)
      if (!range || !sets.hasManyRanges(range.attribute) || sets.refusedOrders.has(orderText(inOrderOf(range)))) continue
      // Whoever sorts by it asks again, and hears what was wrong.
      this.readOrder(table, sets, inOrderOf(range), nobody).catch(() => undefined)
    }
  }

  /** Compares a set, an order or a column of each table with the database, and some rows that were shown. What is wrong is told, and the sets of the table are made anew. */
  async verify(): Promise<void> {
    for (const [tableId, sets] of this.#tables) {
      const table = this.#parts.catalogue().tables.get(tableId)
      if (table?.version !== sets.version) {
        // The next list of it makes them anew, if there is one.
        this.forget(tableId)
        continue
      }
      if ((await promised(() => this.source.areShownRight(sets)).catch(staleIsUnknown)) === false) {
        this.diverged(sets, new Diverged(`Table ${tableId}, rows that were shown`))
        continue
      }
      const kept = sets.nextToVerify()
      if (!kept || (await isStill(kept, { table, sets, source: this.source, parts: this.#parts }).catch(divergedIsWrong)) !== false)
        continue
      const what =
        kept instanceof RecordOrder
          ? kept.text
          : (kept instanceof RecordColumn ? [kept.attribute] : attributesOf(kept.condition)).map((one) => one.name)
      this.#isWrong(tableId, new Diverged(`Table ${tableId}, ${String(what)}`))
    }
  }

  figures(): ListFigures {
    return { ...this.#memory.figures(), wrong: this.#wrong, read: { ...this.#read }, answered: { ...this.answered } }
  }

  /** Resolves when nothing is being read. */
  idle(): Promise<unknown> {
    return this.#reads.idle()
  }
}

/** What it throws at once becomes a rejection, too. */
const promised = async <T>(ask: () => T | Promise<T>): Promise<T> => ask()

function staleIsUnknown(error: unknown): undefined {
  if (!(error instanceof Stale)) throw error
}

function divergedIsWrong(error: unknown): false | undefined {
  return error instanceof Diverged ? false : staleIsUnknown(error)
}

const nameOf = ({ tableId, version }: TableSets): string => `${tableId}/${version}`
