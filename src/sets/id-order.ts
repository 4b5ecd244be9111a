import { BlockKeys } from './block-keys.ts'
import type { IdSet } from './id-set.ts'
import type { IsMember, Members } from './members.ts'
import { OrderBlocks } from './order-blocks.ts'
import { BLOCK, type Block, type BlockCounts, type Keys, type Mark, type PackedOrder, type Place } from './order-parts.ts'
import { eachBetween, idsFrom, last, pageOf } from './order-walks.ts'

/*
 * The ids of all records of a table in the order of a key, then of the id, that changes in place. Ids lie in blocks of up to 256, blocks on
 * shelves of up to 64, and each id knows its block (order-blocks.ts); so any place is found in two short walks, and a record moves in
 * microseconds. Keys are not kept, but for the first one of each block: `keys` reads them. `OrderCounts` has the members of a set in each block
 * and shelf. Memory: 6 to 8 bytes for each id.
 *
 * Where keys cannot be read at once (`Keys.later`), a record that moves is put behind the others of its block, for which the first keys
 * suffice. It gets its place, and keys are asked for, only when the order of it and others matters (block-keys.ts).
 */

export class IdOrder<K> {
  readonly #keys: Keys<K>
  readonly #inBlocks: BlockKeys<K>
  readonly #blocks: OrderBlocks<K>
  /** With `Keys.later`: blocks whose first key is not known, and those that are divided once they are sorted. */
  readonly #firstless = new Set<Block<K>>()
  readonly #overfull = new Set<Block<K>>()

  constructor(packed: PackedOrder, keys: Keys<K>) {
    this.#keys = keys
    this.#inBlocks = new BlockKeys(keys)
    this.#blocks = new OrderBlocks(packed)
    if (keys.later) for (const block of this.#blocks.all()) this.#firstless.add(block)
  }

  get size(): number {
    return this.#blocks.size
  }

  /** Of memory, about. */
  get bytes(): number {
    return this.#blocks.bytes
  }

  /** What counts of this order need to know of it. */
  get blocks(): Omit<OrderBlocks<K>, 'begin' | 'put' | 'append' | 'loosen' | 'remove' | 'split'> {
    return this.#blocks
  }

  /** Brings records to their places that were added, changed or removed since. `exists`: whether there is one with this id. */
  update(changed: ReadonlySet<number>, exists: (id: number) => boolean): void {
    if (this.#keys.later) return this.#updateLater(changed, exists)
    const moving: number[] = []
    for (const id of changed) {
      if (exists(id) && this.#stands(id, changed)) continue
      this.#blocks.remove(id)
      if (exists(id)) moving.push(id)
    }
    for (const id of moving) this.#insert(id)
  }

  #insert(id: number): void {
    const key = this.#keys.of(id)
    const { shelf, block: place, at } = this.seek({ key, id })
    const block = this.#blocks.shelves[shelf]?.blocks[place] ?? this.#blocks.begin()
    this.#blocks.put(id, block, at)
    if (at === 0) block.first = { key, id }
    if (block.size >= BLOCK) this.#blocks.split(block)
  }

  /** Whether a record is still between the two beside it, if these are in its block and did not change. */
  #stands(id: number, changed: ReadonlySet<number>): boolean {
    const block = this.#blocks.of(id)
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

  #updateLater(changed: ReadonlySet<number>, exists: (id: number) => boolean): void {
    for (const id of changed) {
      if (exists(id)) this.#assign(id)
      else this.#blocks.remove(id)
    }
  }

  /** Divides blocks that are too large and in order. */
  #divide(): void {
    for (const block of this.#overfull) {
      if (block.sorted < block.size) continue
      this.#overfull.delete(block)
      if (block.size < BLOCK) continue
      const next = this.#blocks.split(block)
      this.#firstless.add(next)
      for (const half of [block, next]) if (half.size >= BLOCK) this.#overfull.add(half)
    }
  }

  /** Puts a record that there is into its block. */
  #assign(id: number): void {
    const key = this.#keys.of(id)
    const block = this.#seekBlock(key, id).found ?? this.#blocks.begin()
    // Before the first of all.
    if (!block.first || this.#compare(key, id, block.first.key, block.first.id) < 0) block.first = { key, id }
    if (this.#blocks.of(id) === block) return this.#blocks.loosen(id)
    this.#blocks.remove(id)
    this.#blocks.append(id, block)
    if (block.size >= BLOCK) this.#overfull.add(block)
  }

  /** Gets ready for `update`. Returns false where that is not possible, since all records of a block changed. @throws what `demand` throws */
  prepare(changed: ReadonlySet<number>): boolean {
    // One question follows several times in a turn, and places that it has found stand. What has moved is not in order any more.
    if (changed.size === 0) return true
    this.#divide()
    return this.readFirsts(changed)
  }

  /** Where keys cannot be read at once: demands the first key of each block. Pages alone need none. `changed`: since the order followed last. Returns as `prepare`. */
  readFirsts(changed: ReadonlySet<number> = NONE): boolean {
    const { later } = this.#keys
    if (!later || this.#firstless.size === 0) return true
    for (const block of this.#firstless) {
      if (!this.#blocks.has(block) || block.first) {
        this.#firstless.delete(block)
        continue
      }
      const id = block.ids.subarray(0, block.size).find((one) => !changed.has(one))
      if (id === undefined) return false
      if (!later.has([id])) continue
      block.first = { key: this.#keys.of(id), id }
      this.#firstless.delete(block)
    }
    later.demand()
    return true
  }

  /** The block in which a record with this key and id is, or would be. */
  #seekBlock(key: K, id: number): { readonly shelf: number; readonly block: number; readonly found: Block<K> | undefined } {
    // Else they would be asked for one by one.
    this.readFirsts()
    const isBehind = (block: Block<K>): boolean => {
      const first = this.#firstOf(block)
      return this.#compare(key, id, first.key, first.id) < 0
    }
    const shelf = last(this.#blocks.shelves, ({ blocks }) => !isBehind(blocks[0]!))
    const { blocks = [] } = this.#blocks.shelves[shelf] ?? {}
    const block = last(blocks, (one) => !isBehind(one))
    return { shelf, block, found: blocks[block] }
  }

  /** Where a record with this key and id is, or would be. `isAtRest`: all records are in their places, so that `countBetween` may tell. */
  seek({ key, id }: Mark<K>, isAtRest = false): Place {
    const { shelf, block, found } = this.#seekBlock(key, id)
    // The first of a block is found without reading more keys.
    if (found?.first?.id === id && found.ids[0] === id && this.#keys.compare(found.first.key, key) === 0) return { shelf, block, at: 0 }
    const at = found && this.#inBlocks.sort(found) ? this.#inBlocks.placeIn(found, { key, id }, isAtRest) : undefined
    if (found && at === undefined) this.#keys.later?.demand()
    return { shelf, block, at: at ?? 0 }
  }

  /** Whether a record of the order is before this key and id. */
  isBefore(id: number, mark: Mark<K>): boolean {
    return this.#compare(this.#keys.of(id), id, mark.key, mark.id) < 0
  }

  /** How many records are before a place; or of a set, whose counts these are. */
  rank(place: Place, set?: Members, counts: BlockCounts = sizes): number {
    const { shelves } = this.#blocks
    let rank = 0
    for (let i = 0; i < place.shelf; i++) rank += counts.ofShelf(shelves[i]!)
    const { blocks = [] } = shelves[place.shelf] ?? {}
    for (let i = 0; i < place.block; i++) rank += counts.ofBlock(blocks[i]!)
    if (!set) return rank + place.at
    for (let i = 0; i < place.at; i++) rank += Number(set.has(blocks[place.block]!.ids[i]!))
    return rank
  }

  /** What tells whether a record is before a place; undefined: it is none of the order. It holds as long as nothing moves. */
  sideOf(place: Place): (id: number) => boolean | undefined {
    const { shelves, shelfNumbers, blocksOfIds, shelvesOfBlocks } = this.#blocks
    const places = new Int32Array(shelfNumbers)
    shelves.forEach(({ number }, at) => (places[number] = at))
    const { blocks = [] } = shelves[place.shelf] ?? {}
    const numbers = blocks.map(({ number }) => number)
    const before = blocks[place.block]?.ids.subarray(0, place.at)
    return (id) => {
      const number = blocksOfIds[id] ?? 0
      if (number === 0) return undefined
      const shelf = places[shelvesOfBlocks[number]!]!
      if (shelf !== place.shelf) return shelf < place.shelf
      const block = numbers.indexOf(number)
      return block === place.block ? before!.includes(id) : block < place.block
    }
  }

  /** The first of the block in which this key and id are, or would be, and how many records are before it. */
  blockAt({ key, id }: Mark<K>): { readonly first: Mark<K>; readonly rank: number } | undefined {
    const { found, ...place } = this.#seekBlock(key, id)
    return found && { first: this.#firstOf(found), rank: this.rank({ ...place, at: 0 }) }
  }

  /** What tests as many ids as are looked through, about, until so many members are found. */
  #tester(set: Members | undefined, members: number): IsMember | undefined {
    return set?.tester((members * this.size) / Math.max(1, set.size))
  }

  /** The ids from an offset on, of those in the set. `counts`: of that set. `…Within`: undefined where more than `most` were looked through. */
  page(offset: number, limit: number, set?: Members, counts?: BlockCounts): number[] {
    return this.#found(pageOf(this.#blocks.shelves, offset, limit, this.#tester(set, limit), counts, Infinity, this.#inBlocks.sort))!
  }

  pageWithin(most: number, offset: number, limit: number, set: Members) {
    return this.#found(pageOf(this.#blocks.shelves, offset, limit, this.#tester(set, offset + limit), undefined, most, this.#inBlocks.sort))
  }

  /**
   * Ids of the set behind this key and id, or backwards those before it, the nearest first. Undefined: from the beginning, or the end.
   * `counts`: of that set.
   */
  walk(from: Mark<K> | undefined, backwards: boolean, limit: number, set?: Members, counts?: BlockCounts): number[] {
    return this.walkWithin(Infinity, from, backwards, limit, set, counts)!
  }

  walkWithin(most: number, from: Mark<K> | undefined, backwards: boolean, limit: number, set?: Members, counts?: BlockCounts) {
    // Forwards, the record itself may be at the place.
    const place = from && this.seek(backwards ? from : { ...from, id: from.id + 0.5 })
    return this.#found(idsFrom(this.#blocks.shelves, place, backwards, limit, this.#tester(set, limit), counts, most, this.#inBlocks.sort))
  }

  /** Not where keys are missing. */
  #found(ids: number[] | undefined): number[] | undefined {
    this.#keys.later?.demand()
    return ids
  }

  /** Calls with each id from a place on to before another one, in order. Undefined: from the beginning, to the end. */
  between(from: Place | undefined, to: Place | undefined, call: (id: number) => void): void {
    const { shelves } = this.#blocks
    eachBetween(shelves, from ?? BEGINNING, to ?? { shelf: shelves.length, block: 0, at: 0 }, call)
  }

  /** The members of a set that are before a place, or with `isRest` those that are not; for a set with few members. */
  membersBefore(set: IdSet, place: Place, isRest: boolean): IdSet {
    const isBefore = this.sideOf(place)
    return set.only((id) => isBefore(id) === !isRest)
  }

  /** Blocks that are not in order. */
  get unsorted(): number {
    return this.#unsorted().length
  }

  #unsorted(): readonly Block<K>[] {
    return Array.from(this.#blocks.all()).filter(({ sorted, size }) => sorted < size)
  }

  /** Brings up to so many blocks into order. Returns whether all are. @throws what `demand` throws */
  sort(most: number): boolean {
    const unsorted = this.#unsorted()
    for (const block of unsorted.slice(0, most)) this.#inBlocks.sort(block)
    this.#keys.later?.demand()
    return unsorted.length <= most
  }

  /** Calls with each id; in order where `sort` was called. */
  each(call: (id: number) => void): void {
    for (const { ids, size } of this.#blocks.all()) for (let i = 0; i < size; i++) call(ids[i]!)
  }
}

/** As counts of all records. */
const sizes: BlockCounts = { ofBlock: ({ size }) => size, ofShelf: ({ size }) => size }

const NONE: ReadonlySet<number> = new Set()
const BEGINNING: Place = { shelf: 0, block: 0, at: 0 }
