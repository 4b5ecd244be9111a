import type { IdOrder } from './id-order.ts'
import type { IdSet } from './id-set.ts'
import type { BlockCounts, OrderFollower } from './order-parts.ts'

/** Ids by which two sets differ: all of them are members of the first one, or none is. */
export interface Differing {
  readonly differing: readonly number[]
  readonly areMembers: boolean
}

/** The counts of another set, or with `isRest` of all that is not in it, from which the set differs in a few ids. */
export interface Likeness<K> extends Differing {
  readonly counts: OrderCounts<K>
  readonly isRest: boolean
}

/**
 * How many members of a set each block of an order has. It is right for the set and the order as they are, also where one of them has
 * followed changes that the other has not: both tell it of each change.
 */
export class OrderCounts<K> implements BlockCounts, OrderFollower {
  readonly #order: IdOrder<K>
  readonly #set: IdSet
  #blocks: Int32Array
  #shelves: Int32Array

  constructor(order: IdOrder<K>, set: IdSet, like?: Likeness<K>) {
    this.#order = order
    this.#set = set
    this.#blocks = like ? like.counts.#blocks.slice() : new Int32Array(order.blocks.blockNumbers + 64)
    this.#shelves = like ? like.counts.#shelves.slice() : new Int32Array(order.blocks.shelfNumbers + 8)
    if (like) this.#follow(like)
    else this.#count()
    order.blocks.counted.add(this)
  }

  #count(): void {
    const { shelves, blocksOfIds } = this.#order.blocks
    this.#set.countInto(this.#blocks, blocksOfIds)
    this.#blocks[0] = 0
    for (const { number, blocks } of shelves) for (const block of blocks) this.#shelves[number]! += this.#blocks[block.number]!
  }

  #follow({ isRest, differing, areMembers }: Likeness<K>): void {
    if (isRest) {
      for (const { number, size, blocks } of this.#order.blocks.shelves) {
        this.#shelves[number] = size - this.ofShelf(number)
        for (const block of blocks) this.#blocks[block.number] = block.size - this.ofBlock(block.number)
      }
    }
    for (const id of differing) this.assigned(id, areMembers)
  }

  /** Of memory, about. */
  get bytes(): number {
    return this.#blocks.byteLength + this.#shelves.byteLength
  }

  ofBlock(block: number): number {
    return this.#blocks[block] ?? 0
  }

  ofShelf(shelf: number): number {
    return this.#shelves[shelf] ?? 0
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
    const count = moved.reduce((sum, block) => sum + this.ofBlock(block), 0)
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

function roomFor(counts: Int32Array, place: number): Int32Array {
  if (place < counts.length) return counts
  const longer = new Int32Array(place + 64)
  longer.set(counts)
  return longer
}
