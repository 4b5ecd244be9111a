/** Statements at a time, and characters of one: longer ones come with many values, and hardly come again. */
const MOST = 1_000
const LONGEST = 5_000
/** Milliseconds after which one may be quick again: by an index that is there now, or with other values. */
const FORGOTTEN = 60_000

/** Statements that took too long among the quick ones, lately: they go among the slow ones at once. */
export interface LateStatements {
  has(statement: string): boolean
  add(statement: string): void
  delete(statement: string): void
}

export function lateStatements(now: () => number = () => performance.now()): LateStatements {
  const since = new Map<string, number>()
  return {
    has: (statement) => now() - (since.get(statement) ?? -Infinity) < FORGOTTEN,
    add(statement) {
      if (statement.length > LONGEST) return
      since.delete(statement)
      since.set(statement, now())
      if (since.size > MOST) since.delete(since.keys().next().value!)
    },
    delete: (statement) => void since.delete(statement),
  }
}
