import type { Attribute } from '../../fields/field-type.ts'
import { ordered } from '../../filter/compile.ts'
import type { Comparable } from '../../filter/predicate.ts'
import { mayBeLong } from '../../filter/patience.ts'
import type { Dialect } from '../../sql/dialect.ts'
import { asOneText, join, name, sql, type Sql } from '../../sql/sql.ts'
import type { LocalDb, Row } from '../ground/db.ts'
import { recordsOf } from '../model/catalogue.ts'
import { ColumnKeys, isOfText, type KeyColumns } from './column-keys.ts'
import { KeyRecords, type Bound, type KeyReader } from './key-records.ts'
import { diverged, placed, PresentRecord, Unread, type Readable } from './record-reads.ts'
import type { Kept, SetMemory } from './set-memory.ts'

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
/** Bytes of a record, about, beside its values; and of a value beside its characters, for which two bytes each are counted. */
const OBJECT = 150
const VALUE = 24
/** The share of the memory for lists that those of one table may take between two questions. */
const SHARE = 1 / 16
/** Records with long texts that are read together where that has to be waited for. */
const LONG_LATER = 32

/** Where records come from. `readNow`: undefined where they cannot be read at once. */
export type RecordSource = Pick<LocalDb, 'dialect'> & Partial<Pick<LocalDb, 'readNow'>>

export class PresentRecords implements Readable, Kept {
  readonly #read: LocalDb['readNow'] | undefined
  readonly #dialect: Dialect
  readonly #records: Sql
  /** By name, the place of an attribute in a row; the id is the first. */
  readonly #places = new Map<string, number>([['id', 0]])
  /** What is read of a record besides its id; and those of them that may be long. */
  readonly columns: Sql[] = []
  readonly textColumns: Sql[] = []
  #select = sql`id`
  /** Undefined: there is none with this id. */
  readonly #known = new Map<number, Comparable | undefined>()
  /** Characters of texts that were read since all were forgotten. */
  #text = 0
  #isCounted = false
  #isEnded = false

  readonly #tableId: number
  readonly #memory: SetMemory | undefined

  /** `memory`: undefined where nothing counts what they take. */
  constructor(tableId: number, { readNow, dialect }: RecordSource, memory?: SetMemory) {
    this.#tableId = tableId
    this.#memory = memory
    this.#read = readNow
    this.#dialect = dialect
    this.#records = name(recordsOf(tableId))
  }

  get shape(): number {
    return this.#places.size
  }

  /** From now on, records are read with these attributes too. */
  follow(attributes: readonly Attribute[]): void {
    const more = attributes.filter((one) => !this.#places.has(one.name))
    if (more.length === 0) return
    this.#forgetAll()
    for (const attribute of more) {
      if (this.#places.has(attribute.name)) continue
      this.#places.set(attribute.name, this.#places.size)
      const column = comparedColumn(attribute, this.#dialect)
      this.columns.push(column)
      if (mayBeLong(attribute)) this.textColumns.push(column)
    }
    this.#select = asOneText(join([sql`id`, ...this.columns], ', '))
  }

  #forgetAll(): void {
    this.#known.clear()
    this.#text = 0
  }

  /** Of memory, about. */
  get bytes(): number {
    return this.#known.size * (OBJECT + VALUE * this.#places.size) + 2 * this.#text
  }

  /** Counts what they take now, and forgets them where that is too much. Not while a set follows, which has just had them read. */
  count(): void {
    if (!this.#memory || this.#isEnded) return
    if (this.bytes > this.#memory.most * SHARE) this.#forgetAll()
    if (this.#isCounted) this.#memory.use(this)
    else if (this.#known.size > 0) {
      this.#isCounted = true
      this.#memory.add('changed', this, () => (this.#isCounted = false))
    }
  }

  /** Not at once: a set may be following. */
  drop(): void {
    setImmediate(() => this.#forgetAll())
  }

  end(): void {
    this.#isEnded = true
    this.#memory?.remove(this)
  }

  /** The record was changed. */
  forget(id: number): void {
    this.#known.delete(id)
  }

  query(ids: readonly number[]): Sql {
    return sql`SELECT ${this.#select} FROM ${this.#records} WHERE ${this.#dialect.oneOf(sql`id`, ids)}`
  }

  learn(ids: readonly number[], rows: readonly Row[]): void {
    for (const id of ids) this.#known.set(id, undefined)
    for (const row of rows) {
      this.#known.set(Number(row[0]), new PresentRecord(row, this.#places))
      for (const value of row) if (typeof value === 'string') this.#text += value.length
    }
  }

  /** What one of them holds now; undefined: it is gone. Not while a set follows: others may be forgotten for it. */
  note(id: number, row: Row | undefined): void {
    if (this.#known.size >= KEPT || this.#text > KEPT_TEXT) this.#forgetAll()
    this.learn([id], row ? [row] : [])
  }

  /**
   * Reads those of the records that are not known. Returns false where that is too much at once.
   * @throws Unread where they have to be waited for
   */
  read(ids: ReadonlySet<number>): boolean {
    const missing: number[] = []
    for (const id of ids) if (!this.#known.has(id)) missing.push(id)
    if (missing.length > MOST) return false
    if (missing.length === 0) return true
    if (this.#known.size + missing.length > KEPT || this.#text > KEPT_TEXT) this.#forgetAll()
    const wanted = this.#known.size === 0 ? [...ids] : missing
    if (wanted.length > MOST) return false
    const together = this.textColumns.length > 0 ? TOGETHER_LONG : TOGETHER
    if (!this.#read) {
      const hasLong = this.textColumns.length > 0
      // As below: what has been read for this is too much.
      if (hasLong && this.#text > MOST_TEXT) {
        this.#forgetAll()
        return false
      }
      throw new Unread(this, wanted.slice(0, hasLong ? LONG_LATER : MOST))
    }
    const before = this.#text
    for (let i = 0; i < wanted.length; i += together) {
      const some = wanted.slice(i, i + together)
      // Before anything is noted: it may fail.
      const [rows] = this.#read(this.query(some))
      this.learn(some, rows!)
      if (this.#text - before > MOST_TEXT) return false
    }
    return true
  }

  /** A record that was read. */
  of(id: number): Comparable | undefined {
    return this.#known.get(id)
  }

  /** Any record of the table in these attributes alone: others may hold long texts. Read now, where that is possible, or taken from `columns`. */
  only(attributes: readonly Attribute[], columns?: KeyColumns): KeyReader {
    const read = attributes.filter(({ name }) => name !== 'id')
    const places = placed(read)
    const select = asOneText(join([sql`id`, ...read.map((one) => comparedColumn(one, this.#dialect))], ', '))
    const readNow = this.#read
    if (!readNow) {
      const query = (ids: readonly number[]) => sql`SELECT ${select} FROM ${this.#records} WHERE ${this.#dialect.oneOf(sql`id`, ids)}`
      return new KeyRecords(this.#tableId, this, query, read, columns)
    }
    // Texts are read by the database in a moment, and would take memory.
    const keys = new ColumnKeys(read, read.some(isOfText) ? undefined : columns)
    return {
      columns: keys,
      of: (id) => {
        const known = this.#known.get(id) ?? keys.of(id)
        if (known) return known
        keys.note(1)
        const [[row] = []] = readNow(sql`SELECT ${select} FROM ${this.#records} WHERE id = ${id}`)
        return row ? new PresentRecord(row, places) : diverged(this.#tableId, id)
      },
      countBetween: (attribute, from, to) => {
        const [[row] = []] = readNow(countBetween(this.#records, ordered(attribute, this.#dialect), from, to))
        return Number(row![0])
      },
    }
  }
}

/**
 * How many have the first key and an id from that on, a key between both, the last key and an id before that: an index finds each of these at once. Were it one comparison
 * of (key, id), SQLite would go through all records that have the first key.
 */
function countBetween(records: Sql, key: Sql, from: Bound, to: Bound): Sql {
  const count = (where: Sql) => sql`(SELECT count(*) FROM ${records} WHERE ${where})`
  const begin = sql`${key} = ${from.value} AND id >= ${idFrom(from)}`
  if (from.value === to.value) return sql`SELECT ${count(sql`${begin} AND id < ${idFrom(to)}`)}`
  const between = sql`${key} > ${from.value} AND ${key} < ${to.value}`
  return sql`SELECT ${count(begin)} + ${count(between)} + ${count(sql`${key} = ${to.value} AND id < ${idFrom(to)}`)}`
}

/** The least whole number that is not below it. */
const idFrom = ({ id }: Bound): number => Math.min(Math.ceil(id), Number.MAX_SAFE_INTEGER)

/** What filters and orders compare of an attribute: its key where it has one, else its value; a number as text, which is exact. */
const comparedColumn = ({ column, keyColumn, type }: Attribute, dialect: Dialect): Sql =>
  type.kind === 'number' ? dialect.integerText(name(column)) : name(keyColumn ?? column)
