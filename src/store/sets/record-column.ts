import type { Attribute, Stored } from '../../fields/field-type.ts'
import { exactly } from '../../filter/predicate.ts'
import { NumberColumn, WIDEST, type PackedColumn } from '../../sets/number-column.ts'
import { LONGEST, TextColumn } from '../../sets/text-column.ts'
import type { ChangeLog } from './change-log.ts'
import type { PresentRecords } from './present-records.ts'
import type { Followed } from './record-order.ts'
import { Refused } from './refused.ts'
import type { Kept, SetMemory } from './set-memory.ts'
import { digitsOf, timeOf } from './time-digits.ts'

/*
 * What all records have in one attribute. Numbers are what figures of any set of records are made of (group-sets.ts); a date or time is the number of its
 * digits. They are also the keys of orders (column-keys.ts), and so are texts where records cannot be read at once.
 */

/** Records of a table of which columns are read, at most: one of numbers is a text of some 15 to 24 characters a record. */
export const LONGEST_COLUMN = 2_500_000
/** Bytes of a value, at least where it is a text, at most where it is a number. */
export const WIDTH = 8

/** How many orders a column remembers that use it; orders that have gone are among them. */
const MOST_USERS = 200

/** What was read of all records. */
export type PackedValues = PackedColumn | TextColumn

/** A number, an id, an option, or a date or time by its digits. */
function numberOf({ type }: Attribute, stored: Stored): number | bigint {
  return type.kind === 'time' ? digitsOf(String(stored)) : exactly(stored)
}

/** The values of an attribute by id, as they were when they followed the changes of the table last. */
export class RecordColumn implements Kept, Followed {
  readonly attribute: Attribute
  readonly values: NumberColumn | TextColumn
  seen: number
  used: number
  readonly #users = new Set<() => void>()

  constructor(attribute: Attribute, packed: PackedValues, seen: number) {
    this.attribute = attribute
    this.values = packed instanceof TextColumn ? packed : new NumberColumn(packed)
    this.seen = seen
    this.used = seen
  }

  get bytes(): number {
    return this.values.bytes
  }

  /** What a record has, as filters and orders compare it; undefined: there is no such record. */
  stored(id: number): Stored | undefined {
    const { values, attribute } = this
    const value = values.of(id)
    return typeof value === 'number' && attribute.type.kind === 'time' ? timeOf(value, String(attribute.type.empty)) : value
  }

  follow(log: ChangeLog, records: PresentRecords): boolean {
    const changed = log.since(this.seen, log.touchOf([this.attribute.name]))
    if (!changed || !records.read(changed)) return false
    for (const id of changed) {
      const record = records.of(id)
      if (this.values.isFar(id) || !this.#assign(id, record?.value(this.attribute))) return false
    }
    this.seen = log.end
    return true
  }

  /** Returns false where the column has no room for the value. */
  #assign(id: number, stored: Stored | undefined): boolean {
    const { values, attribute } = this
    if (values instanceof TextColumn) {
      const text = stored as string | undefined
      // A unit has three bytes at most.
      if (text !== undefined && 3 * text.length > LONGEST) return false
      values.assign(id, text)
      return true
    }
    const number = stored === undefined ? undefined : numberOf(attribute, stored)
    // A bigint is beyond 2^53.
    if (typeof number === 'bigint' || (number !== undefined && Math.abs(number) >= WIDEST)) return false
    values.assign(id, number)
    return true
  }

  usedBy(forget: () => void): void {
    // Orders that are still there add themselves again when they follow.
    if (this.#users.size >= MOST_USERS) this.drop()
    this.#users.add(forget)
  }

  drop(): void {
    for (const forget of this.#users) forget()
    this.#users.clear()
  }
}

/** How often a column has to go until it counts as one that cannot be had. */
const DROPS = 3
/** The share of the memory for lists that a column of keys may take: nobody asked for it. */
const SHARE = 1 / 8

/** Begins to read the column of an attribute, which may take so many bytes. */
export type ReadWanted = (attribute: Attribute, most: number) => void

/** The columns of a table. */
export class RecordColumns {
  readonly #log: ChangeLog
  readonly #records: PresentRecords
  readonly #memory: SetMemory
  readonly #all = new Map<string, RecordColumn>()
  /** Those that cannot be had. */
  readonly #refused = new Refused()
  /** Those that are not wanted as keys for the time being. */
  readonly #unwanted = new Refused()
  /** How often one had to go, for want of room or because it could not follow. */
  readonly #dropped = new Map<string, number>()
  readonly #read: ReadWanted

  /** `read`: begins to read one that is wanted. */
  constructor(log: ChangeLog, records: PresentRecords, memory: SetMemory, read: ReadWanted) {
    this.#read = read
    this.#log = log
    this.#records = records
    this.#memory = memory
  }

  /** As they are now; undefined: they have to be read first. `own`: what was read for this question. */
  of({ name }: Attribute, own?: RecordColumn): RecordColumn | undefined {
    const column = this.#all.get(name) ?? own
    if (!column) return undefined
    if (!column.follow(this.#log, this.#records)) {
      this.#remove(column)
      this.#countDrop(column)
      return undefined
    }
    this.#memory.use(column)
    column.used = this.#log.end
    return column
  }

  /** To have all of them would save much reading: they are read while others go on, unless one of them cannot be had. */
  want(attributes: readonly Attribute[]): void {
    if (attributes.some(({ name }) => this.#unwanted.has(name))) return
    for (const one of attributes) if (!this.#all.has(one.name)) this.#read(one, this.#memory.most * SHARE)
  }

  unwanted({ name }: Attribute): void {
    this.#unwanted.add(name)
  }

  /** Asked once for each question: numbers too wide, ids too far apart, no room, or it could not be read in time. */
  isRefused({ name }: Attribute): boolean {
    return this.#refused.has(name)
  }

  refuse({ name }: Attribute): void {
    this.#refused.add(name)
    this.#unwanted.add(name)
  }

  /** What was read, for this once; undefined: no column can be made of it. `seen`: the number of the next change when it was asked. */
  read(attribute: Attribute, packed: PackedValues | undefined, seen: number): RecordColumn | undefined {
    if (!packed) {
      this.refuse(attribute)
      return undefined
    }
    this.#records.follow([attribute])
    return new RecordColumn(attribute, packed, seen)
  }

  learn(attribute: Attribute, packed: PackedValues | undefined, seen: number): RecordColumn | undefined {
    const column = this.read(attribute, packed, seen)
    if (!column) return undefined
    const before = this.#all.get(attribute.name)
    if (before) this.#remove(before)
    this.#all.set(attribute.name, column)
    this.#memory.add('column', column, () => this.#drop(column))
    return column
  }

  #remove(column: RecordColumn): void {
    this.#memory.remove(column)
    this.#forget(column)
    column.drop()
  }

  /** There is no room for it. */
  #drop(column: RecordColumn): void {
    this.#forget(column)
    this.#countDrop(column)
  }

  #countDrop({ attribute }: RecordColumn): void {
    const count = (this.#dropped.get(attribute.name) ?? 0) + 1
    this.#dropped.set(attribute.name, count % DROPS)
    if (count === DROPS) this.refuse(attribute)
  }

  #forget(column: RecordColumn): void {
    if (this.#all.get(column.attribute.name) === column) this.#all.delete(column.attribute.name)
  }

  end(): void {
    for (const column of this.#all.values()) this.#remove(column)
  }

  values(): Iterable<RecordColumn> {
    return this.#all.values()
  }
}
