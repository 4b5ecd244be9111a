import { BLOCK, numbers, OBJECT, SHELF, type Block, type OrderFollower, type PackedOrder, type Shelf } from './order-parts.ts'

/*
 * The blocks of an order (id-order.ts) and the shelves on which they lie. Each id knows its block. Counts of sets are told what enters and leaves
 * a block, and how blocks are divided.
 */

export class OrderBlocks<K> {
  readonly shelves: Shelf<K>[] = []
  /** By number; undefined: free. */
  readonly #blocks: (Block<K> | undefined)[] = [undefined]
  readonly #free: number[] = []
  /** The number of the shelf of each block, by its number. */
  #shelfOf: Uint32Array
  #shelfNumbers = 0
  #blockOf: Uint32Array | Uint16Array
  #size = 0
  /** Counts that follow this order. */
  readonly counted = new Set<OrderFollower>()

  constructor({ places, sizes, blockOf }: PackedOrder) {
    this.#blockOf = blockOf
    this.#shelfOf = new Uint32Array(sizes.length + 64)
    sizes.forEach((size, i) => {
      if (i % (SHELF / 2) === 0) this.shelves.push(this.#newShelf([]))
      const shelf = this.shelves.at(-1)!
      const ids = places.subarray(i * BLOCK, (i + 1) * BLOCK)
      const block: Block<K> = { number: i + 1, ids, size, shelf, first: undefined, sorted: size }
      this.#blocks.push(block)
      this.#shelfOf[block.number] = shelf.number
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
    return this.#blockOf.byteLength + this.#shelfOf.byteLength + this.#blocks.length * (BLOCK * 4 + OBJECT)
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
  numberOf(id: number): number {
    return this.#blockOf[id] ?? 0
  }

  /** The block of an id. */
  of(id: number): Block<K> | undefined {
    return this.#blocks[this.#blockOf[id] ?? 0]
  }

  /** Whether it is a block of this order. */
  has(block: Block<K>): boolean {
    return this.#blocks[block.number] === block
  }

  /** The number of the shelf of a block. */
  shelfOf(block: number): number {
    return this.#shelfOf[block]!
  }

  /** The same, by the number of the block. For reading at once. */
  get shelvesOfBlocks(): Uint32Array {
    return this.#shelfOf
  }

  *all(): Generator<Block<K>> {
    for (const { blocks } of this.shelves) yield* blocks
  }

  /** The only block of an order without records. */
  begin(): Block<K> {
    const shelf = this.#newShelf([])
    const block = this.#newBlock(new Uint32Array(BLOCK), 0, shelf)
    shelf.blocks.push(block)
    this.shelves.push(shelf)
    return block
  }

  /** Puts an id into a block, at its place in it. */
  put(id: number, block: Block<K>, at: number): void {
    this.#put(id, block, at)
    block.sorted++
  }

  /** Puts an id behind those of a block, whatever its place is. */
  append(id: number, block: Block<K>): void {
    this.#put(id, block, block.size)
    if (block.size === 1) block.sorted = 1
  }

  /** An id is not in its place any more: puts it behind the others of its block. */
  loosen(id: number): void {
    const block = this.of(id)!
    const { ids, size } = block
    if (size === 1) return
    const at = ids.subarray(0, size).indexOf(id)
    ids.copyWithin(at, at + 1, size)
    ids[size - 1] = id
    if (at < block.sorted) block.sorted--
  }

  #put(id: number, block: Block<K>, at: number): void {
    if (block.size === block.ids.length) {
      const wider = new Uint32Array(2 * block.ids.length)
      wider.set(block.ids)
      block.ids = wider
    }
    block.ids.copyWithin(at + 1, at, block.size)
    block.ids[at] = id
    this.#resize(block, 1)
    this.#note(id, block.number)
    for (const counts of this.counted) counts.entered(id, block.number, block.shelf.number)
  }

  remove(id: number): void {
    const block = this.of(id)
    if (!block) return
    const at = block.ids.subarray(0, block.size).indexOf(id)
    block.ids.copyWithin(at, at + 1, block.size)
    if (at < block.sorted) block.sorted--
    this.#blockOf[id] = 0
    this.#resize(block, -1)
    for (const counts of this.counted) counts.left(id, block.number, block.shelf.number)
    if (block.size === 0) this.#drop(block)
  }

  /** The second half of a block, which is sorted, becomes one of its own: returns that. */
  split(block: Block<K>): Block<K> {
    const half = block.size >> 1
    const moved = block.ids.subarray(half, block.size)
    const ids = new Uint32Array(Math.max(BLOCK, 2 * moved.length))
    ids.set(moved)
    block.size = half
    block.sorted = half
    const { shelf } = block
    const next = this.#newBlock(ids, moved.length, shelf)
    for (const id of moved) this.#note(id, next.number)
    shelf.blocks.splice(shelf.blocks.indexOf(block) + 1, 0, next)
    for (const counts of this.counted) counts.split(block.number, next.number, moved)
    if (shelf.blocks.length > SHELF) this.#splitShelf(shelf)
    return next
  }

  #newShelf(blocks: Block<K>[]): Shelf<K> {
    const shelf = { number: this.#shelfNumbers++, blocks, size: 0 }
    for (const block of blocks) {
      this.#lie(block, shelf)
      shelf.size += block.size
    }
    return shelf
  }

  #newBlock(ids: Uint32Array, size: number, shelf: Shelf<K>): Block<K> {
    const number = this.#free.pop() ?? this.#blocks.length
    const block: Block<K> = { number, ids, size, shelf, first: undefined, sorted: size }
    this.#blocks[number] = block
    this.#lie(block, shelf)
    return block
  }

  #lie(block: Block<K>, shelf: Shelf<K>): void {
    block.shelf = shelf
    if (block.number >= this.#shelfOf.length) {
      const longer = new Uint32Array(block.number + (block.number >>> 3) + 64)
      longer.set(this.#shelfOf)
      this.#shelfOf = longer
    }
    this.#shelfOf[block.number] = shelf.number
  }

  #drop(block: Block<K>): void {
    const { shelf, number } = block
    shelf.blocks.splice(shelf.blocks.indexOf(block), 1)
    this.#blocks[number] = undefined
    this.#free.push(number)
    if (shelf.blocks.length === 0) this.shelves.splice(this.shelves.indexOf(shelf), 1)
  }

  #resize(block: Block<K>, change: 1 | -1): void {
    block.size += change
    block.shelf.size += change
    this.#size += change
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

  #splitShelf(shelf: Shelf<K>): void {
    const moved = shelf.blocks.splice(SHELF / 2)
    const next = this.#newShelf(moved)
    shelf.size -= next.size
    this.shelves.splice(this.shelves.indexOf(shelf) + 1, 0, next)
    const blocks = moved.map(({ number }) => number)
    for (const counts of this.counted) counts.splitShelf(shelf.number, next.number, blocks)
  }
}
