import { setLast } from '../memory/lru.ts'
import { bitmapOf, isBitmap, type Chunk } from './chunks.ts'
import type { IsMember } from './members.ts'

/*
 * Bitmaps beside the lists of sets (chunks.ts) whose members are looked up again and again, such as those of a rule: to look up an id in a list takes two to
 * four times as long as in a bitmap, which takes more memory.
 */

/** How many are kept, of 8 KiB each and their list: so many, or those of so many sets of a table with more ids. The least recently used one goes for a new one. */
const MOST = 256
const SETS = 6
/** Members to each test from which on looking them up one by one costs less than to write them all into bitmaps; an empty bitmap costs as much as EMPTY members. */
const MANY = 16
const EMPTY = 1_000

const bitmaps = new Map<Uint16Array, Uint32Array>()

/** `chunks`: of the set. */
function keptBitmap(list: Uint16Array, count: number, chunks: number): Uint32Array {
  const bitmap = bitmapOf(list, count)
  setLast(bitmaps, list, bitmap, Math.max(MOST, SETS * chunks))
  return bitmap
}

function bitmapBeside(list: Uint16Array): Uint32Array | undefined {
  const bitmap = bitmaps.get(list)
  if (bitmap) setLast(bitmaps, list, bitmap, bitmaps.size)
  return bitmap
}

/** The list has one member more, or one less. */
export function changeBeside(list: Uint16Array, low: number): void {
  const bitmap = bitmaps.get(list)
  if (bitmap) bitmap[low >>> 5]! ^= 1 << (low & 31)
}

/** It is not used any more. */
export function forgetBeside(chunk: Chunk | null): void {
  if (chunk && !isBitmap(chunk)) bitmaps.delete(chunk)
}

/** The tests of one set. */
export class Tests {
  /** Ids that were tested since bitmaps were made last. */
  #tests = 0
  /** A set that was made for one answer is tested once, and its bitmaps would take the place of others. */
  #isAgain = false

  /** What tests about so many ids; undefined: it is not worth bitmaps. */
  tester(tests: number, chunks: readonly (Chunk | null)[], counts: Int32Array): IsMember | undefined {
    this.#tests += tests
    const most = MANY * this.#tests
    const cost = costOf(chunks, counts, most)
    if (cost > most) return undefined
    if (cost > 0) this.#tests = 0
    const make = this.#isAgain ? keptBitmap : bitmapOf
    this.#isAgain = true
    const known: (Uint32Array | null)[] = []
    return (id) => {
      const high = Math.floor(id / 65_536)
      let bitmap = known[high]
      if (bitmap === undefined) {
        const chunk = chunks[high] ?? null
        bitmap = known[high] =
          chunk === null || isBitmap(chunk) ? chunk : (bitmapBeside(chunk) ?? make(chunk, counts[high]!, chunks.length))
      }
      return bitmap !== null && ((bitmap[(id & 65_535) >>> 5]! >>> (id & 31)) & 1) === 1
    }
  }
}

/** Of the bitmaps that are not there, in members that are written; counted until it is more than `most`. */
function costOf(chunks: readonly (Chunk | null)[], counts: Int32Array, most: number): number {
  let cost = 0
  for (let high = 0; high < chunks.length && cost <= most; high++) {
    const chunk = chunks[high]
    if (chunk && !isBitmap(chunk) && !bitmaps.has(chunk)) cost += EMPTY + counts[high]!
  }
  return cost
}
