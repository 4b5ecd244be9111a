import type { IsMember } from './members.ts'
import { BLOCK, type Block, type BlockCounts, type Place, type Shelf } from './order-parts.ts'

/* How ids are found along the shelves of an order (id-order.ts). */

type Shelves<K> = readonly Shelf<K>[]
/** Brings a block into order; false where its keys are not known, which `sort` has noted. */
type Sort<K> = (block: Block<K>) => boolean

/** Where a walk through a block ends. Ids at its end that have no place yet, and are no members, are left out; otherwise the block is brought into order. */
function endOf<K>(block: Block<K>, isMember: IsMember | undefined, sort: Sort<K>): number {
  const { ids, size, sorted } = block
  if (sorted >= size) return size
  // A block that is too large is divided once it is in order.
  const isLeft = isMember !== undefined && size < BLOCK && !ids.subarray(sorted, size).some(isMember)
  if (isLeft) return sorted
  sort(block)
  return size
}

/**
 * The ids from an offset on, of those that are in a set. `counts`: of that set. `most`: without counts, ids that are looked through, about;
 * undefined: they are more.
 */
export function pageOf<K>(
  shelves: Shelves<K>,
  offset: number,
  limit: number,
  isMember: IsMember | undefined,
  counts: BlockCounts | undefined,
  most: number,
  sort: Sort<K>,
): number[] | undefined {
  const ids: number[] = []
  let rest = offset
  let looked = 0
  const isExact = !isMember || counts !== undefined
  for (const shelf of shelves) {
    if (ids.length >= limit) break
    const onShelf = counts ? counts.ofShelf(shelf) : shelf.size
    if (isExact && rest >= onShelf) {
      rest -= onShelf
      continue
    }
    for (const block of shelf.blocks) {
      if (ids.length >= limit) break
      const inBlock = counts ? counts.ofBlock(block) : block.size
      if (isExact && rest >= inBlock) {
        rest -= inBlock
        continue
      }
      if ((looked += block.size) > most) return undefined
      if (block.sorted < block.size) {
        const inSet = isMember && !counts ? block.ids.subarray(0, block.size).reduce((sum, id) => sum + Number(isMember(id)), 0) : inBlock
        if (rest >= inSet) {
          rest -= inSet
          continue
        }
      }
      const end = endOf(block, isMember, sort)
      for (let i = isMember ? 0 : rest; i < end && ids.length < limit; i++) {
        const id = block.ids[i]!
        if (isMember && !isMember(id)) continue
        if (isMember && rest > 0) rest--
        else ids.push(id)
      }
      if (!isMember) rest = 0
    }
  }
  return ids
}

/**
 * Ids of a set from a place on, or backwards those before it, the nearest first. Undefined: from the beginning, or the end. `counts` and
 * `most` as above.
 */
export function idsFrom<K>(
  shelves: Shelves<K>,
  place: Place | undefined,
  backwards: boolean,
  limit: number,
  isMember: IsMember | undefined,
  counts: BlockCounts | undefined,
  most: number,
  sort: Sort<K>,
): number[] | undefined {
  const ids: number[] = []
  let looked = 0
  const step = backwards ? -1 : 1
  let first = place
  for (let s = place?.shelf ?? (backwards ? shelves.length - 1 : 0); ids.length < limit; s += step) {
    const blocks = shelves[s]?.blocks
    if (!blocks) break
    for (let b = first?.block ?? (backwards ? blocks.length - 1 : 0); ids.length < limit; b += step) {
      const block = blocks[b]
      if (!block) break
      const from = first
      first = undefined
      if (counts?.ofBlock(block) === 0) continue
      if ((looked += block.size) > most) return undefined
      const end = endOf(block, isMember, sort)
      const begin = from ? from.at - (backwards ? 1 : 0) : backwards ? end - 1 : 0
      for (let i = begin; i >= 0 && i < end && ids.length < limit; i += step) {
        const id = block.ids[i]!
        if (!isMember || isMember(id)) ids.push(id)
      }
    }
  }
  return ids
}

/** Calls with each id from a place on to before another one, in order. */
export function eachBetween<K>(shelves: Shelves<K>, begin: Place, end: Place, call: (id: number) => void): void {
  for (let s = begin.shelf; s <= end.shelf; s++) {
    const blocks = shelves[s]?.blocks ?? []
    const lastBlock = s === end.shelf ? end.block : blocks.length - 1
    for (let b = s === begin.shelf ? begin.block : 0; b <= lastBlock; b++) {
      const block = blocks[b]
      if (!block) return
      const isFirst = s === begin.shelf && b === begin.block
      const isLast = s === end.shelf && b === end.block
      for (let i = isFirst ? begin.at : 0; i < (isLast ? end.at : block.size); i++) call(block.ids[i]!)
    }
  }
}

/** The last place for which it holds, where it holds for all before that; 0 where it holds for none. */
export function last<T>(all: readonly T[], holds: (one: T) => boolean): number {
  let low = 0
  let high = all.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (holds(all[middle]!)) low = middle
    else high = middle - 1
  }
  return low
}
