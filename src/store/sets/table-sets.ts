import type { Attribute } from '../../fields/field-type.ts'
import { takesStep, type Condition } from '../../filter/check.ts'
import type { SortKey } from '../../filter/sort.ts'
import { asTerm, attributesOf, leavesIn, termKey } from '../../filter/terms.ts'
import { IdSet } from '../../sets/id-set.ts'
import type { PackedSet } from '../../sets/packed-set.ts'
import { OrderCounts } from '../../sets/order-counts.ts'
import type { BlockCounts, PackedOrder } from '../../sets/order-parts.ts'
import type { ChangeLog } from './change-log.ts'
import { PresentRecords, type RecordSource } from './present-records.ts'
import { BEHIND, isMadeAgain, type Sources } from './made-again.ts'
import { missingOf, setsOf, type Found, type Lacking, type Made } from './found.ts'
import { narrowed, type Missing, type Ways } from './missing.ts'
import { RecordColumns, type RecordColumn } from './record-column.ts'
import { orderText, RecordOrder, type Followed } from './record-order.ts'
import type { SetMemory } from './set-memory.ts'
import { ShownRows } from './shown-rows.ts'
import { Refused } from './refused.ts'
import { endAnchor, type Following } from './anchors.ts'
import { inRange, RangeMembers, inOrderOf, rangeOf } from './range-sets.ts'
import { everything, isLeaf, isOfTexts, LEAVES, OwnTerms, Term } from './term.ts'
import { usedLately } from './used-lately.ts'

/*
 * The sets and orders of one table, in one state of its structure. They follow the changes of the table when they are used (term.ts, record-order.ts). The
 * set of a condition that is not kept is combined from those of its terms.
 */

/** Ranges of a field after which its order is read. */
const RANGES = 3
/** Questions for a filter from which on it is kept; and for a range, whose pages are found without its set. */
const AGAIN = 2
const OFTEN = 5
/** An order that could not be had is tried again after so many asks at most: each try may take as long as a list may. */
const MOST_AGAIN = 10_000
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
  /** Orders that could not be read in the time that a list has, or whose ids are so far apart that they would take too much memory. */
  readonly refusedOrders = new Refused(MOST_AGAIN)
  /** Those that there was no room for. */
  readonly unkeptOrders = new Refused()
  readonly #ways: Ways
  readonly #following: Following & Sources
  readonly #keepUp: (sets: TableSets, from: number) => Promise<void>
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
    ways: Ways,
    keepUp: (sets: TableSets, from: number) => Promise<void>,
  ) {
    this.tableId = tableId
    this.version = version
    this.log = log
    this.records = new PresentRecords(tableId, source, memory)
    this.#memory = memory
    this.columns = new RecordColumns(log, this.records, memory, ways.readColumn)
    this.shown = new ShownRows(memory)
    this.#ways = ways
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
    setTimeout((from: number) => void this.#keepUp(this, from).then(ended, ended), PAUSE, this.log.end).unref()
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
    for (const kept of [this.columns, this.shown, this.records]) kept.end()
    this.#terms.clear()
    this.#orders.clear()
  }

  /**
   * The records that meet a condition (`asTerm`), as they are now; or what is missing for that. `own`: of this question, which may ask again. A range is not
   * made as a set: a page of it needs little of that.
   */
  find(condition: Condition, own: OwnTerms = new OwnTerms()): Found | Lacking {
    const key = termKey(condition)
    const known = this.#terms.get(key) ?? own.get(key)
    if (known && !isMadeAgain(known, condition, this.#following) && known.follow(this.log, this.records)) {
      this.#memory.use(known, own.question)
      known.useNow(this.log.end)
      return { set: known.set, ...(this.#terms.get(key) === known && { term: known }) }
    }
    // It would be in the way of its range.
    if (known && this.#terms.delete(key)) this.#remove(known)
    const found = this.#combined(condition, own)
    if ('missing' in found) return found
    // A filter that is asked once is not worth its memory, and a range not even one that is asked now and then.
    const asks = this.#memory.timesAsked(`${this.tableId} ${key}`, own.question)
    if (takesStep(condition) || asks < (found instanceof RangeMembers ? OFTEN : AGAIN)) return { set: found, made: found }
    const term = this.#term(condition, key, found.toSet(), this.log.end)
    term.set.compact()
    this.#keep(term, 'filter')
    return { set: term.set, term }
  }

  /** The same as a set. */
  resolve(condition: Condition, own?: OwnTerms): Found<IdSet> | Lacking {
    const found = this.find(condition, own)
    return 'missing' in found ? found : { ...found, set: found.set.toSet() }
  }

  #combined(condition: Condition, own: OwnTerms): Made | Lacking {
    if (isLeaf(condition)) return this.#isRange(condition, own) ? this.#inRanges([condition]) : { missing: [{ condition }] }
    if (leavesIn(condition) > LEAVES) return { missing: [{ condition }] }
    return condition.is === 'or' ? this.#any(condition, own) : this.#all(condition.is === 'and' ? condition.terms : [condition], own)
  }

  /** The records that meet any term of an `or`. */
  #any(condition: Condition & { is: 'and' | 'or' }, own: OwnTerms): IdSet | Lacking {
    const { terms } = condition
    const found = terms.map((term) => this.resolve(term, own))
    const missing = missingOf(found)
    if (missing.length === terms.length && isOfTexts(condition) && terms.every(this.#ways.isServed)) return { missing: [{ condition }] }
    if (missing.length > 0) return { missing }
    const [first, ...others] = setsOf(found)
    return others.reduce((set, other) => set.or(other), first!)
  }

  /**
   * What is in all of them. Ranges come last: of each, only what the others have is looked at; what these have in common is kept, if it is asked for again.
   * What must not hold is taken away from the others, so that no complement is made, but beside ranges.
   */
  #all(terms: readonly Condition[], own: OwnTerms): Made | Lacking {
    const ranges = terms.filter((term) => this.#isRange(term, own))
    const others = terms.filter((term) => !ranges.includes(term))
    if (ranges.length > 0) {
      const among = others.length > 0 ? this.resolve(asTerm(others), own) : undefined
      if (!among || !('missing' in among)) return this.#inRanges(ranges, among)
    }
    const wanted = others.filter((term) => term.is !== 'not')
    const found = (wanted.length > 0 ? wanted : [everything]).map((term) => this.resolve(term, own))
    const without = others.flatMap((term) => (term.is === 'not' ? [this.resolve(term.term, own)] : []))
    const missing = missingOf([...found, ...without])
    const [first, ...more] = setsOf(found).sort((one, other) => one.size - other.size)
    const together = () => more.reduce((set, other) => set.and(other), first!)
    if (missing.length === 0) return setsOf(without).reduce((set, one) => set.without(one), together())
    const both = (most: number, atOnce: boolean): IdSet | undefined => {
      if (atOnce && (!first || first.size > most)) return undefined
      const left = ranges.length > 0 ? this.#inRanges(ranges, first && { set: together() }) : first && together()
      return left && !('missing' in left) && left.size <= most ? left.toSet() : undefined
    }
    return { missing: narrowed(terms, missing, both, this.#ways) }
  }

  /** The records of some ranges that have an order, of those that another set has. */
  #inRanges(ranges: readonly Condition[], among?: Found<IdSet>): Made | Lacking {
    let members: Made | undefined
    for (const condition of ranges) {
      const range = rangeOf(condition)!
      const order = this.ordered(inOrderOf(range))
      // Memory may have dropped it meanwhile.
      if (!order || !this.has(order)) return { missing: [{ condition }] }
      const within = members ? { set: members.toSet() } : among
      members = inRange(order, range, this.#following, this.#memory, within)
    }
    return members!
  }

  /** Whether it is a range that is made of an order, and not kept. */
  #isRange(condition: Condition, own: OwnTerms): boolean {
    const range = rangeOf(condition)
    if (!range || !this.#orders.has(orderText(inOrderOf(range)))) return false
    const key = termKey(condition)
    return !this.#terms.has(key) && !own.has(key)
  }

  /** Whether an order cannot be had for the time being. */
  isLeftToSql(sort: readonly SortKey[]): boolean {
    return sort.length > 0 && this.refusedOrders.has(orderText(sort))
  }

  /** Whether ranges of this field are asked so often that its order is worth having. */
  hasManyRanges({ name }: Attribute): boolean {
    const count = (this.#ranges.get(name) ?? 0) + 1
    this.#ranges.set(name, count)
    return count >= RANGES && !this.#orders.has(name)
  }

  /** Takes what was read of the database. `seen`: the number of the next change when it was asked. Undefined: what was left `untested` cannot be tested at once. */
  learn({ condition, served }: Missing, set: PackedSet, seen: number, untested: ReadonlySet<number> = new Set()): Term | undefined {
    const term = this.read(condition, set, seen)
    if (!term.test(untested, this.records)) return undefined
    // What other tables hold may change at any time: that counts for the question for which it was read.
    if (!takesStep(condition)) this.#keep(term, served || isLeaf(condition) || isOfTexts(condition) ? 'term' : 'filter')
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
    this.#memory.add(kind, term, () => this.#terms.delete(term.key), !this.#ways.isServed(term.condition))
  }

  #remove(kept: Term | RecordOrder): void {
    this.#memory.remove(kept)
    if (kept instanceof RecordOrder) this.#forget(kept)
    kept.drop()
  }

  #forget(order: RecordOrder): void {
    if (this.has(order)) this.#orders.delete(order.text)
    for (const anchor of order.anchors.splice(0)) endAnchor(anchor, this.#memory)
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
    return new RecordOrder(sort, packed, seen, this.records, this.columns, () => this.#ways.isOrdered(sort[0]!))
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
  nextToVerify(): Term | RecordOrder | RecordColumn | undefined {
    const all = [...this.#terms.values(), ...this.#orders.values(), ...this.columns.values()]
    return all[this.#verified++ % Math.max(1, all.length)]
  }

  /** How many records of a set each block of an order has, where both are as they are now. */
  countsOf({ term, set }: Found, order: RecordOrder): BlockCounts {
    if (term) return term.countsIn(order, this.has(order) ? this.#memory : undefined)
    return set instanceof RangeMembers && this.has(order) ? set.countsIn(order) : new OrderCounts(order.ids, set.toSet()).ended()
  }
}
