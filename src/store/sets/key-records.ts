import type { Attribute } from '../../fields/field-type.ts'
import type { Comparable } from '../../filter/predicate.ts'
import type { LaterKeys } from '../../sets/order-parts.ts'
import type { Row } from '../ground/db.ts'
import { ColumnKeys, type KeyColumns } from './column-keys.ts'
import { diverged, placed, PresentRecord, Unread, type Readable } from './record-reads.ts'

/* The keys of an order. */

/** Bytes of the keys of an order that are kept, about; and of a key beside its texts. */
const KEPT = 32 * 2 ** 20
const KEY = 250

/** Of the keys of one read, at most so many count towards columns: a new order asks once for the first key of each block. */
const FEW = 50

/** A value of the key of an order, and an id that may be none of a record: any number. */
export interface Bound {
  readonly value: string | number | bigint
  readonly id: number
}

/** Reads the attributes of an order. */
export interface KeyReader {
  of(id: number): Comparable
  readonly columns: ColumnKeys
  /** How many records are from a place on to before a later one, of the ascending order of an attribute, which is no choice; an index has it. */
  countBetween?(attribute: Attribute, from: Bound, to: Bound): number
  /** Where records cannot be read at once. */
  readonly later?: LaterKeys & {
    /** Of memory, about. */
    bytes(): number
    /** All keys that are kept. */
    forget(): void
    /** Those of changed records whose keys are perhaps not what they were when they were put into their places. */
    moved(changed: ReadonlySet<number>): ReadonlySet<number>
    /** From now on, keys of these are what the records hold. */
    renew(changed: ReadonlySet<number>): void
    /** Tells which records have changed since they were put into their places: keys that are read of these are not those of the places. */
    pending: () => ReadonlySet<number> | undefined
  }
}

/** Records that are known, as they are now. */
interface Records {
  of(id: number): Comparable | undefined
}

/** Records in the attributes of an order, where they cannot be read at once. */
export class KeyRecords implements KeyReader, Readable {
  readonly shape = 0
  readonly #tableId: number
  readonly #all: Records
  readonly query: Readable['query']
  readonly #attributes: readonly Attribute[]
  readonly #places: ReadonlyMap<string, number>
  readonly #known = new Map<number, Comparable | undefined>()
  readonly #wanted = new Set<number>()
  #bytes = 0
  readonly columns: ColumnKeys

  constructor(tableId: number, all: Records, query: Readable['query'], attributes: readonly Attribute[], columns?: KeyColumns) {
    this.columns = new ColumnKeys(attributes, columns)
    this.#tableId = tableId
    this.#all = all
    this.query = query
    this.#attributes = attributes
    this.#places = placed(attributes)
  }

  of(id: number): Comparable {
    const known = this.#all.of(id) ?? this.columns.of(id) ?? this.#known.get(id)
    if (known) return known
    if (this.columns.areThere || this.#known.has(id)) return diverged(this.#tableId, id)
    throw new Unread(this, [id])
  }

  readonly later = {
    isKnown: (id: number): boolean => this.columns.areThere || this.#known.has(id) || this.#all.of(id) !== undefined,
    has: (ids: Iterable<number>): boolean => {
      let areKnown = true
      for (const id of ids) {
        if (this.later.isKnown(id)) continue
        this.#wanted.add(id)
        areKnown = false
      }
      return areKnown
    },
    demand: (): void => {
      if (this.#wanted.size === 0) return
      const ids = [...this.#wanted]
      this.#wanted.clear()
      this.columns.note(Math.min(ids.length, FEW))
      throw new Unread(this, ids)
    },
    bytes: () => this.#bytes,
    forget: (): void => this.#forgetAll(),
    moved: (changed: ReadonlySet<number>): ReadonlySet<number> => new Set([...changed].filter((id) => !this.#stands(id))),
    renew: (changed: ReadonlySet<number>): void => {
      for (const id of changed) {
        const record = this.#all.of(id)
        if (!record) this.#forget(id)
        else if (!this.columns.areThere && !this.#stands(id))
          this.#keep(id, [id, ...this.#attributes.map((attribute) => record.value(attribute))])
      }
    },
    pending: (): ReadonlySet<number> | undefined => undefined,
  }

  #stands(id: number): boolean {
    const [before, now] = [this.#known.get(id), this.#all.of(id)]
    return before !== undefined && now !== undefined && this.#attributes.every((one) => before.value(one) === now.value(one))
  }

  #keep(id: number, row: Row | undefined): void {
    this.#forget(id)
    if (this.#bytes > KEPT) this.#forgetAll()
    const record = row && new PresentRecord(row, this.#places)
    this.#known.set(id, record)
    this.#bytes += this.#bytesOf(record)
  }

  #forgetAll(): void {
    this.#known.clear()
    this.#bytes = 0
  }

  #forget(id: number): void {
    if (!this.#known.has(id)) return
    this.#bytes -= this.#bytesOf(this.#known.get(id))
    this.#known.delete(id)
  }

  #bytesOf(record: Comparable | undefined): number {
    let bytes = KEY
    if (record) for (const attribute of this.#attributes) bytes += 2 * String(record.value(attribute)).length
    return bytes
  }

  learn(ids: readonly number[], rows: readonly Row[]): void {
    if (this.columns.areThere) return
    const pending = this.later.pending()
    // They are found as records, once their changes are followed.
    const isKept = (id: number): boolean => pending?.has(id) === false
    const found = new Map(rows.map((row) => [Number(row[0]), row]))
    for (const id of ids) if (isKept(id)) this.#keep(id, found.get(id))
  }
}
