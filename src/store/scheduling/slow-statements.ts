/** Statements at a time, and characters of one: longer ones come with many values, and hardly come again. */
const MOST = 1_000
const LONGEST = 5_000
/** Milliseconds after which all are forgotten: by an index that is there now, or with other values, they may be quick again. */
const FORGOTTEN = 60_000

/** Statements that took too long among the quick ones, lately: they go among the slow ones at once. */
export interface SlowStatements {
  has(statement: string): boolean
  add(statement: string): void
  delete(statement: string): void
  close(): void
}

export function slowStatements(): SlowStatements {
  const known = new Set<string>()
  const forgetting = setInterval(() => known.clear(), FORGOTTEN).unref()
  return {
    has: (statement) => known.has(statement),
    add: (statement) => void (known.size < MOST && statement.length <= LONGEST && known.add(statement)),
    delete: (statement) => void known.delete(statement),
    close: () => clearInterval(forgetting),
  }
}
