import { Failure } from '../../errors.ts'
import type { Attribute } from '../../fields/field-type.ts'
import type { Condition } from '../../filter/check.ts'
import type { SortKey } from '../../filter/sort.ts'
import { NumberColumn } from '../../sets/number-column.ts'
import { hasIndex, type Answered, type Indexes } from '../ground/indexes.ts'
import { nobody, type Asker } from '../model/asker.ts'
import type { Table } from '../model/catalogue.ts'
import type { ListSets } from '../sets/list-sets.ts'
import { isJoinable, isSorted, MOST_JOINED, type OrderParts } from '../sets/joined-order.ts'
import { LONGEST_COLUMN, type RecordColumn } from '../sets/record-column.ts'
import { orderText, type RecordOrder } from '../sets/record-order.ts'
import type { Missing } from '../sets/missing.ts'
import type { Found } from '../sets/found.ts'
import type { TableSets } from '../sets/table-sets.ts'
import { isEverything, OwnTerms } from '../sets/term.ts'

/** How often an order is read for one question, before SQL answers it. */
const ORDER_READS = 2
/** Records of an order that are looked through for a page, before those of each block are counted. */
export const LOOKED_THROUGH = 4_000

/** What a question asks of the sets of its table. */
export interface Asked {
  readonly condition: Condition
  /** Without what an id before it decides; none: by id. */
  readonly sort: readonly SortKey[]
  readonly answered: Answered
}

/** What is known of it in this turn. */
export interface Known {
  readonly sets: TableSets
  readonly sort: readonly SortKey[]
  /** Undefined: every record of the table. */
  readonly found: Found | undefined
  /** Undefined: by id, or by id descending; or the beginning is known alone. */
  readonly order: RecordOrder | undefined
  /** The first records of the table in the order, while the order itself is being read: enough for the page, if it is near. */
  readonly beginning?: readonly number[] | undefined
  /** Of the attributes that are needed, by name; undefined: they are not known, and few records match. */
  readonly columns: Columns | undefined
}

/** What a question needs besides its filter and its order. */
export interface Needs {
  /** How many records from the beginning of the list are looked at. */
  readonly until?: number
  /** Whether the beginning of the order may do, where it has so many of them. */
  readonly byBeginning?: boolean
  /** The values of these attributes, if more records match than `few`. */
  readonly columns?: readonly Attribute[]
  readonly few?: number
  /** SQL answers where more match. */
  readonly most?: number
}

export type Columns = ReadonlyMap<string, NumberColumn>

/** Whether no order has to be kept for it: by id, or by id descending. */
export const isById = (sort: readonly SortKey[]): boolean => sort.length === 0 || sort[0]!.attribute.name === 'id'

/** Finds the sets and the order of one question, and reads those that are missing. */
export class Search {
  readonly #all: ListSets
  readonly #indexes: Indexes
  readonly #table: Table
  readonly #by: Asker
  readonly #asked: Asked
  readonly #needs: Needs
  readonly #own = new OwnTerms()
  #ownOrder: RecordOrder | undefined
  /** By the keys after the first. */
  #ownRest: RecordOrder | undefined
  /** Whether the order may be made of that and the column of the first key (joined-order.ts). */
  #mayJoin: boolean
  readonly #ownColumns = new Map<string, RecordColumn>()
  #before: TableSets | undefined
  #orderReads = 0

  constructor(all: ListSets, indexes: Indexes, table: Table, by: Asker, asked: Asked, needs: Needs) {
    this.#all = all
    this.#indexes = indexes
    this.#table = table
    this.#by = by
    this.#asked = asked
    this.#needs = needs
    // Where columns are read of a file, it takes as long to sort the records there.
    this.#mayJoin = all.source.fetch !== undefined && isJoinable(asked.sort) && !all.source.isLonger(table, MOST_JOINED)
  }

  /** Without a pause where nothing is missing; else reads that, and has to be asked again. @throws Unread */
  known(sets: TableSets): Known | 'by SQL' | Promise<'again' | 'by SQL'> {
    const { condition, sort } = this.#asked
    // What was read before the sets were forgotten follows a log that has ended.
    if (this.#before !== sets) {
      this.#own.clear()
      this.#ownOrder = undefined
      this.#ownRest = undefined
      this.#ownColumns.clear()
      sets.records.count()
    }
    this.#before = sets
    const found = isEverything(condition) ? undefined : sets.find(condition, this.#own)
    const order = isById(sort) ? undefined : sets.ordered(sort, this.#ownOrder)
    if (!isById(sort) && !order && sets.refusedOrders.has(orderText(sort))) return 'by SQL'
    if ((order || isById(sort)) && !(found && 'missing' in found)) {
      const columns = this.#columns(sets, found)
      if (columns === 'by SQL' || columns instanceof Promise) return columns
      return { sets, sort, found, order, columns }
    }
    if (found && !('missing' in found)) {
      const beginning = this.#beginning(sets, found)
      if (beginning) return { sets, sort, found, order: undefined, columns: undefined, beginning }
    }
    const missing = found && 'missing' in found ? found.missing : []
    return order || isById(sort) ? this.#read(missing, sets) : this.#readWithOrder(missing, sets, found !== undefined)
  }

  /** What the order can be made of, where all of that is known. @throws Unread */
  #parts(sets: TableSets): OrderParts | undefined {
    const { sort } = this.#asked
    // Where it would be made again and again, since there is no room for it, the database sorts: the thread that serves has more to do.
    this.#mayJoin &&= !sets.unkeptOrders.has(orderText(sort))
    if (!this.#mayJoin) return undefined
    const [first, ...others] = sort
    const rest = sets.ordered(others, this.#ownRest)
    const column = rest && this.#columnOf(sets, first!.attribute)
    if (!rest || !column) return undefined
    this.#mayJoin = isSorted(rest)
    return this.#mayJoin ? { rest, column } : undefined
  }

  /** Whether it is worth reading what the order can be made of: the further keys need not be sorted, and the column can be had. @throws Unread */
  #isWorthJoining(sets: TableSets): boolean {
    const [first, ...others] = this.#asked.sort
    const areOrdered = () =>
      (others.length === 1 && hasIndex(this.#indexes, this.#table.id, others[0]!)) || sets.ordered(others, this.#ownRest) !== undefined
    this.#mayJoin &&= areOrdered() && !sets.refusedOrders.has(orderText(others)) && !sets.columns.isRefused(first!.attribute)
    return this.#mayJoin
  }

  /** Reads what the order can be made of; or tells by `#mayJoin` that it cannot be had. @throws Unread */
  async #readParts(sets: TableSets): Promise<void> {
    const [first, ...others] = this.#asked.sort
    const isRead = () => [sets.ordered(others, this.#ownRest) !== undefined, this.#columnOf(sets, first!.attribute) !== undefined]
    // Both are told before one is begun, since each may throw.
    const [hasRest, hasColumn] = isRead()
    await Promise.all([
      hasRest ? undefined : this.#all.readOrder(this.#table, sets, others, this.#by).then((one) => (this.#ownRest = one)),
      hasColumn ? undefined : this.#readColumns(sets, [first!.attribute]),
    ])
    this.#mayJoin = isRead().every(Boolean)
  }

  /** What an index has at the beginning of the order, if that is enough. The order is read meanwhile: nobody waits for the first page of a large table. */
  #beginning(sets: TableSets, { set }: Found): readonly number[] | undefined {
    const { until = Infinity } = this.#needs
    const ids = this.#mayBegin() ? this.#all.beginning(this.#table, this.#asked.sort, LOOKED_THROUGH) : undefined
    if (!ids || ids.filter((id) => set.has(id)).length < Math.min(until, set.size)) return undefined
    this.#readMeanwhile(sets)
    return ids
  }

  #mayBegin(): boolean {
    const { until = Infinity, byBeginning = false } = this.#needs
    return byBeginning && until <= LOOKED_THROUGH && this.#all.hasBeginning(this.#table, this.#asked.sort)
  }

  /** Reads the order for later pages, whoever goes meanwhile; not where there was lately no room for it. Whoever waits for it hears what is wrong. */
  #readMeanwhile(sets: TableSets): void {
    const { sort } = this.#asked
    if (sets.unkeptOrders.has(orderText(sort))) return
    this.#readOrder(sets, nobody)
      .then((order) => order && !sets.has(order) && sets.unkeptOrders.add(order.text))
      .catch(() => undefined)
  }

  #readOrder(sets: TableSets, by: Asker): Promise<RecordOrder | undefined> {
    return this.#all.readOrder(this.#table, sets, this.#asked.sort, by)
  }

  #columns(sets: TableSets, found: Found | undefined): Columns | undefined | 'by SQL' | Promise<'again'> {
    const { columns: attributes = [], few = 0, most = Infinity } = this.#needs
    const { source } = this.#all
    if (attributes.length > 0 && (found ? found.set.size > most : source.isLonger(this.#table, most))) return 'by SQL'
    const known = new Map<string, NumberColumn>()
    for (const attribute of attributes) {
      const column = this.#columnOf(sets, attribute)
      if (column) known.set(attribute.name, column)
    }
    const absent = attributes.filter(({ name }) => !known.has(name))
    if (absent.length === 0) return known
    if (found && found.set.size <= few) return undefined
    if (source.isLonger(this.#table, LONGEST_COLUMN) || absent.some((one) => sets.columns.isRefused(one))) return 'by SQL'
    return this.#readColumns(sets, absent)
  }

  #columnOf(sets: TableSets, attribute: Attribute): NumberColumn | undefined {
    const column = sets.columns.of(attribute, this.#ownColumns.get(attribute.name))
    return column?.values instanceof NumberColumn ? column.values : undefined
  }

  async #readColumns(sets: TableSets, absent: readonly Attribute[]): Promise<'again'> {
    // One after the other: a question has one of the reads that may wait.
    for (const attribute of absent) {
      const column = await this.#all.readColumn(this.#table, sets, attribute, this.#by).catch((error: unknown) => {
        if (!(error instanceof Failure) || error.code !== 'server.query_timeout') throw error
        sets.columns.refuse(attribute)
        return undefined
      })
      if (column) this.#ownColumns.set(attribute.name, column)
    }
    return 'again'
  }

  async #read(missing: readonly Missing[], sets: TableSets): Promise<'again'> {
    await Promise.all(
      missing.map(async (one) => {
        const term = await this.#all.read(this.#table, sets, one, this.#by)
        if (term) this.#own.set(term.key, term)
      }),
    )
    return 'again'
  }

  /** The same, and the order. @throws Unread */
  #readWithOrder(missing: readonly Missing[], sets: TableSets, isFiltered: boolean): Promise<'again' | 'by SQL'> {
    // The filter says first how far from the beginning the page is.
    if (missing.length > 0 && this.#mayBegin()) {
      this.#readMeanwhile(sets)
      return this.#read(missing, sets)
    }
    const parts = this.#parts(sets)
    const reader = parts
      ? () => this.#join(sets, parts)
      : this.#isWorthJoining(sets)
        ? () => this.#readParts(sets)
        : () => this.#readOwn(sets)
    const terms = this.#read(missing, sets)
    // Records that change faster than an order follows, as in an import, would have it read again and again.
    if (!parts && ++this.#orderReads > ORDER_READS) return terms.then(() => 'by SQL' as const)
    const order = reader()
    // The first pages of a whole table are there at once where an index has its order.
    const { sort } = this.#asked
    const { until = Infinity } = this.#needs
    if (!isFiltered && until <= LOOKED_THROUGH && hasIndex(this.#indexes, this.#table.id, sort[0]!)) {
      order.catch(() => undefined)
      return terms.then(() => 'by SQL' as const)
    }
    return Promise.all([terms, order]).then(() => 'again' as const)
  }

  async #join(sets: TableSets, parts: OrderParts): Promise<void> {
    const order = await this.#all.joinOrder(sets, this.#asked.sort, parts, this.#by)
    if (order && !sets.has(order)) sets.unkeptOrders.add(order.text)
    this.#ownOrder = order
  }

  async #readOwn(sets: TableSets): Promise<void> {
    this.#ownOrder = await this.#readOrder(sets, this.#by)
  }
}
