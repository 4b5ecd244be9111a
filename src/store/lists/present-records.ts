import type { Attribute, Stored } from '../../fields/field-type.ts'
import type { Comparable } from '../../filter/predicate.ts'
import { mayBeLong } from '../../filter/patience.ts'
import type { Dialect } from '../../sql/dialect.ts'
import { asOneText, join, name, sql, type Sql } from '../../sql/sql.ts'
import type { LocalDb, Row } from '../ground/db.ts'
import { recordsOf } from '../model/catalogue.ts'

/*
 * What changed records of a table hold now, in the attributes that sets and orders of it compare. Records are read when a set that is
 * used follows their change, and kept for the other sets, until they change again.
 */

/** Records that are read in one turn of the event loop, at most; and characters of their texts. */
const MOST = 4_000
const MOST_TEXT = 4 * 2 ** 20
/** Records of one statement; fewer where their texts may be long. */
const TOGETHER = 250
const TOGETHER_LONG = 8
/** Records that are kept, and characters of their texts. */
const KEPT = 20_000
const KEPT_TEXT = 4 * MOST_TEXT

export class PresentRecords {
  readonly #read: LocalDb['readNow']
  readonly #dialect: Dialect
  readonly #records: Sql
  /** By name, the place of an attribute in a row; the id is the first. */
  readonly #places = new Map<string, number>([['id', 0]])
  #select = sql`id`
  #together = TOGETHER
  /** Undefined: there is none with this id. */
  readonly #known = new Map<number, Comparable | undefined>()
  /** Characters of texts that were read since all were forgotten. */
  #text = 0

  readonly #tableId: number

  constructor(tableId: number, { readNow, dialect }: Pick<LocalDb, 'readNow' | 'dialect'>) {
    this.#tableId = tableId
    this.#read = readNow
    this.#dialect = dialect
    this.#records = name(recordsOf(tableId))
  }

  /** From now on, records are read with these attributes too. */
  follow(attributes: readonly Attribute[]): void {
    const more = attributes.filter((one) => !this.#places.has(one.name))
    if (more.length === 0) return
    this.#forgetAll()
    for (const attribute of more) {
      if (this.#places.has(attribute.name)) continue
      this.#places.set(attribute.name, this.#places.size)
      if (mayBeLong(attribute)) this.#together = TOGETHER_LONG
      this.#select = asOneText(join([this.#select, comparedColumn(attribute, this.#dialect)], ', '))
    }
  }

  #forgetAll(): void {
    this.#known.clear()
    this.#text = 0
  }

  /** The record was changed. */
  forget(id: number): void {
    this.#known.delete(id)
  }

  /** Reads those of the records that are not known. Returns false where that is too much at once. */
  read(ids: ReadonlySet<number>): boolean {
    const missing = [...ids].filter((id) => !this.#known.has(id))
    if (missing.length > MOST) return false
    if (this.#known.size + missing.length > KEPT || this.#text > KEPT_TEXT) this.#forgetAll()
    const wanted = this.#known.size === 0 ? [...ids] : missing
    if (wanted.length > MOST) return false
    let text = 0
    for (let i = 0; i < wanted.length; i += this.#together) {
      const some = wanted.slice(i, i + this.#together)
      // Before anything is noted: it may fail.
      const [rows] = this.#read(sql`SELECT ${this.#select} FROM ${this.#records} WHERE ${this.#dialect.oneOf(sql`id`, some)}`)
      for (const id of some) this.#known.set(id, undefined)
      for (const row of rows!) {
        this.#known.set(Number(row[0]), new PresentRecord(row, this.#places))
        for (const value of row) if (typeof value === 'string') text += value.length
      }
      if (text > MOST_TEXT) break
    }
    this.#text += text
    return text <= MOST_TEXT
  }

  /** A record that was read. */
  of(id: number): Comparable | undefined {
    return this.#known.get(id)
  }

  /** Any record of the table in these attributes alone, read now where it is not known: others may hold long texts. */
  only(attributes: readonly Attribute[]): (id: number) => Comparable {
    const read = attributes.filter(({ name }) => name !== 'id')
    const places = new Map(['id', ...read.map(({ name }) => name)].map((one, i) => [one, i]))
    const select = asOneText(join([sql`id`, ...read.map((one) => comparedColumn(one, this.#dialect))], ', '))
    return (id) => {
      const known = this.#known.get(id)
      if (known) return known
      const [[row] = []] = this.#read(sql`SELECT ${select} FROM ${this.#records} WHERE id = ${id}`)
      return row ? new PresentRecord(row, places) : diverged(this.#tableId, id)
    }
  }
}

/** Sets are not what the records of their table are. */
export class Diverged extends Error {}

export function diverged(tableId: number, id: number): never {
  throw new Diverged(`Table ${tableId} has no record ${id}, which a set or an order of it has.`)
}

/** What filters and orders compare of an attribute: its key where it has one, else its value; a number as text, which is exact. */
const comparedColumn = ({ column, keyColumn, type }: Attribute, dialect: Dialect): Sql =>
  type.kind === 'number' ? dialect.integerText(name(column)) : name(keyColumn ?? column)

class PresentRecord implements Comparable {
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
