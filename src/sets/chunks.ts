/*
 * The members of a set among 65,536 consecutive ids: nothing, a sorted list of their low 16 bits (up to 4,096 of them), or a bitmap.
 */

/** Words of 32 bits of a bitmap. */
export const WORDS = 2_048
/** The most members of a chunk that is a list. */
export const LISTED = 4_096
/** What `and`, `or` and `without` make of bitmaps is a list with so many members at most: to make a longer one takes longer than they do. */
const FEW = 1_024
/** Room by which the list of a chunk grows. */
export const STEP = 32
/** Bytes of a chunk beside its members. */
const OBJECT = 100

export type Chunk = Uint16Array | Uint32Array

/** Bitmaps that are free, and how many are kept: for new ones, made all the time, the garbage collector would run all the time. */
const spare: Uint32Array[] = []
const SPARE = 256

/** Its content is whatever it was. */
const anyBitmap = (): Uint32Array => spare.pop() ?? new Uint32Array(WORDS)

/** Nobody uses the chunk any more. */
export function release(chunk: Chunk | null): void {
  if (chunk && isBitmap(chunk) && spare.length < SPARE) spare.push(chunk)
}

export const isBitmap = (chunk: Chunk): chunk is Uint32Array => chunk instanceof Uint32Array

export const bytesOf = (chunk: Chunk | null): number => (chunk ? chunk.byteLength + OBJECT : 8)

/** Bits that are 1. */
export function ones(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** The place of a number in a sorted list, or ~ of where it would be. */
export function find(list: Uint16Array, count: number, wanted: number): number {
  let low = 0
  let high = count - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const value = list[middle]!
    if (value < wanted) low = middle + 1
    else if (value > wanted) high = middle - 1
    else return middle
  }
  return ~low
}

export function take(chunk: Chunk, count: number, skip: number, limit: number, base: number, ids: number[]): void {
  if (!isBitmap(chunk)) {
    for (let i = skip; i < count && ids.length < limit; i++) ids.push(base + chunk[i]!)
    return
  }
  let rest = skip
  for (let i = 0; i < WORDS && ids.length < limit; i++) {
    let word = chunk[i]!
    if (rest > 0) {
      const here = ones(word)
      if (rest >= here) {
        rest -= here
        continue
      }
      for (; rest > 0; rest--) word &= word - 1
    }
    for (; word !== 0 && ids.length < limit; word &= word - 1) ids.push(base + i * 32 + 31 - Math.clz32(word & -word))
  }
}

/** The ids of the members among `length` consecutive ids from one on, which are all of the chunk. `first`, `length`: multiples of 32. */
export function membersOf({ chunk, count }: Part, first: number, length: number): number[] {
  const ids: number[] = []
  if (!chunk) return ids
  const low = first & 65_535
  const base = first - low
  if (!isBitmap(chunk)) {
    const at = find(chunk, count, low)
    for (let i = at < 0 ? ~at : at; i < count && chunk[i]! < low + length; i++) ids.push(base + chunk[i]!)
    return ids
  }
  for (let i = low >>> 5; i < (low + length) >>> 5; i++) {
    for (let word = chunk[i]!; word !== 0; word &= word - 1) ids.push(base + i * 32 + 31 - Math.clz32(word & -word))
  }
  return ids
}

export interface Part {
  readonly chunk: Chunk | null
  readonly count: number
}
export type Combined = (one: Part, other: Part) => Part

export const none: Part = { chunk: null, count: 0 }
const copyOf = ({ chunk, count }: Part): Part => ({ chunk: chunk && (isBitmap(chunk) ? chunk.slice() : chunk.slice(0, count)), count })

export function bitmapOf(chunk: Chunk | null, count: number): Uint32Array {
  if (chunk && isBitmap(chunk)) return chunk.slice()
  const bitmap = new Uint32Array(WORDS)
  if (chunk) for (let i = 0; i < count; i++) bitmap[chunk[i]! >>> 5]! |= 1 << (chunk[i]! & 31)
  return bitmap
}

/** A bitmap in the form that suits the number of its members. */
export function shortened(bitmap: Uint32Array): Part {
  let count = 0
  for (let i = 0; i < WORDS; i++) count += ones(bitmap[i]!)
  return suited(bitmap, count)
}

function suited(bitmap: Uint32Array, count: number): Part {
  if (count === 0) return none
  return { chunk: count > FEW ? bitmap : listOf(bitmap, count), count }
}

export function listOf(bitmap: Uint32Array, count: number): Uint16Array {
  const list = new Uint16Array(count)
  let at = 0
  for (let i = 0; i < WORDS; i++) {
    for (let word = bitmap[i]!; word !== 0; word &= word - 1) list[at++] = i * 32 + 31 - Math.clz32(word & -word)
  }
  return list
}

export function distinct(list: Uint16Array): Part {
  let isSorted = true
  for (let i = 1; i < list.length && isSorted; i++) isSorted = list[i - 1]! < list[i]!
  if (isSorted) return { chunk: list, count: list.length }
  list.sort()
  let count = 0
  for (let i = 0; i < list.length; i++) if (i === 0 || list[i] !== list[i - 1]) list[count++] = list[i]!
  return { chunk: list.slice(0, count), count }
}

/** Those of a list whose bit in a bitmap is not `unwanted`. */
function tested(list: Uint16Array, length: number, bitmap: Uint32Array, unwanted: 0 | 1): Part {
  const found = new Uint16Array(length)
  let count = 0
  for (let i = 0; i < length; i++) {
    const low = list[i]!
    // Without a branch, which would be guessed wrongly half of the time.
    found[count] = low
    count += ((bitmap[low >>> 5]! >>> (low & 31)) & 1) ^ unwanted
  }
  return count === 0 ? none : { chunk: found.slice(0, count), count }
}

/** Two lists as one: those of both, of the first alone, of the second alone. */
function merged(one: Uint16Array, length: number, other: Uint16Array, otherLength: number, both: boolean, second: boolean): Part {
  const found = new Uint16Array(length + (second ? otherLength : 0))
  const first = !both || second
  let [i, j, count] = [0, 0, 0]
  while (i < length || (second && j < otherLength)) {
    const left = i < length ? one[i]! : 65_536
    const right = j < otherLength ? other[j]! : 65_536
    if (left === right) {
      if (both) found[count++] = left
      i++
      j++
    } else if (left < right) {
      if (first) found[count++] = left
      i++
    } else {
      if (second) found[count++] = right
      j++
    }
  }
  return count === 0 ? none : { chunk: found.slice(0, count), count }
}

export function andChunks(one: Part, other: Part): Part {
  if (!one.chunk || !other.chunk) return none
  if (!isBitmap(one.chunk)) {
    return isBitmap(other.chunk)
      ? tested(one.chunk, one.count, other.chunk, 0)
      : merged(one.chunk, one.count, other.chunk, other.count, true, false)
  }
  if (!isBitmap(other.chunk)) return tested(other.chunk, other.count, one.chunk, 0)
  return ofBoth(one.chunk, other.chunk, 0)
}

/** How many members both have. */
export function countBoth(one: Part, other: Part): number {
  if (!one.chunk || !other.chunk) return 0
  if (!isBitmap(one.chunk) || !isBitmap(other.chunk)) return andChunks(one, other).count
  let count = 0
  for (let i = 0; i < WORDS; i++) count += ones(one.chunk[i]! & other.chunk[i]!)
  return count
}

/** What two bitmaps have; or, with a mask of -1 (all bits), what the first one has and the second one has not. It counts in the same pass. */
function ofBoth(one: Uint32Array, other: Uint32Array, mask: 0 | -1): Part {
  const bitmap = anyBitmap()
  let count = 0
  for (let i = 0; i < WORDS; i++) {
    const word = one[i]! & (other[i]! ^ mask)
    bitmap[i] = word
    count += ones(word)
  }
  const part = suited(bitmap, count)
  if (part.chunk !== bitmap) release(bitmap)
  return part
}

export function orChunks(one: Part, other: Part): Part {
  if (!one.chunk) return copyOf(other)
  if (!other.chunk) return copyOf(one)
  if (!isBitmap(one.chunk) && !isBitmap(other.chunk) && one.count + other.count <= LISTED)
    return merged(one.chunk, one.count, other.chunk, other.count, true, true)
  const bitmap = bitmapOf(one.chunk, one.count)
  if (isBitmap(other.chunk)) for (let i = 0; i < WORDS; i++) bitmap[i]! |= other.chunk[i]!
  else for (let i = 0; i < other.count; i++) bitmap[other.chunk[i]! >>> 5]! |= 1 << (other.chunk[i]! & 31)
  return shortened(bitmap)
}

export function withoutChunks(one: Part, other: Part): Part {
  if (!one.chunk || !other.chunk) return copyOf(one)
  if (!isBitmap(one.chunk)) {
    return isBitmap(other.chunk)
      ? tested(one.chunk, one.count, other.chunk, 1)
      : merged(one.chunk, one.count, other.chunk, other.count, false, false)
  }
  if (isBitmap(other.chunk)) return ofBoth(one.chunk, other.chunk, -1)
  const bitmap = one.chunk.slice()
  for (let i = 0; i < other.count; i++) bitmap[other.chunk[i]! >>> 5]! &= ~(1 << (other.chunk[i]! & 31))
  return shortened(bitmap)
}
