import { membersOf } from './chunks.ts'
import type { IdOrder } from './id-order.ts'
import type { IdSet } from './id-set.ts'
import { BLOCK, type Block, type OrderFollower, type Place } from './order-parts.ts'

/*
 * Pages by id of the members of a set that are before a place of an order, or of the others. Ids are divided into stretches, the order into
 * stripes of some blocks; a table says how many members of each stretch are before each stripe. So the stretch of an offset is found by adding, and only its
 * members are looked up in the order.
 */

/** Stretches, at most; ids of a stretch, as a power of two: those of the largest must be counted in 16 bits. */
const STRETCHES = 4_096
const SHORTEST = 10
const LONGEST = 15
/** Members of a stretch, of a small set, at least. */
const MEMBERS = 64
/** Blocks of a stripe, at least; and how many times as many records it may have as the stripes had at first. */
const BLOCKS = 8
const GROWN = 4
/** Counts of a table to each member of its set, at most; and bytes of each count. */
const TO_EACH = 16
const COUNT = 2

/** As `OrderCounts`, it is right for the set and the order as they are. */
export class RangeCounts<K> implements OrderFollower {
  readonly #order: IdOrder<K>
  readonly #set: IdSet
  /** The power of two of a stretch, how many there are, and how many stripes. */
  readonly #shift: number
  readonly #stretches: number
  readonly #stripes: number
  /** The stripe of each block, by its number. */
  #stripeOf: Uint16Array
  /** A row for each stripe and one for the end: members of each stretch that are before it. */
  readonly #table: Uint16Array
  /** Records of each stripe, and how many one may have before all are made anew. */
  readonly #sizes: Int32Array
  readonly #most: number
  #isOutgrown = false

  constructor(order: IdOrder<K>, set: IdSet, shift: number, most: number) {
    const { blocks } = order
    this.#order = order
    this.#set = set
    this.#shift = shift
    const ids = blocks.blocksOfIds.length
    this.#stretches = ((ids + (ids >>> 4)) >>> shift) + 1
    const wanted = Math.min(blocks.blockNumbers / BLOCKS, Math.min(most / COUNT, TO_EACH * set.size) / this.#stretches, 65_535)
    this.#stripes = Math.max(1, Math.floor(wanted))
    this.#stripeOf = new Uint16Array(blocks.blockNumbers + 64)
    this.#table = new Uint16Array((this.#stripes + 1) * this.#stretches)
    this.#sizes = new Int32Array(this.#stripes)
    this.#most = GROWN * (order.size / this.#stripes + BLOCK)
    this.#count()
    blocks.counted.add(this)
  }

  /** `most`: bytes of the table, about. Undefined: the ids are too far apart. */
  static of<K>(order: IdOrder<K>, set: IdSet, most: number): RangeCounts<K> | undefined {
    const ids = order.blocks.blocksOfIds.length
    if (ids >>> LONGEST >= STRETCHES) return undefined
    const wanted = Math.log2(ids / Math.max(1, Math.min(STRETCHES, set.size / MEMBERS)))
    return new RangeCounts(order, set, Math.max(SHORTEST, Math.min(LONGEST, Math.ceil(wanted))), most)
  }

  #count(): void {
    const { blocks, size } = this.#order
    const ofStripe = size / this.#stripes
    let [passed, stripe] = [0, 0]
    for (const block of blocks.all()) {
      while (passed >= (stripe + 1) * ofStripe && stripe < this.#stripes - 1) stripe++
      this.#stripeOf[block.number] = stripe
      this.#sizes[stripe]! += block.size
      passed += block.size
    }
    const { blocksOfIds } = blocks
    const [table, stripeOf, stretches, shift] = [this.#table, this.#stripeOf, this.#stretches, this.#shift]
    this.#set.each((id) => {
      const block = blocksOfIds[id] ?? 0
      if (block !== 0) table[(stripeOf[block]! + 1) * stretches + (id >>> shift)]!++
    })
    for (let i = stretches; i < table.length; i++) table[i]! += table[i - stretches]!
  }

  /** Of memory, about. */
  get bytes(): number {
    return this.#table.byteLength + this.#stripeOf.byteLength + this.#sizes.byteLength
  }

  /** Whether it has to be made anew: members have ids behind its last stretch, or a stripe has too many records. */
  get isOutgrown(): boolean {
    return this.#isOutgrown
  }

  /** From now on it stays as it is. */
  ended(): void {
    this.#order.blocks.counted.delete(this)
  }

  assigned(id: number, isMember: boolean): void {
    const block = this.#order.blocks.numberOf(id)
    if (block !== 0) this.#add(id, block, isMember ? 1 : -1)
  }

  entered(id: number, block: number): void {
    if (++this.#sizes[this.#stripeOf[block]!]! > this.#most) this.#isOutgrown = true
    if (this.#set.has(id)) this.#add(id, block, 1)
  }

  left(id: number, block: number): void {
    this.#sizes[this.#stripeOf[block]!]!--
    if (this.#set.has(id)) this.#add(id, block, -1)
  }

  split(from: number, to: number): void {
    if (to >= this.#stripeOf.length) {
      const longer = new Uint16Array(to + 64)
      longer.set(this.#stripeOf)
      this.#stripeOf = longer
    }
    this.#stripeOf[to] = this.#stripeOf[from]!
  }

  splitShelf(): void {}

  #add(id: number, block: number, change: 1 | -1): void {
    const stretch = id >>> this.#shift
    if (stretch >= this.#stretches) this.#isOutgrown = true
    else
      for (let i = (this.#stripeOf[block]! + 1) * this.#stretches + stretch; i < this.#table.length; i += this.#stretches)
        this.#table[i]! += change
  }

  /**
   * The ids of those before a place, or with `isRest` of the others, from an offset on. `size`: how many these are. It must not have been outgrown. Undefined:
   * the counts are not those of so many, which is a fault.
   */
  page(place: Place, isRest: boolean, offset: number, limit: number, size: number): number[] | undefined {
    const ids: number[] = []
    const here = this.#order.blocks.shelves[place.shelf]?.blocks[place.block]
    if (offset >= size || !here) return ids
    const counts = this.#countsBefore(place, here)
    if (isRest) this.#rowOf(this.#stripes).forEach((all, stretch) => (counts[stretch] = all - counts[stretch]!))
    const first = stretchOf(counts, offset, size)
    if (!first) return undefined
    const isBefore = this.#order.sideOf(place)
    let { stretch, rest } = first
    for (; ids.length < limit && stretch < counts.length; stretch++, rest = 0) {
      if (counts[stretch]! <= rest) continue
      for (const id of membersOf(this.#set.part(stretch >>> (16 - this.#shift)), stretch << this.#shift, 1 << this.#shift)) {
        if (isBefore(id) !== !isRest || rest-- > 0) continue
        if (ids.push(id) === limit) break
      }
    }
    return ids
  }

  /** Members before a place, of each stretch: those before its stripe, and those of the stripe one by one; or from its end. */
  #countsBefore(place: Place, here: Block<K>): Uint16Array {
    const stripe = this.#stripeOf[here.number]!
    const before = this.#blocksBeside(place, stripe, -1)
    const size = before.reduce((sum, block) => sum + block.size, place.at)
    const inStripe = this.#sizes[stripe]!
    if (size <= inStripe / 2) {
      const counts = this.#rowOf(stripe).slice()
      this.#tally(counts, [...before.map(idsOf), here.ids.subarray(0, place.at)], size, 1)
      return counts
    }
    const counts = this.#rowOf(stripe + 1).slice()
    const behind = this.#blocksBeside(place, stripe, 1)
    this.#tally(counts, [...behind.map(idsOf), here.ids.subarray(place.at, here.size)], inStripe - size, -1)
    return counts
  }

  /** Adds to each stretch its members among some ids, or takes them away. `size`: how many ids these are. */
  #tally(counts: Uint16Array, all: readonly Uint32Array[], size: number, change: 1 | -1): void {
    const isMember = this.#set.tester(size)
    for (const ids of all) for (let i = 0; i < ids.length; i++) if (isMember(ids[i]!)) counts[ids[i]! >>> this.#shift]! += change
  }

  /** The blocks of a stripe before that of a place, or behind it. */
  #blocksBeside({ shelf, block }: Place, stripe: number, step: 1 | -1): Block<K>[] {
    const { shelves } = this.#order.blocks
    const found: Block<K>[] = []
    let at = block + step
    for (let s = shelf; s >= 0 && s < shelves.length; s += step) {
      const { blocks } = shelves[s]!
      if (s !== shelf) at = step < 0 ? blocks.length - 1 : 0
      for (; at >= 0 && at < blocks.length; at += step) {
        if (this.#stripeOf[blocks[at]!.number] !== stripe) return found
        found.push(blocks[at]!)
      }
    }
    return found
  }

  #rowOf(stripe: number): Uint16Array {
    return this.#table.subarray(stripe * this.#stretches, (stripe + 1) * this.#stretches)
  }
}

const idsOf = ({ ids, size }: Block<unknown>): Uint32Array => ids.subarray(0, size)

/** The stretch of the member at an offset, and how many of its members are before that. It is looked for from the nearer end. Undefined: there is none. */
function stretchOf(counts: Uint16Array, offset: number, size: number): { stretch: number; rest: number } | undefined {
  if (offset < size / 2) {
    for (let [stretch, before] = [0, 0]; stretch < counts.length; before += counts[stretch++]!)
      if (before + counts[stretch]! > offset) return { stretch, rest: offset - before }
    return undefined
  }
  let before = size
  for (let stretch = counts.length - 1; stretch >= 0; stretch--) {
    before -= counts[stretch]!
    if (before <= offset) return { stretch, rest: offset - before }
  }
  return undefined
}
