import type { IdSet } from './id-set.ts'
import { areSparse } from './order-parts.ts'

/*
 * The whole numbers that the records of a table have in one attribute, by id, in as few bytes as they need: 1, 4 or 8 for each id. Numbers
 * are below 2^51, so that sums of some of them are exact in floating point.
 */

type Numbers = Uint8Array | Int32Array | Float64Array

/** A column as plain values, as it passes from thread to thread. */
export interface PackedColumn {
  /** By id; NONE of its kind where there is no record. */
  readonly numbers: Numbers
  readonly size: number
}

/** Numbers are smaller than this, with either sign. */
export const WIDEST = 2 ** 51
/** What stands for no record. */
const NONE_OF_8 = 255
const NONE_OF_32 = -(2 ** 31)
const NONE_OF_64 = -WIDEST

const noneOf = (numbers: Numbers): number =>
  numbers instanceof Uint8Array ? NONE_OF_8 : numbers instanceof Int32Array ? NONE_OF_32 : NONE_OF_64

/** Numbers in which all from `least` to `most` find room, none there yet. */
function made(least: number, most: number, length: number): Numbers {
  if (least >= 0 && most < NONE_OF_8) return new Uint8Array(length).fill(NONE_OF_8)
  if (least > NONE_OF_32 && most < -NONE_OF_32) return new Int32Array(length).fill(NONE_OF_32)
  return new Float64Array(length).fill(NONE_OF_64)
}

/** Undefined: some number is too wide, or the ids are too far apart. `values`: of the ids, in the same order. */
export function packedColumn(ids: Uint32Array, values: Float64Array): PackedColumn | undefined {
  let [largest, least, most] = [0, 0, 0]
  for (let i = 0; i < ids.length; i++) {
    if (ids[i]! > largest) largest = ids[i]!
    if (values[i]! < least) least = values[i]!
    if (values[i]! > most) most = values[i]!
  }
  if (areSparse(ids.length, largest) || least <= -WIDEST || most >= WIDEST) return undefined
  const numbers = made(least, most, largest + 1 + (largest >>> 6))
  for (let i = 0; i < ids.length; i++) numbers[ids[i]!] = values[i]!
  return { numbers, size: ids.length }
}

export class NumberColumn {
  #numbers: Numbers
  /** What stands for no record in these. */
  #none: number
  #size: number

  /** It takes the numbers over, and changes them. */
  constructor({ numbers, size }: PackedColumn) {
    this.#numbers = numbers
    this.#none = noneOf(numbers)
    this.#size = size
  }

  /** How many records there are. */
  get size(): number {
    return this.#size
  }

  /** Of memory. */
  get bytes(): number {
    return this.#numbers.byteLength
  }

  /** Undefined: there is no such record. */
  of(id: number): number | undefined {
    const value = this.#numbers[id]
    return value === this.#none ? undefined : value
  }

  /** Whether an id is so far away that it would take a place for each id before it. */
  isFar(id: number): boolean {
    return areSparse(this.#size, id)
  }

  /** `value`: below WIDEST with either sign; undefined: the record has gone. */
  assign(id: number, value: number | undefined): void {
    const before = this.of(id)
    if (value === before) return
    this.#size += (value === undefined ? 0 : 1) - (before === undefined ? 0 : 1)
    if (value === undefined) this.#numbers[id] = this.#none
    else {
      this.#makeRoom(id, value)
      this.#numbers[id] = value
    }
  }

  #makeRoom(id: number, value: number): void {
    const numbers = this.#numbers
    const isShort = id >= numbers.length
    const isNarrow =
      numbers instanceof Uint8Array
        ? value < 0 || value >= NONE_OF_8
        : numbers instanceof Int32Array && (value <= NONE_OF_32 || value >= -NONE_OF_32)
    if (!isShort && !isNarrow) return
    const [least, most] = numbers instanceof Uint8Array ? [0, 0] : numbers instanceof Int32Array ? [-1, 0] : [-WIDEST + 1, 0]
    const wider = made(Math.min(least, value), Math.max(most, value), isShort ? id + 1 + (id >>> 4) : numbers.length)
    const none = this.#none
    this.#numbers = wider
    this.#none = noneOf(wider)
    if (none === this.#none) wider.set(numbers)
    else for (let i = 0; i < numbers.length; i++) if (numbers[i] !== none) wider[i] = numbers[i]!
  }

  /** Calls with each record of the set and its number; `set` undefined: with each record. Members that the column does not have are left out. */
  each(set: IdSet | undefined, call: (id: number, value: number) => void): void {
    const numbers = this.#numbers
    const none = this.#none
    const one = (id: number): void => {
      const value = numbers[id]
      if (value !== undefined && value !== none) call(id, value)
    }
    if (set) set.each(one)
    else for (let id = 0; id < numbers.length; id++) one(id)
  }

  equals(other: NumberColumn): boolean {
    if (this.#size !== other.size) return false
    let isSame = true
    this.each(undefined, (id, value) => (isSame &&= other.of(id) === value))
    return isSame
  }
}

/** Exact figures of numbers that are added one by one. */
export class Measure {
  count = 0
  least = Infinity
  most = -Infinity
  #sum = 0n
  /** Not in the sum yet: below 2^52. */
  #rest = 0

  add(value: number): void {
    this.count++
    if (value < this.least) this.least = value
    if (value > this.most) this.most = value
    this.#rest += value
    if (this.#rest >= 2 * WIDEST || this.#rest <= -2 * WIDEST) {
      this.#sum += BigInt(this.#rest)
      this.#rest = 0
    }
  }

  /** Adds what another one has. */
  join({ count, least, most, sum }: Measure): void {
    this.count += count
    this.least = Math.min(this.least, least)
    this.most = Math.max(this.most, most)
    this.#sum += sum
  }

  get sum(): bigint {
    return this.#sum + BigInt(this.#rest)
  }
}
