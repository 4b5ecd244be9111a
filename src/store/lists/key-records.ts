import type { Attribute } from '../../fields/field-type.ts'
import type { Comparable } from '../../filter/predicate.ts'
import type { LaterKeys } from '../../sets/order-parts.ts'
import type { Row } from '../ground/db.ts'
import { diverged, placed, PresentRecord, Unread, type Readable } from './record-reads.ts'

/* The keys of an order. */

/** Keys of an order that are kept. */
const KEPT_KEYS = 400_000
/** Bytes of such a key, about. */
const KEY = 150

/** Reads the attributes of an order. */
export interface KeyReader {
  of(id: number): Comparable
  /** Where records cannot be read at once. */
  readonly later?: LaterKeys & {
    /** Of memory, about. */
    bytes(): number
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

  constructor(tableId: number, all: Records, query: Readable['query'], attributes: readonly Attribute[]) {
    this.#tableId = tableId
    this.#all = all
    this.query = query
    this.#attributes = attributes
    this.#places = placed(attributes)
  }

  of(id: number): Comparable {
    const known = this.#all.of(id) ?? this.#known.get(id)
    if (known) return known
    if (this.#known.has(id)) return diverged(this.#tableId, id)
    throw new Unread(this, [id])
  }

  readonly later = {
    has: (ids: Iterable<number>): boolean => {
      let areKnown = true
      for (const id of ids) {
        if (this.#known.has(id) || this.#all.of(id)) continue
        this.#wanted.add(id)
        areKnown = false
      }
      return areKnown
    },
    demand: (): void => {
      if (this.#wanted.size === 0) return
      const ids = [...this.#wanted]
      this.#wanted.clear()
      throw new Unread(this, ids)
    },
    bytes: () => this.#known.size * KEY,
    moved: (changed: ReadonlySet<number>): ReadonlySet<number> => new Set([...changed].filter((id) => !this.#stands(id))),
    renew: (changed: ReadonlySet<number>): void => {
      this.#makeRoom(changed.size)
      for (const id of changed) {
        const record = this.#all.of(id)
        if (!record) this.#known.delete(id)
        else if (!this.#stands(id)) this.#keep(id, [id, ...this.#attributes.map((attribute) => record.value(attribute))])
      }
    },
    pending: (): ReadonlySet<number> | undefined => undefined,
  }

  #stands(id: number): boolean {
    const [before, now] = [this.#known.get(id), this.#all.of(id)]
    return before !== undefined && now !== undefined && this.#attributes.every((one) => before.value(one) === now.value(one))
  }

  #makeRoom(more: number): void {
    if (this.#known.size + more > KEPT_KEYS) this.#known.clear()
  }

  #keep(id: number, row: Row): void {
    this.#known.set(id, new PresentRecord(row, this.#places))
  }

  learn(ids: readonly number[], rows: readonly Row[]): void {
    this.#makeRoom(ids.length)
    const pending = this.later.pending()
    // They are found as records, once their changes are followed.
    const isKept = (id: number): boolean => pending?.has(id) === false
    for (const id of ids) if (isKept(id)) this.#known.set(id, undefined)
    for (const row of rows) if (isKept(Number(row[0]))) this.#keep(Number(row[0]), row)
  }
}
