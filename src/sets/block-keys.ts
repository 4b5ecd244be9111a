import type { Block, Keys, Mark } from './order-parts.ts'

/*
 * Places in a block of an order (id-order.ts), found by the keys of its ids. A block is in order up to `sorted`; what came later lies behind that, in any
 * order, where keys cannot be read at once (`Keys.later`). A place is looked for among the keys that are known; what is left between two of these is read then:
 * a few keys that divide it, or all of them where there are no more. The more keys are known, the fewer are read.
 */

/** Keys that are read to find a place in a block, before the database counts: near a place that is asked for again and again, all keys are known after a while. */
const KEYS_READ = 1
/** Keys that divide what is looked through, where they have to be waited for; of twice as many, all are read. */
const PARTS = 15
/** Ids that get their places one by one, at most: for each, some keys are read. To sort the whole block, all of its keys are read, once. */
const FEW = 6

export class BlockKeys<K> {
  readonly #keys: Keys<K>

  constructor(keys: Keys<K>) {
    this.#keys = keys
  }

  readonly compare = (one: Mark<K>, other: Mark<K>): number => this.#keys.compare(one.key, other.key) || one.id - other.id

  of(id: number): Mark<K> {
    return { key: this.#keys.of(id), id }
  }

  /** Brings the ids of a block into order; false: keys of it were noted as missing. */
  readonly sort = (block: Block<K>): boolean => {
    const { ids, size, sorted } = block
    if (sorted >= size) return true
    const { later } = this.#keys
    const areFew = size - sorted <= FEW && sorted > PARTS
    const loose = ids.subarray(areFew ? sorted : 0, size)
    if (later?.has(loose) === false) return false
    const marks = Array.from(loose, (id) => this.of(id)).sort(this.compare)
    if (!areFew) ids.set(marks.map(({ id }) => id))
    else {
      const places = marks.map((mark) => this.#placeAmong(block, sorted, mark))
      if (places.includes(undefined)) return false
      // From the end on, so that no place is moved before it is filled.
      for (let i = marks.length - 1, end = sorted; i >= 0; i--) {
        const place = places[i]!
        ids.copyWithin(place + i + 1, place, end)
        ids[place + i] = marks[i]!.id
        end = place
      }
    }
    block.sorted = size
    return true
  }

  /**
   * Where in a block that is in order a record is, or would be; undefined: keys of it were noted as missing. `isAtRest`: all records are in their places,
   * so that `countBetween` may tell.
   */
  placeIn(block: Block<K>, mark: Mark<K>, isAtRest: boolean): number | undefined {
    const { ids, size, first } = block
    if (this.#keys.later) return this.#placeAmong(block, size, mark)
    const mayCount = isAtRest && first !== undefined && this.compare(first, mark) < 0
    let [low, high, read] = [0, size, 0]
    while (low < high) {
      const middle = (low + high) >> 1
      const id = ids[middle]!
      if (mayCount && this.#keys.isKnown?.(id) === false && read++ >= KEYS_READ) {
        const count = this.#keys.countBetween?.(first, mark)
        if (count !== undefined && count <= size) return count
      }
      if (this.compare(this.of(id), mark) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  /** The same among the first ids of a block, which are in order, where keys have to be waited for. */
  #placeAmong({ ids }: Block<K>, size: number, mark: Mark<K>): number | undefined {
    let [low, high] = [0, size]
    while (low < high) {
      const at = this.#knownIn(ids, low, high)
      if (at === undefined) {
        const step = high - low <= 2 * PARTS ? 1 : Math.ceil((high - low) / PARTS)
        this.#keys.later!.has(ids.subarray(low, high).filter((_, i) => (i + 1) % step === 0))
        return undefined
      }
      if (this.compare(this.of(ids[at]!), mark) < 0) low = at + 1
      else high = at
    }
    return low
  }

  /** The one nearest to the middle of these places whose key is known. */
  #knownIn(ids: Uint32Array, low: number, high: number): number | undefined {
    const { isKnown } = this.#keys.later!
    const middle = (low + high) >> 1
    for (let away = 0; away <= high - middle; away++) {
      const [before, after] = [middle - away, middle + away]
      if (before >= low && isKnown(ids[before]!)) return before
      if (after < high && isKnown(ids[after]!)) return after
    }
    return undefined
  }
}
