import { distinct, isBitmap, LISTED, none, shortened, WORDS, type Chunk } from './chunks.ts'

/** A set as plain values, as it passes from thread to thread. */
export interface PackedSet {
  readonly chunks: readonly (Chunk | null)[]
  readonly counts: Int32Array
}

/** The set of these ids, which need no order; each once or several times. */
export function packed(ids: Uint32Array): PackedSet {
  let largest = -1
  for (let i = 0; i < ids.length; i++) if (ids[i]! > largest) largest = ids[i]!
  const length = Math.floor(largest / 65_536) + 1
  const sizes = new Int32Array(length)
  for (let i = 0; i < ids.length; i++) sizes[ids[i]! >>> 16]!++
  const parts = Array.from(sizes, (size) => (size > LISTED ? new Uint32Array(WORDS) : size > 0 ? new Uint16Array(size) : null))
  const filled = new Int32Array(length)
  for (let i = 0; i < ids.length; i++) {
    const id = ids[i]!
    const part = parts[id >>> 16]!
    const low = id & 65_535
    if (isBitmap(part)) part[low >>> 5]! |= 1 << (low & 31)
    else part[filled[id >>> 16]!++] = low
  }
  const settled = parts.map((part) => (part === null ? none : isBitmap(part) ? shortened(part) : distinct(part)))
  return { chunks: settled.map(({ chunk }) => chunk), counts: Int32Array.from(settled, ({ count }) => count) }
}

/** Makes a set of ids that come in ascending order, without a list of all of them. */
export class Packing {
  readonly #chunks: (Chunk | null)[] = []
  readonly #counts: number[] = []
  #bitmap = new Uint32Array(WORDS)
  #isEmpty = true

  /** An id after those before. */
  add(id: number): void {
    while (id >>> 16 > this.#chunks.length) this.#close()
    this.#bitmap[(id & 65_535) >>> 5]! |= 1 << (id & 31)
    this.#isEmpty = false
  }

  #close(): void {
    const { chunk, count } = this.#isEmpty ? none : shortened(this.#bitmap)
    this.#chunks.push(chunk)
    this.#counts.push(count)
    if (chunk === this.#bitmap) this.#bitmap = new Uint32Array(WORDS)
    else if (!this.#isEmpty) this.#bitmap.fill(0)
    this.#isEmpty = true
  }

  packed(): PackedSet {
    if (!this.#isEmpty) this.#close()
    return { chunks: this.#chunks, counts: Int32Array.from(this.#counts) }
  }
}
