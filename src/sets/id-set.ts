import {
  andChunks,
  bitmapOf,
  bytesOf,
  countBoth,
  find,
  isBitmap,
  LISTED,
  listOf,
  ones,
  orChunks,
  release,
  STEP,
  take,
  withoutChunks,
  WORDS,
  type Chunk,
  type Combined,
  type Part,
} from './chunks.ts'
import type { IsMember, Members } from './members.ts'
import { packed, type PackedSet } from './packed-set.ts'
import { changeBeside, forgetBeside, Tests } from './tested-lists.ts'

/*
 * A set of record ids below 2^32 that changes in place (chunks.ts): at most one bit for each id, and two bytes for each member where it is sparse.
 */

export class IdSet implements Members {
  #chunks: (Chunk | null)[]
  #counts: Int32Array
  #size: number
  #bytes: number
  #tests: Tests | undefined

  /** It takes the chunks over, and changes them. */
  constructor({ chunks, counts }: PackedSet = { chunks: [], counts: new Int32Array(0) }) {
    this.#chunks = [...chunks]
    this.#counts = counts
    this.#size = counts.reduce((sum, count) => sum + count, 0)
    this.#bytes = chunks.reduce((sum, chunk) => sum + bytesOf(chunk), 0)
  }

  get size(): number {
    return this.#size
  }

  /** Of memory, about. */
  get bytes(): number {
    return this.#bytes
  }

  /** Of bitmaps up to the largest id, if all of it were such. */
  get words(): number {
    return this.#chunks.length * WORDS
  }

  /** Chunks up to that of the largest id. */
  get length(): number {
    return this.#chunks.length
  }

  /** The members among the ids of a chunk, by its number; they are not to be changed. */
  part(high: number): Part {
    return { chunk: this.#chunks[high] ?? null, count: this.#counts[high] ?? 0 }
  }

  has(id: number): boolean {
    const high = Math.floor(id / 65_536)
    const chunk = this.#chunks[high]
    if (!chunk) return false
    const low = id & 65_535
    return isBitmap(chunk) ? ((chunk[low >>> 5]! >>> (low & 31)) & 1) === 1 : find(chunk, this.#counts[high]!, low) >= 0
  }

  tester(tests: number): IsMember {
    this.#tests ??= new Tests()
    return this.#tests.tester(tests, this.#chunks, this.#counts) ?? ((id) => this.has(id))
  }

  /** Adds the id or takes it away. Returns whether that changed the set. */
  assign(id: number, isMember: boolean): boolean {
    const high = Math.floor(id / 65_536)
    const low = id & 65_535
    const chunk = this.#chunks[high] ?? null
    if (chunk === null && !isMember) return false
    if (high >= this.#chunks.length) this.#grow(high + 1)
    if (chunk && isBitmap(chunk)) {
      if (((chunk[low >>> 5]! >>> (low & 31)) & 1) === Number(isMember)) return false
      chunk[low >>> 5]! ^= 1 << (low & 31)
    } else if (!this.#assignListed(high, chunk, low, isMember)) return false
    this.#counts[high]! += isMember ? 1 : -1
    this.#size += isMember ? 1 : -1
    if (this.#counts[high] === 0) this.#put(high, null)
    return true
  }

  /** Assigns many ids; only those that `within` has become members. */
  assignAll(ids: readonly number[], areMembers: boolean, within?: IdSet): void {
    const change = areMembers ? 1 : -1
    for (const id of ids) {
      if (areMembers && within && !within.has(id)) continue
      const high = id >>> 16
      const chunk = this.#chunks[high]
      if (!chunk || !isBitmap(chunk) || this.#counts[high] === 1) {
        this.assign(id, areMembers)
        continue
      }
      const at = (id & 65_535) >>> 5
      const word = chunk[at]!
      const bit = 1 << (id & 31)
      if (((word & bit) !== 0) === areMembers) continue
      chunk[at] = word ^ bit
      this.#counts[high]! += change
      this.#size += change
    }
  }

  #assignListed(high: number, chunk: Uint16Array | null, low: number, isMember: boolean): boolean {
    const count = this.#counts[high]!
    const at = chunk ? find(chunk, count, low) : -1
    if (at >= 0 === isMember) return false
    if (!isMember) {
      chunk!.copyWithin(at, at + 1, count)
      changeBeside(chunk!, low)
      return true
    }
    if (count === LISTED) {
      const bitmap = bitmapOf(chunk, count)
      bitmap[low >>> 5]! |= 1 << (low & 31)
      this.#put(high, bitmap)
      return true
    }
    let list = chunk
    if (!list || count === list.length) {
      list = new Uint16Array(Math.min(LISTED, count + STEP + (count >>> 3)))
      if (chunk) list.set(chunk)
      this.#put(high, list)
    }
    const place = ~at
    list.copyWithin(place + 1, place, count)
    list[place] = low
    changeBeside(list, low)
    return true
  }

  /** Takes as little memory as it can, for a set that is kept. */
  compact(): void {
    for (const [high, chunk] of this.#chunks.entries()) {
      if (chunk && isBitmap(chunk) && this.#counts[high]! < LISTED) this.#put(high, listOf(chunk, this.#counts[high]!))
    }
  }

  #put(high: number, chunk: Chunk | null): void {
    const before = this.#chunks[high] ?? null
    forgetBeside(before)
    this.#bytes += bytesOf(chunk) - bytesOf(before)
    this.#chunks[high] = chunk
  }

  #grow(length: number): void {
    while (this.#chunks.length < length) this.#chunks.push(null)
    if (this.#counts.length >= length) return
    const counts = new Int32Array(length + 8)
    counts.set(this.#counts)
    this.#counts = counts
  }

  page(offset: number, limit: number): number[] {
    const ids: number[] = []
    let rest = offset
    for (let high = 0; high < this.#chunks.length && ids.length < limit; high++) {
      const count = this.#counts[high]!
      if (rest >= count) {
        rest -= count
        continue
      }
      take(this.#chunks[high]!, count, rest, limit, high * 65_536, ids)
      rest = 0
    }
    return ids
  }

  /** How many members are below the id. */
  rank(id: number): number {
    const high = Math.min(Math.floor(id / 65_536), this.#chunks.length)
    let rank = 0
    for (let i = 0; i < high; i++) rank += this.#counts[i]!
    const chunk = this.#chunks[high]
    if (!chunk) return rank
    const low = id & 65_535
    if (!isBitmap(chunk)) {
      const at = find(chunk, this.#counts[high]!, low)
      return rank + (at < 0 ? ~at : at)
    }
    for (let i = 0; i < low >>> 5; i++) rank += ones(chunk[i]!)
    return rank + ones(chunk[low >>> 5]! & ((1 << (low & 31)) - 1))
  }

  each(call: (id: number) => void): void {
    for (let high = 0; high < this.#chunks.length; high++) {
      const chunk = this.#chunks[high]
      if (!chunk) continue
      const base = high * 65_536
      if (!isBitmap(chunk)) for (let i = 0; i < this.#counts[high]!; i++) call(base + chunk[i]!)
      else
        for (let i = 0; i < WORDS; i++) {
          for (let word = chunk[i]!; word !== 0; word &= word - 1) call(base + i * 32 + 31 - Math.clz32(word & -word))
        }
    }
  }

  /** Adds 1 to the count of each member's group. `groupOf`: by id; a member beyond its end has none. */
  countInto(counts: Int32Array, groupOf: Uint16Array | Uint32Array): void {
    for (let high = 0; high < this.#chunks.length; high++) {
      const chunk = this.#chunks[high]
      if (!chunk) continue
      const groups = groupOf.subarray(high * 65_536, (high + 1) * 65_536)
      if (!isBitmap(chunk)) for (let i = 0; i < this.#counts[high]!; i++) counts[groups[chunk[i]!] ?? 0]!++
      else
        for (let i = 0; i < WORDS; i++)
          for (let word = chunk[i]!; word !== 0; word &= word - 1) counts[groups[i * 32 + 31 - Math.clz32(word & -word)] ?? 0]!++
    }
  }

  /** The members for which it holds; for a set with few of them. */
  only(holds: IsMember): IdSet {
    const found: number[] = []
    this.each((id) => holds(id) && found.push(id))
    return new IdSet(packed(Uint32Array.from(found)))
  }

  toSet(): this {
    return this
  }

  /** Other sets take its memory: to use it any more fails. */
  release(): void {
    for (const chunk of this.#chunks) {
      forgetBeside(chunk)
      release(chunk)
    }
    this.#chunks = undefined as never
  }

  copy(): IdSet {
    return new IdSet({ chunks: this.#chunks.map((chunk) => chunk && chunk.slice()), counts: this.#counts.slice() })
  }

  and(other: IdSet): IdSet {
    return this.#with(other, andChunks)
  }

  or(other: IdSet): IdSet {
    return this.#with(other, orChunks)
  }

  /** What is in this set and not in the other one. */
  without(other: IdSet): IdSet {
    return this.#with(other, withoutChunks)
  }

  #with(other: IdSet, combined: Combined): IdSet {
    const length = Math.max(this.length, other.length)
    const chunks: (Chunk | null)[] = Array.from({ length })
    const counts = new Int32Array(length)
    for (let high = 0; high < length; high++) {
      const { chunk, count } = combined(this.part(high), other.part(high))
      chunks[high] = chunk
      counts[high] = count
    }
    return new IdSet({ chunks, counts })
  }

  equals(other: IdSet): boolean {
    return this.#size === other.#size && this.countWith(other) === this.#size
  }

  /** How many members both have. */
  countWith(other: IdSet): number {
    let sum = 0
    for (let high = 0; high < this.length; high++) sum += countBoth(this.part(high), other.part(high))
    return sum
  }
}
