import type { IdOrder } from './id-order.ts'
import type { IdSet } from './id-set.ts'
import type { Differing } from './like-set.ts'
import type { Block, BlockCounts, OrderFollower, Shelf } from './order-parts.ts'

/**
 * How many members of a set each block of an order has. It is right for the set and the order as they are, also where one of them has
 * followed changes that the other has not: both tell it of each change.
 */
export class OrderCounts<K> implements BlockCounts, OrderFollower {
  readonly #order: IdOrder<K>
  readonly #set: IdSet
  #blocks: Int32Array
  #shelves: Int32Array

  constructor(order: IdOrder<K>, set: IdSet) {
    this.#order = order
    this.#set = set
    this.#blocks = new Int32Array(order.blocks.blockNumbers + 64)
    this.#shelves = new Int32Array(order.blocks.shelfNumbers + 8)
    this.#count()
    order.blocks.counted.add(this)
  }

  #count(): void {
    const { shelves, blocksOfIds } = this.#order.blocks
    this.#set.countInto(this.#blocks, blocksOfIds)
    this.#blocks[0] = 0
    for (const { number, blocks } of shelves) for (const block of blocks) this.#shelves[number]! += this.#blocks[block.number]!
  }

  /** Of memory, about. */
  get bytes(): number {
    return this.#blocks.byteLength + this.#shelves.byteLength
  }

  ofBlock({ number }: Pick<Block<K>, 'number'>): number {
    return this.#blocks[number] ?? 0
  }

  ofShelf({ number }: Pick<Shelf<K>, 'number'>): number {
    return this.#shelves[number] ?? 0
  }

  /** From now on it stays as it is. */
  ended(): this {
    this.#order.blocks.counted.delete(this)
    return this
  }

  /** An id came into the set, or left it. */
  assigned(id: number, isMember: boolean): void {
    const block = this.#order.blocks.numberOf(id)
    if (block !== 0) this.#add(block, this.#order.blocks.shelfOf(block), isMember ? 1 : -1)
  }

  entered(id: number, block: number, shelf: number): void {
    if (this.#set.has(id)) this.#add(block, shelf, 1)
  }

  left(id: number, block: number, shelf: number): void {
    if (this.#set.has(id)) this.#add(block, shelf, -1)
  }

  split(from: number, to: number, moved: Uint32Array): void {
    let count = 0
    for (const id of moved) if (this.#set.has(id)) count++
    this.#blocks = roomFor(this.#blocks, to)
    this.#blocks[from]! -= count
    this.#blocks[to] = count
  }

  splitShelf(from: number, to: number, moved: readonly number[]): void {
    const count = moved.reduce((sum, block) => sum + this.ofBlock({ number: block }), 0)
    this.#shelves = roomFor(this.#shelves, to)
    this.#shelves[from]! -= count
    this.#shelves[to] = count
  }

  #add(block: number, shelf: number, change: 1 | -1): void {
    this.#blocks = roomFor(this.#blocks, block)
    this.#shelves = roomFor(this.#shelves, shelf)
    this.#blocks[block]! += change
    this.#shelves[shelf]! += change
  }
}

/**
 * The counts of a set that has the same members as another one, or with `isRest` all others, but for a few ids. They hold as long as the order and the set
 * stay as they are.
 */
export class LikeCounts<K> implements BlockCounts {
  readonly #counts: BlockCounts
  readonly #isRest: boolean
  readonly #blocks: Int32Array
  readonly #shelves: Int32Array

  constructor({ blocks }: IdOrder<K>, counts: BlockCounts, isRest: boolean, { differing, areMembers }: Differing) {
    this.#counts = counts
    this.#isRest = isRest
    this.#blocks = new Int32Array(blocks.blockNumbers)
    this.#shelves = new Int32Array(blocks.shelfNumbers)
    const change = areMembers ? 1 : -1
    for (const id of differing) {
      const block = blocks.numberOf(id)
      if (block === 0) continue
      this.#blocks[block]! += change
      this.#shelves[blocks.shelfOf(block)]! += change
    }
  }

  ofBlock(block: Pick<Block<K>, 'number' | 'size'>): number {
    const count = this.#counts.ofBlock(block)
    return (this.#isRest ? block.size - count : count) + this.#blocks[block.number]!
  }

  ofShelf(shelf: Pick<Shelf<K>, 'number' | 'size'>): number {
    const count = this.#counts.ofShelf(shelf)
    return (this.#isRest ? shelf.size - count : count) + this.#shelves[shelf.number]!
  }
}

function roomFor(counts: Int32Array, place: number): Int32Array {
  if (place < counts.length) return counts
  const longer = new Int32Array(place + 64)
  longer.set(counts)
  return longer
}
