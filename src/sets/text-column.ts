import { areSparse } from './order-parts.ts'

/*
 * The texts that the records of a table have in one attribute, by id, as UTF-8 one behind the other. A text that changes is written at the end;
 * when half of all is no text any more, the texts are moved together. Texts have less than 65,536 bytes.
 */

/** Bytes before a text, which tell how many it has. */
const HEAD = 2
export const LONGEST = 2 ** (8 * HEAD) - 1
/** Bytes of a text for which there is room at first, about. */
const USUAL = 24

export class TextColumn {
  /** Where the text of an id is, and one more; 0: there is no such record. */
  #places: Uint32Array
  #bytes: Buffer
  #end = 0
  /** Bytes that are no text any more. */
  #free = 0
  #size = 0

  /** `count`: how many texts are expected. */
  constructor(count: number) {
    this.#places = new Uint32Array(count + 1 + (count >>> 6))
    this.#bytes = Buffer.allocUnsafeSlow(Math.max(256, USUAL * count))
  }

  /** How many records there are. */
  get size(): number {
    return this.#size
  }

  /** Of memory. */
  get bytes(): number {
    return this.#places.byteLength + this.#bytes.byteLength
  }

  /** Undefined: there is no such record. */
  of(id: number): string | undefined {
    const begin = (this.#places[id] ?? 0) - 1
    if (begin < 0) return undefined
    return this.#bytes.toString('utf8', begin + HEAD, begin + HEAD + this.#bytes.readUInt16LE(begin))
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
    if (this.#free > this.#end / 2) this.#moveTogether()
    const end = this.#end + HEAD + text.length
    if (end > this.#bytes.length) {
      const wider = Buffer.allocUnsafeSlow(Math.max(end, Math.ceil(this.#bytes.length * 1.25)))
      this.#bytes.copy(wider, 0, 0, this.#end)
      this.#bytes = wider
    }
    if (id >= this.#places.length) {
      const longer = new Uint32Array(id + 1 + (id >>> 4))
      longer.set(this.#places)
      this.#places = longer
    }
    this.#bytes.writeUInt16LE(text.length, this.#end)
    this.#bytes.set(text, this.#end + HEAD)
    this.#places[id] = this.#end + 1
    this.#end = end
    this.#size++
  }

  #remove(id: number): void {
    const begin = (this.#places[id] ?? 0) - 1
    if (begin < 0) return
    this.#free += HEAD + this.#bytes.readUInt16LE(begin)
    this.#places[id] = 0
    this.#size--
  }

  #moveTogether(): void {
    const bytes = Buffer.allocUnsafeSlow(Math.ceil((this.#end - this.#free) * 1.25) + 256)
    let end = 0
    for (let id = 0; id < this.#places.length; id++) {
      const begin = this.#places[id]! - 1
      if (begin < 0) continue
      this.#places[id] = end + 1
      end += this.#bytes.copy(bytes, end, begin, begin + HEAD + this.#bytes.readUInt16LE(begin))
    }
    this.#bytes = bytes
    this.#end = end
    this.#free = 0
  }

  equals(other: TextColumn): boolean {
    if (this.#size !== other.size) return false
    for (let id = 0; id < this.#places.length; id++) if (this.of(id) !== other.of(id)) return false
    return true
  }
}
