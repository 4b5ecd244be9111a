import type { Key } from '../ground/db.ts'

/*
 * Where records stand in an order that several processes change (shared-orders.ts), as long as the table is in the state
 * for which it was found out.
 */

/** Ladders kept, rungs of each, and records between two rungs at least: some ten MiB at most. */
const LADDERS = 16
const RUNGS = 2_048
const STEP = 256
/** Ends of pages remembered. */
const PAGES = 64

/** A record in the order. */
export type Rung = readonly [key: Key, id: number]

/** What is known of an order in one state of its table. */
export interface Ladder {
  readonly state: number
  /** By offset, the last record of the page that ended there. */
  readonly ends: Map<number, Rung>
  /** How often somebody asked for what is far. */
  far: number
  /** The last of each `step` records. */
  step: number
  rungs: readonly Rung[]
}

export interface Ladders {
  /** What was known of another state is forgotten. */
  of(order: string, state: number): Ladder
  /** Has the rungs found out, unless that is being done; nobody waits for it. */
  build(order: string, make: () => Promise<Pick<Ladder, 'state' | 'step' | 'rungs'>>): void
  /** Resolves when none is being made. */
  idle(): Promise<unknown>
}

export function ladders(): Ladders {
  const known = new Map<string, Ladder>()
  const building = new Map<string, Promise<void>>()
  return {
    of(order, state) {
      const last = known.get(order)
      const ladder = last?.state === state ? last : { state, ends: new Map(), far: 0, step: 0, rungs: [] }
      known.delete(order)
      known.set(order, ladder)
      if (known.size > LADDERS) known.delete(known.keys().next().value!)
      return ladder
    },
    build(order, make) {
      if (building.has(order)) return
      const built = make().then(({ state, ...made }) => {
        const ladder = known.get(order)
        if (ladder?.state === state) Object.assign(ladder, made)
      })
      // What was not made is made later.
      building.set(
        order,
        built.catch(() => undefined).finally(() => building.delete(order)),
      )
    },
    idle: () => Promise.all(building.values()),
  }
}

/** Records between two rungs of a table with so many. */
export const stepOf = (total: number): number => Math.max(STEP, Math.ceil(total / RUNGS))

export function rememberEnd({ ends }: Ladder, offset: number, end: Rung): void {
  ends.delete(offset)
  ends.set(offset, end)
  if (ends.size > PAGES) ends.delete(ends.keys().next().value!)
}
