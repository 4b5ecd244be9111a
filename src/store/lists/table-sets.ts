import type { Attribute } from '../../fields/field-type.ts'
import { takesStep, type Condition } from '../../filter/check.ts'
import type { SortKey } from '../../filter/sort.ts'
import { attributesOf, leavesIn, termKey } from '../../filter/terms.ts'
import { IdSet } from '../../sets/id-set.ts'
import type { PackedSet } from '../../sets/packed-set.ts'
import type { OrderCounts } from '../../sets/order-counts.ts'
import type { PackedOrder } from '../../sets/order-parts.ts'
import type { ChangeLog } from './change-log.ts'
import { PresentRecords, type RecordSource } from './present-records.ts'
import { BEHIND, isMadeAgain, type Sources } from './made-again.ts'
import { narrowed, type Missing } from './missing.ts'
import { RecordColumns } from './record-column.ts'
import { orderText, RecordOrder, type Followed, type OrderKey } from './record-order.ts'
import type { SetMemory } from './set-memory.ts'
import { ShownRows } from './shown-rows.ts'
import { Refused } from './refused.ts'
import { end, likeness, rangeOf, rangeSet, type Following, type Range, type Ranged } from './range-sets.ts'
import { everything, isLeaf, isOfTexts, LEAVES, OwnTerms, Term } from './term.ts'
import { usedLately } from './used-lately.ts'
import type { Verified } from './verified.ts'

/*
 * The sets and orders of one table, in one state of its structure. They follow the changes of the table when they are used (term.ts, record-order.ts). The
 * set of a condition that is not kept is combined from those of its terms.
 */

/** A set, and whether it is kept for later questions; of a range also what it is like. */
export interface Found extends Pick<Ranged, 'like'> {
  readonly term: Term
  readonly isKept: boolean
  /** It was made for one answer, after which its set can be released. */
  readonly isMade?: boolean
}
export type Resolved = Found | { readonly missing: readonly Missing[] }

/** Ranges of a field after which its order is read. */
const RANGES = 3
/** Milliseconds after BEHIND changes of the table until its sets follow, although no list uses them. */
const PAUSE = 100

export class TableSets {
  readonly tableId: number
  /** Of the structure. */
  readonly version: number
  readonly log: ChangeLog
  readonly records: PresentRecords
  readonly columns: RecordColumns
  readonly shown: ShownRows
  readonly #memory: SetMemory
  readonly #terms = new Map<string, Term>()
  readonly #orders = new Map<string, RecordOrder>()
  /** How many ranges of a field were read, by its name. */
  readonly #ranges = new Map<string, number>()
  #verified = 0
  /** Orders that could not be read in the time that a list has. */
  readonly slowOrders = new Set<string>()
  /** Those that there was no room for. */
  readonly unkeptOrders = new Refused()
  /** The ids are so far apart that an order would take too much memory. */
  isSparse = false
  /** Whether an index finds the records of a condition. */
  readonly #isServed: (condition: Condition) => boolean
  readonly #following: Following & Sources
  readonly #keepUp: (sets: TableSets) => Promise<void>
  /** The number of the next change when sets that were used lately were last told to follow; undefined: they are following. */
  #keptUp: number | undefined = 0
  isEnded = false
  ordersRead = 0
  readonly has = (order: RecordOrder): boolean => this.#orders.get(order.text) === order

  constructor(
    { tableId, version }: { readonly tableId: number; readonly version: number },
    log: ChangeLog,
    source: RecordSource,
    memory: SetMemory,
    isServed: (condition: Condition) => boolean,
    keepUp: (sets: TableSets) => Promise<void>,
  ) {
    this.tableId = tableId
    this.version = version
    this.log = log
    this.records = new PresentRecords(tableId, source)
    this.#memory = memory
    this.columns = new RecordColumns(log, this.records, memory)
    this.shown = new ShownRows(memory)
    this.#isServed = isServed
    this.#keepUp = keepUp
    this.#following = { log, records: this.records, terms: this.#terms, orders: this.#orders }
  }

  /** A record has changed. `attributes`: as those of the log. */
  changed(id: number, attributes?: Iterable<string>): void {
    this.log.append(id, attributes)
    this.records.forget(id)
    this.shown.forget(id)
    if (this.#keptUp === undefined || this.log.end - this.#keptUp < BEHIND) return
    this.#keptUp = undefined
    // Not in the turn of the commit. What fails, fails for the next list too, which says so.
    const ended = () => (this.#keptUp = this.log.end)
    setTimeout(() => void this.#keepUp(this).then(ended, ended), PAUSE).unref()
  }

  /** Orders and columns that were used within so many changes, and terms that more than one list used: what is looked for once does not follow. */
  usedLately(): readonly Followed[] {
    return usedLately(this.#orders.values(), [...this.columns.values(), ...this.#terms.values()], this.log.end)
  }

  /** It is not used any more. */
  end(): void {
    this.isEnded = true
    for (const term of this.#terms.values()) this.#remove(term)
    for (const order of this.#orders.values()) this.#remove(order)
    this.columns.end()
    this.shown.end()
    this.#terms.clear()
    this.#orders.clear()
  }

  /**
   * The records that meet a condition (`asTerm`), as they are now; or what is missing for that. `own`: of this question, which may ask again.
   */
  resolve(condition: Condition, own: OwnTerms = new OwnTerms()): Resolved {
    const key = termKey(condition)
    const known = this.#terms.get(key) ?? own.get(key)
    if (known && !isMadeAgain(known, condition, this.#following) && known.follow(this.log, this.records)) {
      this.#memory.use(known, own.question)
      known.useNow(this.log.end)
      return { term: known, isKept: this.#terms.get(key) === known }
    }
    if (isLeaf(condition)) return this.#ranged(condition, key, own) ?? { missing: [{ condition }] }
    if (leavesIn(condition) > LEAVES) return { missing: [{ condition }] }
    const found = condition.is === 'or' ? this.#any(condition, own) : this.#all(condition.is === 'and' ? condition.terms : [condition], own)
    if ('missing' in found) return found
    return this.#made(condition, key, found, own)
  }

  /** What was made of other sets. A filter that is asked once is not worth its memory. */
  #made(condition: Condition, key: string, set: IdSet, { question }: OwnTerms): Found {
    const term = this.#term(condition, key, set, this.log.end)
    const isKept = !takesStep(condition) && this.#memory.isAskedAgain(`${this.tableId} ${key}`, question)
    if (isKept) {
      set.compact()
      this.#keep(term, 'filter')
    }
    return { term, isKept, isMade: !isKept }
  }

  /** A range of a field whose order is known; undefined: it is none. */
  #ranged(condition: Condition, key: string, own: OwnTerms): Found | undefined {
    const found = this.#rangeOf(condition)
    if (!found) return undefined
    const { set, like } = this.#inRange(found.order, found.range)
    return { ...this.#made(condition, key, set, own), like }
  }

  #rangeOf(condition: Condition): { readonly order: RecordOrder; readonly range: Range } | undefined {
    const range = rangeOf(condition)
    const order = range && this.ordered([{ attribute: range.attribute, descending: false }])
    return order && { order, range }
  }

  #inRange(order: RecordOrder, range: Range, within?: IdSet): Ranged {
    return rangeSet(order, range, this.#following, this.#memory, within)
  }

  /** The records that meet any term of an `or`. */
  #any(condition: Condition & { is: 'and' | 'or' }, own: OwnTerms): IdSet | { readonly missing: readonly Missing[] } {
    const { terms } = condition
    const found = terms.map((term) => this.resolve(term, own))
    const missing = found.flatMap((one) => ('missing' in one ? one.missing : []))
    if (missing.length === terms.length && isOfTexts(condition) && terms.every(this.#isServed)) return { missing: [{ condition }] }
    if (missing.length > 0) return { missing }
    const [first, ...others] = found.map((one) => (one as Found).term.set)
    return others.reduce((set, other) => set.or(other), first!)
  }

  /**
   * What is in all of them. What must not hold is taken away from the others, so that no complement is made. Ranges come last: of each, only what the
   * others have is made.
   */
  #all(terms: readonly Condition[], own: OwnTerms): IdSet | { readonly missing: readonly Missing[] } {
    const wanted = terms.filter((term) => term.is !== 'not')
    const refused = terms.flatMap((term) => (term.is === 'not' ? [term.term] : []))
    const ranges = wanted.filter((term) => this.#isRange(term, own))
    const others = wanted.length > 0 ? wanted.filter((term) => !ranges.includes(term)) : [everything]
    const found = others.map((term) => this.resolve(term, own))
    const without = refused.map((term) => this.resolve(term, own))
    // Memory may have dropped the order of a range meanwhile.
    const within = ranges.map((term) => this.#rangeOf(term) ?? { missing: [{ condition: term }] })
    const missing = [...found, ...without, ...within].flatMap((one) => ('missing' in one ? one.missing : []))
    const sets = found.flatMap((one) => ('missing' in one ? [] : [one.term.set])).sort((one, other) => one.size - other.size)
    const known = within.flatMap((one) => ('missing' in one ? [] : [one]))
    const both = (): IdSet => {
      const [first, ...more] = sets
      const together = first && more.reduce((set, other) => set.and(other), first)
      return known.reduce<IdSet | undefined>((set, { order, range }) => this.#inRange(order, range, set).set, together)!
    }
    if (missing.length > 0) return { missing: narrowed(terms, missing, sets.length + known.length > 0 ? both : undefined, this.#isServed) }
    return without.reduce((set, one) => set.without((one as Found).term.set), both())
  }

  /** Whether it is a range that is made of an order, and not kept. */
  #isRange(condition: Condition, own: OwnTerms): boolean {
    const range = rangeOf(condition)
    if (!range || !this.#orders.has(orderText([{ attribute: range.attribute, descending: false }]))) return false
    const key = termKey(condition)
    return !this.#terms.has(key) && !own.has(key)
  }

  /** Whether an order cannot be kept: it takes too long to be read, or too much memory. */
  isLeftToSql(sort: readonly SortKey[]): boolean {
    return sort.length > 0 && (this.isSparse || this.slowOrders.has(orderText(sort)))
  }

  /** Whether ranges of this field are asked so often that its order is worth having. */
  hasManyRanges({ name }: Attribute): boolean {
    const count = (this.#ranges.get(name) ?? 0) + 1
    this.#ranges.set(name, count)
    return count >= RANGES && !this.#orders.has(name)
  }

  /** Takes what was read of the database. `seen`: the number of the next change when it was asked. */
  learn({ condition }: Missing, set: PackedSet, seen: number): Term {
    const term = this.read(condition, set, seen)
    // What other tables hold may change at any time: that counts for the question for which it was read.
    if (!takesStep(condition)) this.#keep(term, isLeaf(condition) || isOfTexts(condition) ? 'term' : 'filter')
    return term
  }

  /** The same, for this once. */
  read(condition: Condition, set: PackedSet, seen: number): Term {
    return this.#term(condition, termKey(condition), new IdSet(set), seen)
  }

  #term(condition: Condition, key: string, set: IdSet, seen: number): Term {
    this.records.follow(attributesOf(condition))
    return new Term({ key, condition }, set, seen)
  }

  #keep(term: Term, kind: 'filter' | 'term'): void {
    const before = this.#terms.get(term.key)
    if (before) this.#remove(before)
    this.#terms.set(term.key, term)
    this.#memory.add(kind, term, () => this.#terms.delete(term.key))
  }

  #remove(kept: Term | RecordOrder): void {
    this.#memory.remove(kept)
    if (kept instanceof RecordOrder) this.#forget(kept)
    kept.drop()
  }

  #forget(order: RecordOrder): void {
    if (this.has(order)) this.#orders.delete(order.text)
    for (const anchor of order.anchors.splice(0)) end(anchor, this.#memory)
  }

  /** The records in an order, as they are now; undefined: it has to be read first. `own`: one that was read for this question. */
  ordered(sort: readonly SortKey[], own?: RecordOrder): RecordOrder | undefined {
    const order = this.#orders.get(orderText(sort)) ?? own
    if (!order) return undefined
    if (!order.follow(this.log, this.records)) {
      // Else ranges would wait for it for ever.
      if (this.has(order)) this.#remove(order)
      return undefined
    }
    this.#memory.use(order)
    order.used = this.log.end
    return order
  }

  /** An order, for this once. */
  readOrder(sort: readonly SortKey[], packed: PackedOrder, seen: number): RecordOrder {
    this.records.follow(sort.map(({ attribute }) => attribute))
    return new RecordOrder(sort, packed, seen, this.records)
  }

  learnOrder(sort: readonly SortKey[], packed: PackedOrder, seen: number): RecordOrder {
    const order = this.readOrder(sort, packed, seen)
    const before = this.#orders.get(order.text)
    if (before) this.#remove(before)
    this.#orders.set(order.text, order)
    this.#memory.add('order', order, () => this.#forget(order))
    return order
  }

  /** What is kept and whose turn it is to be compared with the database. */
  nextToVerify(): Verified | undefined {
    const all = [...this.#terms.values(), ...this.#orders.values(), ...this.columns.values()]
    return all[this.#verified++ % Math.max(1, all.length)]
  }

  /** How many records of a set each block of an order has, where both are as they are now. */
  countsOf({ term, isKept, ...ranged }: Found, order: RecordOrder): OrderCounts<OrderKey> {
    const memory = this.has(order) ? this.#memory : undefined
    return term.countsIn(order, isKept ? memory : undefined, memory && likeness({ ...ranged, set: term.set }, order, memory))
  }
}
