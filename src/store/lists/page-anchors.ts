/** What a list can be sorted by: text, or a whole number. */
type Key = string | bigint
import { setLast } from '../../memory/lru.ts'
import { reportTo, type OnFault } from '../ground/fault.ts'

/*
 * Known places of records in an order, for a database to which several processes write (shared-orders.ts). They are valid for one
 * state of the table.
 */

/** The most orders with anchors, the most anchors of each, and the fewest records between two anchors: about 10 MiB in all. */
const ORDERS = 16
const ANCHORS = 2_048
const BETWEEN_ANCHORS = 256
/** The most ends of pages that are remembered. */
const PAGES = 64

/** A record at a known place in an order: pages are read after it (keyset paging). */
export type Anchor = readonly [key: Key, id: number]

/** What is known of an order in one state of its table. */
export interface PageAnchors {
  readonly state: number
  /** By offset, the last record of the page that ended there. */
  readonly ends: Map<number, Anchor>
  /** The number of requested pages without an anchor near them. */
  far: number
  /** One anchor for every `step` records. 0 and no anchors until they have been read. */
  step: number
  anchors: readonly Anchor[]
}

export interface AnchorMemory {
  /** What is known of an order in this state; what was known of another state is forgotten. */
  of(order: string, state: number): PageAnchors
  /** Begins to read the anchors, unless that is running already; no request waits for it. */
  build(order: string, make: () => Promise<Pick<PageAnchors, 'state' | 'step' | 'anchors'>>): void
  /** Resolves when no anchors are being read. */
  idle(): Promise<unknown>
}

export function anchorMemory(onFault: OnFault): AnchorMemory {
  const known = new Map<string, PageAnchors>()
  const building = new Map<string, Promise<void>>()
  return {
    of(order, state) {
      const last = known.get(order)
      const found = last?.state === state ? last : { state, ends: new Map(), far: 0, step: 0, anchors: [] }
      setLast(known, order, found, ORDERS)
      return found
    },
    build(order, make) {
      if (building.has(order)) return
      const built = make().then(({ state, ...made }) => {
        const found = known.get(order)
        if (found?.state === state) Object.assign(found, made)
      })
      // After a failure, the next page far from an anchor begins again.
      building.set(
        order,
        built.catch(reportTo(onFault, 'the positions of an order were not read')).finally(() => building.delete(order)),
      )
    },
    idle: () => Promise.all(building.values()),
  }
}

/** The number of records from one anchor to the next in a table with `total` records. */
export const stepOf = (total: number): number => Math.max(BETWEEN_ANCHORS, Math.ceil(total / ANCHORS))

export function rememberEnd({ ends }: PageAnchors, offset: number, end: Anchor): void {
  setLast(ends, offset, end, PAGES)
}
