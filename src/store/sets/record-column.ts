import type { Attribute, Stored } from '../../fields/field-type.ts'
import { exactly } from '../../filter/predicate.ts'
import { NumberColumn, WIDEST, type PackedColumn } from '../../sets/number-column.ts'
import type { ChangeLog } from './change-log.ts'
import type { PresentRecords } from './present-records.ts'
import type { Followed } from './record-order.ts'
import { Refused } from './refused.ts'
import type { Kept, SetMemory } from './set-memory.ts'

/*
 * The numbers of an attribute, of which figures of any set of records are made (group-sets.ts). A date or time is the number of its digits.
 */

/** A number, an id, an option, or a date or time by its digits. */
function numberOf({ type }: Attribute, stored: Stored): number | bigint {
  return type.kind === 'time' ? Number((stored as string).replaceAll(/[-: ]/g, '')) : exactly(stored)
}

/** The values of an attribute by id, as they were when they followed the changes of the table last. */
export class RecordColumn implements Kept, Followed {
  readonly attribute: Attribute
  readonly numbers: NumberColumn
  seen: number
  used: number

  constructor(attribute: Attribute, packed: PackedColumn, seen: number) {
    this.attribute = attribute
    this.numbers = new NumberColumn(packed)
    this.seen = seen
    this.used = seen
  }

  get bytes(): number {
    return this.numbers.bytes
  }

  follow(log: ChangeLog, records: PresentRecords): boolean {
    const changed = log.since(this.seen, log.touchOf([this.attribute.name]))
    if (!changed || !records.read(changed)) return false
    for (const id of changed) {
      const record = records.of(id)
      const number = record && numberOf(this.attribute, record.value(this.attribute))
      // A bigint is beyond 2^53.
      if (typeof number === 'bigint' || (number !== undefined && Math.abs(number) >= WIDEST)) return false
      if (this.numbers.isFar(id)) return false
      this.numbers.assign(id, number)
    }
    this.seen = log.end
    return true
  }

  drop(): void {
    // Nothing depends on it.
  }
}

/** How often a column has to go until it counts as one that cannot be had. */
const DROPS = 3

/** The columns of a table. */
export class RecordColumns {
  readonly #log: ChangeLog
  readonly #records: PresentRecords
  readonly #memory: SetMemory
  readonly #all = new Map<string, RecordColumn>()
  /** Those that cannot be had. */
  readonly #refused = new Refused()
  /** How often one had to go for want of room. */
  readonly #dropped = new Map<string, number>()

  constructor(log: ChangeLog, records: PresentRecords, memory: SetMemory) {
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
      return undefined
    }
    this.#memory.use(column)
    column.used = this.#log.end
    return column
  }

  /** Asked once for each question: numbers too wide, ids too far apart, no room, or it could not be read in time. */
  isRefused({ name }: Attribute): boolean {
    return this.#refused.has(name)
  }

  refuse({ name }: Attribute): void {
    this.#refused.add(name)
  }

  /** What was read, for this once; undefined: no column can be made of it. `seen`: the number of the next change when it was asked. */
  read(attribute: Attribute, packed: PackedColumn | undefined, seen: number): RecordColumn | undefined {
    if (!packed) {
      this.refuse(attribute)
      return undefined
    }
    this.#records.follow([attribute])
    return new RecordColumn(attribute, packed, seen)
  }

  learn(attribute: Attribute, packed: PackedColumn | undefined, seen: number): RecordColumn | undefined {
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
  }

  /** There is no room for it. */
  #drop(column: RecordColumn): void {
    this.#forget(column)
    const { attribute } = column
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
