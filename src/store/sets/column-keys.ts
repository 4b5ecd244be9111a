import type { Attribute, Stored } from '../../fields/field-type.ts'
import type { Comparable } from '../../filter/predicate.ts'
import { PresentRecord, placed } from './record-reads.ts'

/* The keys of an order by columns of its attributes, which have those of all records: these need not be read then. */

/** What all records have in an attribute, as filters and orders compare it (record-column.ts). */
interface KeyColumn {
  stored(id: number): Stored | undefined
  /** `forget`: called where it has to go, and perhaps before. */
  usedBy(forget: () => void): void
}

export interface KeyColumns {
  /** As the records are now; undefined: it is not there. @throws Unread */
  of(attribute: Attribute): KeyColumn | undefined
  /** To have all of them would save much reading. */
  want(attributes: readonly Attribute[]): void
}

/** Whether a column of the attribute has texts, and no numbers. */
export const isOfText = ({ type }: Attribute): boolean => type.kind === 'text'

/** Keys that are read for an order until its columns are wanted, at least; and the records of the table to each of them. */
const MANY = 1_000
const RECORDS = 500

export class ColumnKeys {
  readonly #attributes: readonly Attribute[]
  readonly #places: ReadonlyMap<string, number>
  readonly #all: KeyColumns | undefined
  readonly #forget = () => (this.#columns = undefined)
  #columns: readonly KeyColumn[] | undefined
  #records = 0
  /** Keys that were read since columns were wanted. */
  #read = 0

  /** `all`: undefined where none are to be had. */
  constructor(attributes: readonly Attribute[], all: KeyColumns | undefined) {
    this.#attributes = attributes
    this.#places = placed(attributes)
    this.#all = all
  }

  /** Whether each attribute had its column when `follow` was called last. */
  get areThere(): boolean {
    return this.#columns !== undefined
  }

  /** From now on, keys are those of the records as they are now, which are so many. @throws Unread */
  follow(records: number): void {
    this.#records = records
    const columns = this.#all && this.#attributes.map((one) => this.#all!.of(one))
    const found = columns?.every((one) => one !== undefined) ? columns : undefined
    found?.forEach((one) => one.usedBy(this.#forget))
    this.#columns = found
  }

  of(id: number): Comparable | undefined {
    const values = this.#columns?.map((column) => column.stored(id))
    return values?.every((value) => value !== undefined) ? new PresentRecord([id, ...values], this.#places) : undefined
  }

  /** So many keys had to be read. */
  note(read: number): void {
    this.#read += read
    if (this.#read < Math.max(MANY, this.#records / RECORDS)) return
    this.#read = 0
    this.#all?.want(this.#attributes)
  }
}
