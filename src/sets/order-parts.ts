/* What an order consists of (id-order.ts), and what follows it (order-counts.ts). */

export const BLOCK = 256
/** Ids in a block at first. */
const FILLED = 192
export const SHELF = 64
/** Bytes of a block beside its ids. */
export const OBJECT = 120
/** Ids to each record, beside a million, from which on they are too far apart. */
const SPARSE = 100

/** An order as plain values, as it passes from thread to thread: blocks of 256 places, how many are used of each, and the block of each id. */
export interface PackedOrder {
  readonly places: Uint32Array
  readonly sizes: Uint16Array
  /** By id; 0: no block. Blocks are numbered from 1. */
  readonly blockOf: Uint32Array | Uint16Array
}

/** Whether so many ids, of which this is one, are too far apart. */
export const areSparse = (count: number, id: number): boolean => id > SPARSE * count + 1_000_000

/** Undefined: the ids are so far apart that it would take too much memory. */
export function packedOrder(ids: Uint32Array): PackedOrder | undefined {
  const blocks = Math.ceil(ids.length / FILLED)
  let largest = 0
  for (let i = 0; i < ids.length; i++) if (ids[i]! > largest) largest = ids[i]!
  if (areSparse(ids.length, largest)) return undefined
  const blockOf = numbers(blocks + 1_000, largest + 1 + (largest >>> 6))
  const places = new Uint32Array(blocks * BLOCK)
  const sizes = new Uint16Array(blocks)
  for (let block = 0; block < blocks; block++) {
    const part = ids.subarray(block * FILLED, (block + 1) * FILLED)
    places.set(part, block * BLOCK)
    sizes[block] = part.length
    for (let i = 0; i < part.length; i++) blockOf[part[i]!] = block + 1
  }
  return { places, sizes, blockOf }
}

export const numbers = (most: number, length: number) => (most < 65_536 ? new Uint16Array(length) : new Uint32Array(length))

/** Reads and compares the keys of records, as they are now. */
export interface Keys<K> {
  of(id: number): K
  /** Negative, zero or positive. */
  compare(one: K, other: K): number
  /** Whether the key of a record is known without being read. */
  isKnown?(id: number): boolean
  /** How many records are from a mark on to before a later one, as they are now; undefined: only their keys tell. */
  countBetween?(from: Mark<K>, to: Mark<K>): number | undefined
  /** Where keys cannot be read at once. Then blocks are sorted only when their order matters. */
  readonly later?: LaterKeys
}

export interface LaterKeys {
  /** Whether the key of a record is known without being read. */
  readonly isKnown: (id: number) => boolean
  /** Notes the ids whose keys are not known; whether there are none. */
  has(ids: Iterable<number>): boolean
  /** Throws where some were noted. What it throws says which keys have to be read first. */
  demand(): void
}

export interface Block<K> {
  number: number
  ids: Uint32Array
  size: number
  shelf: Shelf<K>
  /** Nothing before the block is larger, nothing in it smaller. Undefined: not read yet. */
  first: Mark<K> | undefined
  /** How many of its first ids are in order among themselves. */
  sorted: number
}

export interface Shelf<K> {
  readonly number: number
  blocks: Block<K>[]
  size: number
}

/** A key and an id that a record has, or had. */
export interface Mark<K> {
  readonly key: K
  readonly id: number
}

/** A place in an order: the id at `at` of a block, or its end. */
export interface Place {
  shelf: number
  block: number
  at: number
}

/** How many members of a set each block and each shelf has. */
export interface BlockCounts {
  ofBlock(block: Pick<Block<unknown>, 'number' | 'size'>): number
  ofShelf(shelf: Pick<Shelf<unknown>, 'number' | 'size'>): number
}

/** What an order tells of its changes. */
export interface OrderFollower {
  entered(id: number, block: number, shelf: number): void
  left(id: number, block: number, shelf: number): void
  /** `moved`: ids that went from a block to a new one of the same shelf. */
  split(from: number, to: number, moved: Uint32Array): void
  splitShelf(from: number, to: number, moved: readonly number[]): void
}
