import type { OrderFollower } from '../../sets/order-parts.ts'
import type { RecordOrder } from './record-order.ts'
import type { Kept, KeptKind, SetMemory } from './set-memory.ts'

/** Bytes of an object beside what it counts. */
const OBJECT = 500

interface FollowingCounts extends OrderFollower {
  readonly bytes: number
  /** A member of the set has come, or gone. */
  assigned(id: number, isMember: boolean): void
  /** From now on they stay as they are. */
  ended(): unknown
}

/** Counts that follow their set and their order. */
class KeptCounts<C extends FollowingCounts> implements Kept {
  readonly counts: C

  constructor(counts: C) {
    this.counts = counts
  }

  get bytes(): number {
    return OBJECT + this.counts.bytes
  }

  drop(): void {
    this.counts.ended()
  }
}

/** The counts of one set, by the order whose blocks or ranges are counted. */
export class CountsByOrder<C extends FollowingCounts> {
  readonly #kind: KeptKind
  readonly #all = new Map<RecordOrder, KeptCounts<C>>()

  constructor(kind: KeptKind) {
    this.#kind = kind
  }

  of(order: RecordOrder, memory: SetMemory | undefined): C | undefined {
    const kept = this.#all.get(order)
    if (kept) memory?.use(kept)
    return kept?.counts
  }

  /** Returns false where there is no room: then they end at once. */
  keep(order: RecordOrder, memory: SetMemory, counts: C): boolean {
    const kept = new KeptCounts(counts)
    const forget = () => this.forget(order, memory)
    this.#all.set(order, kept)
    order.counts.set(kept, forget)
    memory.add(this.#kind, kept, forget)
    return this.#all.has(order)
  }

  forget(order: RecordOrder, memory: SetMemory): void {
    const kept = this.#all.get(order)
    if (!kept) return
    this.#all.delete(order)
    order.counts.delete(kept)
    memory.remove(kept)
    kept.drop()
  }

  assigned(id: number, isMember: boolean): void {
    for (const { counts } of this.#all.values()) counts.assigned(id, isMember)
  }

  /** The set has gone. */
  end(): void {
    for (const [order, kept] of this.#all) order.counts.get(kept)?.()
  }
}
