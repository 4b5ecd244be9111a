import type { Key } from '../ground/db.ts'
import { setLast } from '../../memory/lru.ts'
import { reportTo, type OnFault } from '../ground/fault.ts'

/*
 * Where records stand in an order that several processes change (shared-orders.ts), as long as the table is in the state
 * for which it was found out.
 */

/** Orders of which anchors are kept, anchors of each, and records between two anchors at least: some ten MiB at most. */
const ORDERS = 16
const ANCHORS = 2_048
const STEP = 256
/** Ends of pages remembered. */
const PAGES = 64

/** A record at a known place in an order: pages are read after it (keyset paging). */
export type Anchor = readonly [key: Key, id: number]

/** What is known of an order in one state of its table. */
export interface PageAnchors {
  readonly state: number
  /** By offset, the last record of the page that ended there. */
  readonly ends: Map<number, Anchor>
  /** How often a page was asked for that had no anchor near. */
  far: number
  /** The last of each `step` records; 0 and none until they are found out. */
  step: number
  anchors: readonly Anchor[]
}

export interface AnchorMemory {
  /** What was known of another state is forgotten. */
  of(order: string, state: number): PageAnchors
  /** Has the anchors found out, unless that is being done; nobody waits for it. */
  build(order: string, make: () => Promise<Pick<PageAnchors, 'state' | 'step' | 'anchors'>>): void
  /** Resolves when none are being found out. */
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
      // After a failure, the next page that is far begins again.
      building.set(
        order,
        built.catch(reportTo(onFault, 'the positions of an order were not read')).finally(() => building.delete(order)),
      )
    },
    idle: () => Promise.all(building.values()),
  }
}

/** Records between two anchors of a table with so many. */
export const stepOf = (total: number): number => Math.max(STEP, Math.ceil(total / ANCHORS))

export function rememberEnd({ ends }: PageAnchors, offset: number, end: Anchor): void {
  setLast(ends, offset, end, PAGES)
}
