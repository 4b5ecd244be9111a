import type { Attribute, Stored } from '../../fields/field-type.ts'
import type { Comparable } from '../../filter/predicate.ts'
import type { Sql } from '../../sql/sql.ts'
import type { Row } from '../ground/db.ts'

/* Records in some of their attributes, as sets and orders compare them, and what is said where they are not there. */

/** How records are read that cannot be read at once. */
export interface Readable {
  /** Another number once other attributes are read: what was asked before is no answer then. */
  readonly shape: number
  query(ids: readonly number[]): Sql
  /** `rows`: of those that there are. */
  learn(ids: readonly number[], rows: readonly Row[]): void
}

/** Records have to be read first, where that takes a while. */
export class Unread extends Error {
  readonly of: Readable
  readonly ids: readonly number[]

  constructor(of: Readable, ids: readonly number[]) {
    super('Records have to be read first.')
    this.of = of
    this.ids = ids
  }
}

/** Sets are not what the records of their table are. */
export class Diverged extends Error {}

export function diverged(tableId: number, id: number): never {
  throw new Diverged(`Table ${tableId} has no record ${id}, which a set or an order of it has.`)
}

export class PresentRecord implements Comparable {
  readonly #row: Row
  readonly #places: ReadonlyMap<string, number>

  constructor(row: Row, places: ReadonlyMap<string, number>) {
    this.#row = row
    this.#places = places
  }

  value({ name }: Attribute): Stored {
    const value = this.#row[this.#places.get(name) ?? -1]
    if (value === undefined || value === null) throw new Error(`The record was read without ${name}.`)
    return value as Stored
  }

  key(attribute: Attribute): string {
    return this.value(attribute) as string
  }
}

/** The places of attributes in a row whose first value is the id. */
export const placed = (attributes: readonly Attribute[]): ReadonlyMap<string, number> =>
  new Map(['id', ...attributes.map(({ name }) => name)].map((one, i) => [one, i]))
