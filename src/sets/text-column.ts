import { areSparse } from './order-parts.ts'

/*
 * The texts that the records of a table have in one attribute, by id, as UTF-8 in parts of 256 KiB, each text behind its id and its length. A text that changes
 * is written behind the last one; a part of which half is no text any more is emptied by moving the others. Texts have less than 65,536 bytes.
 */

/** Bytes of a part, as a power of 2; the place of a text is the number of its part and, in so many bits, its offset there. */
const PART = 18
/** Bytes before a text: its id, and how many it has. */
const ID = 4
const HEAD = ID + 2
export const LONGEST = 2 ** 16 - 1
/** Ids that are compared at once. */
const STRETCH = 250_000

interface Part {
  readonly bytes: Buffer
  /** Bytes from its beginning on that have been written, and how many of these are no text any more. */
  end: number
  free: number
}

export class TextColumn {
  /** The place of the text of an id, and one more; 0: there is no such record. */
  #places: Uint32Array
  readonly #parts: (Part | undefined)[] = []
  /** Numbers of parts that there are no more. */
  readonly #unused: number[] = []
  /** The number of the part that is being filled. */
  #last = -1
  #size = 0
  #compared = 0

  /** `count`: how many texts are expected. */
  constructor(count: number) {
    this.#places = new Uint32Array(count + 1 + (count >>> 6))
  }

  /** How many records there are. */
  get size(): number {
    return this.#size
  }

  /** Of memory. */
  get bytes(): number {
    return this.#places.byteLength + (this.#parts.length - this.#unused.length) * 2 ** PART
  }

  /** Undefined: there is no such record. */
  of(id: number): string | undefined {
    return this.#bytesOf(id)?.toString('utf8')
  }

  #bytesOf(id: number): Buffer | undefined {
    const place = this.#places[id] ?? 0
    if (place === 0) return undefined
    const { bytes } = this.#parts[(place - 1) >>> PART]!
    const begin = offsetOf(place)
    return bytes.subarray(begin + HEAD, begin + HEAD + bytes.readUInt16LE(begin + ID))
  }

  /** Whether an id is so far away that it would take a place for each id before it. */
  isFar(id: number): boolean {
    return areSparse(this.#size, id)
  }

  /** Undefined: the record has gone. */
  assign(id: number, text: string | undefined): void {
    if (text === undefined) this.#remove(id)
    else if (this.of(id) !== text) this.put(id, Buffer.from(text))
  }

  /** The same, by the UTF-8 of the text. */
  put(id: number, text: Uint8Array): void {
    this.#remove(id)
    this.#makeRoom(id)
    this.#write(id, text)
    this.#size++
  }

  #write(id: number, text: Uint8Array): void {
    const length = HEAD + text.length
    let part = this.#parts[this.#last]
    if (!part || part.end + length > part.bytes.length) {
      this.#last = this.#unused.pop() ?? this.#parts.length
      this.#parts[this.#last] = part = { bytes: Buffer.allocUnsafeSlow(2 ** PART), end: 0, free: 0 }
    }
    const { bytes, end } = part
    bytes.writeUInt32LE(id, end)
    bytes.writeUInt16LE(text.length, end + ID)
    bytes.set(text, end + HEAD)
    this.#places[id] = this.#last * 2 ** PART + end + 1
    part.end += length
  }

  #makeRoom(id: number): void {
    if (id < this.#places.length) return
    const longer = new Uint32Array(id + 1 + (id >>> 4))
    longer.set(this.#places)
    this.#places = longer
  }

  #remove(id: number): void {
    const place = this.#places[id] ?? 0
    if (place === 0) return
    const number = (place - 1) >>> PART
    const part = this.#parts[number]!
    part.free += HEAD + part.bytes.readUInt16LE(offsetOf(place) + ID)
    this.#places[id] = 0
    this.#size--
    if (number !== this.#last && part.free > part.end / 2) this.#empty(part, number)
  }

  /** Moves the texts of a part behind the last one. */
  #empty({ bytes, end }: Part, number: number): void {
    for (let at = 0, next = 0; at < end; at = next) {
      next = at + HEAD + bytes.readUInt16LE(at + ID)
      const id = bytes.readUInt32LE(at)
      if (this.#places[id] === number * 2 ** PART + at + 1) this.#write(id, bytes.subarray(at + HEAD, next))
    }
    this.#parts[number] = undefined
    this.#unused.push(number)
  }

  /** Whether the next 250,000 ids have the same texts in both: another time it is the ids behind these. */
  equals(other: TextColumn): boolean {
    const end = Math.max(this.#places.length, other.#places.length)
    const from = this.#compared < end ? this.#compared : 0
    this.#compared = from + STRETCH
    if (this.#size !== other.size) return false
    for (let id = from; id < Math.min(end, from + STRETCH); id++) {
      const [one, two] = [this.#bytesOf(id), other.#bytesOf(id)]
      if (one === undefined || two === undefined ? one !== two : !one.equals(two)) return false
    }
    return true
  }
}

const offsetOf = (place: number): number => (place - 1) & (2 ** PART - 1)
