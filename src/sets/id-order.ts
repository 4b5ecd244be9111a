import type { IdSet } from './id-set.ts'
import {
  BLOCK,
  numbers,
  OBJECT,
  SHELF,
  type Block,
  type BlockCounts,
  type Keys,
  type Mark,
  type OrderFollower,
  type Place,
  type PackedOrder,
  type Shelf,
} from './order-parts.ts'
import { eachBetween, idsFrom, last, pageOf } from './order-walks.ts'

/*
 * The ids of all records of a table in the order of a key, then of the id, that changes in place. Ids lie in blocks of up to 256, blocks on
 * shelves of up to 64, and each id knows its block; so any place is found in two short walks, and a record moves in microseconds. Keys
 * are not kept, but for the first one of each block: `keys` reads them. `OrderCounts` has the members of a set in each block and shelf.
 * Memory: 6 to 8 bytes for each id.
 */

export class IdOrder<K> {
  readonly #keys: Keys<K>
  #shelves: Shelf<K>[] = []
  /** By number; undefined: free. */
  readonly #blocks: (Block<K> | undefined)[] = [undefined]
  readonly #free: number[] = []
  #shelfNumbers = 0
  #blockOf: Uint32Array | Uint16Array
  #size = 0
  /** Counts that follow this order. */
  readonly counted = new Set<OrderFollower>()

  constructor({ places, sizes, blockOf }: PackedOrder, keys: Keys<K>) {
    this.#keys = keys
    this.#blockOf = blockOf
    sizes.forEach((size, i) => {
      if (i % (SHELF / 2) === 0) this.#shelves.push(this.#newShelf([]))
      const shelf = this.#shelves.at(-1)!
      const ids = places.subarray(i * BLOCK, (i + 1) * BLOCK)
      const block: Block<K> = { number: i + 1, ids, size, shelf, first: undefined }
      this.#blocks.push(block)
      shelf.blocks.push(block)
      shelf.size += size
      this.#size += size
    })
  }

  get size(): number {
    return this.#size
  }

  /** Of memory, about. */
  get bytes(): number {
    return this.#blockOf.byteLength + this.#blocks.length * (BLOCK * 4 + OBJECT)
  }

  get blockNumbers(): number {
    return this.#blocks.length
  }

  get shelfNumbers(): number {
    return this.#shelfNumbers
  }

  /** By id, the number of its block; 0 where it has none. For reading at once. */
  get blocksOfIds(): Uint32Array | Uint16Array {
    return this.#blockOf
  }

  /** The number of the block of an id; 0 where it has none. */
  blockOf(id: number): number {
    return this.#blockOf[id] ?? 0
  }

  /** The number of the shelf of a block. */
  shelfOf(block: number): number {
    return this.#blocks[block]!.shelf.number
  }

  /** The numbers of all blocks. */
  *blocks(): Generator<number> {
    for (const shelf of this.#shelves) for (const block of shelf.blocks) yield block.number
  }

  #newShelf(blocks: Block<K>[]): Shelf<K> {
    const shelf = { number: this.#shelfNumbers++, blocks, size: 0 }
    for (const block of blocks) {
      block.shelf = shelf
      shelf.size += block.size
    }
    return shelf
  }

  /** Brings records to their places that were added, changed or removed since. `exists`: whether there is one with this id. */
  update(changed: ReadonlySet<number>, exists: (id: number) => boolean): void {
    const moving: number[] = []
    for (const id of changed) {
      if (exists(id) && this.#stands(id, changed)) continue
      this.#remove(id)
      if (exists(id)) moving.push(id)
    }
    for (const id of moving) this.#insert(id)
  }

  /** Whether a record is still between the two beside it, if these are in its block and did not change. */
  #stands(id: number, changed: ReadonlySet<number>): boolean {
    const block = this.#blocks[this.#blockOf[id] ?? 0]
    if (!block) return false
    const at = block.ids.subarray(0, block.size).indexOf(id)
    if (at <= 0 || at >= block.size - 1) return false
    const [before, after] = [block.ids[at - 1]!, block.ids[at + 1]!]
    if (changed.has(before) || changed.has(after)) return false
    const key = this.#keys.of(id)
    return this.#compare(this.#keys.of(before), before, key, id) < 0 && this.#compare(key, id, this.#keys.of(after), after) < 0
  }

  #compare(one: K, id: number, other: K, otherId: number): number {
    return this.#keys.compare(one, other) || id - otherId
  }

  #firstOf(block: Block<K>): Mark<K> {
    return (block.first ??= { key: this.#keys.of(block.ids[0]!), id: block.ids[0]! })
  }

  #remove(id: number): void {
    const block = this.#blocks[this.#blockOf[id] ?? 0]
    if (!block) return
    const at = block.ids.subarray(0, block.size).indexOf(id)
    block.ids.copyWithin(at, at + 1, block.size)
    this.#blockOf[id] = 0
    this.#resize(block, -1)
    for (const counts of this.counted) counts.left(id, block.number, block.shelf.number)
    if (block.size === 0) this.#drop(block)
  }

  #drop(block: Block<K>): void {
    const { shelf, number } = block
    shelf.blocks.splice(shelf.blocks.indexOf(block), 1)
    this.#blocks[number] = undefined
    this.#free.push(number)
    if (shelf.blocks.length === 0) this.#shelves.splice(this.#shelves.indexOf(shelf), 1)
  }

  #resize(block: Block<K>, change: 1 | -1): void {
    block.size += change
    block.shelf.size += change
    this.#size += change
  }

  #insert(id: number): void {
    const key = this.#keys.of(id)
    const { shelf, block: place, at } = this.#seek(key, id)
    const block = this.#shelves[shelf]?.blocks[place] ?? this.#begin()
    block.ids.copyWithin(at + 1, at, block.size)
    block.ids[at] = id
    if (at === 0) block.first = { key, id }
    this.#resize(block, 1)
    this.#note(id, block.number)
    for (const counts of this.counted) counts.entered(id, block.number, block.shelf.number)
    if (block.size === BLOCK) this.#split(block)
  }

  #begin(): Block<K> {
    const shelf = this.#newShelf([])
    const block = this.#newBlock(new Uint32Array(BLOCK), 0, shelf, undefined)
    shelf.blocks.push(block)
    this.#shelves.push(shelf)
    return block
  }

  #newBlock(ids: Uint32Array, size: number, shelf: Shelf<K>, first: Block<K>['first']): Block<K> {
    const number = this.#free.pop() ?? this.#blocks.length
    const block = { number, ids, size, shelf, first }
    this.#blocks[number] = block
    return block
  }

  #note(id: number, block: number): void {
    const isShort = id >= this.#blockOf.length
    if (isShort || (block > 65_535 && this.#blockOf instanceof Uint16Array)) {
      const wider = numbers(Math.max(this.#blocks.length, block), isShort ? id + 1 + (id >>> 4) : this.#blockOf.length)
      wider.set(this.#blockOf)
      this.#blockOf = wider
    }
    this.#blockOf[id] = block
  }

  /** The second half of a full block becomes one of its own. */
  #split(block: Block<K>): void {
    const half = BLOCK / 2
    const ids = new Uint32Array(BLOCK)
    ids.set(block.ids.subarray(half))
    block.size = half
    const { shelf } = block
    const next = this.#newBlock(ids, half, shelf, undefined)
    for (const id of ids.subarray(0, half)) this.#note(id, next.number)
    shelf.blocks.splice(shelf.blocks.indexOf(block) + 1, 0, next)
    for (const counts of this.counted) counts.split(block.number, next.number, ids.subarray(0, half))
    if (shelf.blocks.length > SHELF) this.#splitShelf(shelf)
  }

  #splitShelf(shelf: Shelf<K>): void {
    const moved = shelf.blocks.splice(SHELF / 2)
    const next = this.#newShelf(moved)
    shelf.size -= next.size
    this.#shelves.splice(this.#shelves.indexOf(shelf) + 1, 0, next)
    const blocks = moved.map(({ number }) => number)
    for (const counts of this.counted) counts.splitShelf(shelf.number, next.number, blocks)
  }

  /** The block in which a record with this key and id is, or would be. */
  #seekBlock(key: K, id: number): { readonly shelf: number; readonly block: number; readonly found: Block<K> | undefined } {
    const isBehind = (block: Block<K>): boolean => {
      const first = this.#firstOf(block)
      return this.#compare(key, id, first.key, first.id) < 0
    }
    const shelf = last(this.#shelves, ({ blocks }) => !isBehind(blocks[0]!))
    const { blocks = [] } = this.#shelves[shelf] ?? {}
    const block = last(blocks, (one) => !isBehind(one))
    return { shelf, block, found: blocks[block] }
  }

  /** Where a record with this key and id is, or would be. */
  #seek(key: K, id: number): Place {
    const { shelf, block, found } = this.#seekBlock(key, id)
    // The first of a block is found without reading more keys.
    if (found?.first?.id === id && found.ids[0] === id && this.#keys.compare(found.first.key, key) === 0) return { shelf, block, at: 0 }
    let low = 0
    let high = found?.size ?? 0
    while (low < high) {
      const middle = (low + high) >> 1
      const other = found!.ids[middle]!
      if (this.#compare(this.#keys.of(other), other, key, id) < 0) low = middle + 1
      else high = middle
    }
    return { shelf, block, at: low }
  }

  /** Whether a record of the order is before this key and id. */
  isBefore(id: number, mark: Mark<K>): boolean {
    return this.#compare(this.#keys.of(id), id, mark.key, mark.id) < 0
  }

  /** How many records are before this key and id. */
  rank(mark: Mark<K>): number {
    return this.#rankOf(this.#seek(mark.key, mark.id))
  }

  #rankOf({ shelf, block, at }: Place): number {
    let rank = at
    for (let i = 0; i < shelf; i++) rank += this.#shelves[i]!.size
    for (let i = 0; i < block; i++) rank += this.#shelves[shelf]!.blocks[i]!.size
    return rank
  }

  /** The first of the block in which this key and id are, or would be, and how many records are before it. */
  blockAt({ key, id }: Mark<K>): { readonly first: Mark<K>; readonly rank: number } | undefined {
    const { found, ...place } = this.#seekBlock(key, id)
    return found && { first: { key: this.#keys.of(found.ids[0]!), id: found.ids[0]! }, rank: this.#rankOf({ ...place, at: 0 }) }
  }

  /** The ids from an offset on, of those in the set. `counts`: of that set. `…Within`: undefined where more than `most` were looked through. */
  page(offset: number, limit: number, set?: IdSet, counts?: BlockCounts): number[] {
    return pageOf(this.#shelves, offset, limit, set, counts)!
  }

  pageWithin(most: number, offset: number, limit: number, set: IdSet) {
    return pageOf(this.#shelves, offset, limit, set, undefined, most)
  }

  /**
   * Ids of the set behind this key and id, or backwards those before it, the nearest first. Undefined: from the beginning, or the end.
   * `counts`: of that set.
   */
  walk(from: Mark<K> | undefined, backwards: boolean, limit: number, set?: IdSet, counts?: BlockCounts): number[] {
    return this.walkWithin(Infinity, from, backwards, limit, set, counts)!
  }

  walkWithin(most: number, from: Mark<K> | undefined, backwards: boolean, limit: number, set?: IdSet, counts?: BlockCounts) {
    // Forwards, the record itself may be at the place.
    const place = from && this.#seek(from.key, backwards ? from.id : from.id + 0.5)
    return idsFrom(this.#shelves, place, backwards, limit, set, counts, most)
  }

  /** Calls with each id from a mark on to before another one, in order. Undefined: from the beginning. */
  between(from: Mark<K> | undefined, to: Mark<K>, call: (id: number) => void): void {
    eachBetween(this.#shelves, from ? this.#seek(from.key, from.id) : BEGINNING, this.#seek(to.key, to.id), call)
  }

  /** Calls with each id, in order. */
  each(call: (id: number) => void): void {
    for (const { blocks } of this.#shelves) for (const { ids, size } of blocks) for (let i = 0; i < size; i++) call(ids[i]!)
  }
}

const BEGINNING: Place = { shelf: 0, block: 0, at: 0 }
