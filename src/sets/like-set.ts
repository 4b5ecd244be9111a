import { andChunks, countBoth, withoutChunks } from './chunks.ts'
import { IdSet } from './id-set.ts'

/** Ids by which two sets differ: all of them are members of the first one, or none is. */
export interface Differing {
  readonly differing: readonly number[]
  readonly areMembers: boolean
}

/**
 * What a set has in common with another one, or with `isRest` what it has and the other one has not, but for a few ids. Only those chunks are combined in
 * which a page is. It holds as long as both sets stay as they are.
 */
export class LikeSet {
  readonly #within: IdSet
  readonly #other: IdSet
  readonly #isRest: boolean
  readonly #differing: readonly number[]
  readonly #areMembers: boolean
  #byChunk: ByChunk | undefined

  /** Those of `differing` that `within` has not are left out. */
  constructor(within: IdSet, other: IdSet, isRest: boolean, { differing, areMembers }: Differing) {
    this.#within = within
    this.#other = other
    this.#isRest = isRest
    this.#differing = differing
    this.#areMembers = areMembers
  }

  toSet(): IdSet {
    const set = this.#isRest ? this.#within.without(this.#other) : this.#within.and(this.#other)
    set.assignAll(this.#differing, this.#areMembers, this.#within)
    return set
  }

  /** The members from an offset on, in ascending order. `size`: how many there are. */
  page(offset: number, limit: number, size: number): number[] {
    const ids: number[] = []
    if (offset >= size) return ids
    const place = this.#placeOf(offset, size)
    let rest = place.rest
    for (let { high } = place; ids.length < limit && high < this.#within.length; high++, rest = 0) {
      this.#take(high, rest, limit - ids.length, ids)
    }
    return ids
  }

  /** The chunk of the member at an offset, and how many of its members are before that. It is looked for from the nearer end. */
  #placeOf(offset: number, size: number): { readonly high: number; readonly rest: number } {
    const last = this.#within.length - 1
    if (offset < size / 2) {
      let before = 0
      for (let high = 0; ; high++) {
        const count = this.#count(high)
        if (high === last || before + count > offset) return { high, rest: offset - before }
        before += count
      }
    }
    let before = size
    for (let high = last; ; high--) {
      before -= this.#count(high)
      if (high === 0 || before <= offset) return { high, rest: offset - before }
    }
  }

  /** Those of `differing` that are members of `within`, of one chunk. */
  #exceptions(high: number): Uint32Array {
    const { starts, ids } = (this.#byChunk ??= byChunk(this.#differing, this.#within.length))
    return ids.subarray(starts[high], starts[high + 1]).filter((id) => this.#within.has(id))
  }

  #count(high: number): number {
    const part = this.#within.part(high)
    const both = countBoth(part, this.#other.part(high))
    const exceptions = this.#exceptions(high).length
    return (this.#isRest ? part.count - both : both) + (this.#areMembers ? exceptions : -exceptions)
  }

  #take(high: number, offset: number, limit: number, ids: number[]): void {
    const combined = this.#isRest ? withoutChunks : andChunks
    const { chunk, count } = combined(this.#within.part(high), this.#other.part(high))
    const set = new IdSet({ chunks: [chunk], counts: Int32Array.of(count) })
    for (const id of this.#exceptions(high)) set.assign(id & 65_535, this.#areMembers)
    for (const low of set.page(offset, limit)) ids.push(high * 65_536 + low)
    set.release()
  }
}

interface ByChunk {
  /** Where the ids of each chunk begin; and of the last one, where they end. */
  readonly starts: Uint32Array
  readonly ids: Uint32Array
}

function byChunk(all: readonly number[], chunks: number): ByChunk {
  const starts = new Uint32Array(chunks + 2)
  for (let i = 0; i < all.length; i++) if (all[i]! >>> 16 < chunks) starts[(all[i]! >>> 16) + 2]!++
  for (let high = 2; high < starts.length; high++) starts[high]! += starts[high - 1]!
  const ids = new Uint32Array(starts.at(-1)!)
  for (let i = 0; i < all.length; i++) if (all[i]! >>> 16 < chunks) ids[starts[(all[i]! >>> 16) + 1]!++] = all[i]!
  return { starts, ids }
}
