import assert from 'node:assert/strict'

/** Thrown where keys have to be read first. */
class Missing extends Error {}

/** Keys that are known only after they were asked for. Those of changed records are told. */
export function keysLater(table: ReadonlyMap<number, number>) {
  const known = new Map<number, number>()
  const wanted = new Set<number>()
  let reads = 0
  return {
    known: known as ReadonlyMap<number, number>,
    /** How often keys were read. */
    reads: () => reads,
    of(id: number): number {
      const key = known.get(id)
      if (key !== undefined) return key
      wanted.add(id)
      throw new Missing()
    },
    compare: (one: number, other: number) => one - other,
    later: {
      isKnown: (id: number) => known.has(id),
      has(ids: Iterable<number>): boolean {
        const missing = Array.from(ids).filter((id) => !known.has(id))
        for (const id of missing) wanted.add(id)
        return missing.length === 0
      },
      demand() {
        if (wanted.size > 0) throw new Missing()
      },
    },
    changed(ids: Iterable<number>) {
      for (const id of ids) {
        known.delete(id)
        if (table.has(id)) known.set(id, table.get(id)!)
      }
    },
    /** What is asked until no key is missing. */
    whenKnown<T>(ask: () => T): T {
      for (;;) {
        try {
          return ask()
        } catch (error) {
          if (!(error instanceof Missing)) throw error
          assert.ok(wanted.size > 0)
          reads++
          for (const id of wanted) known.set(id, table.get(id)!)
          wanted.clear()
        }
      }
    },
  }
}
