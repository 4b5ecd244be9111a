/** The most statements that are remembered, and the most characters of one. Longer ones have many values and are seldom repeated. */
const MOST_STATEMENTS = 1_000
const LONGEST_STATEMENT = 5_000
/** Milliseconds after which all are forgotten, since they may be fast again with a new index or other values. */
const FORGOTTEN = 60_000

/** Statements that lately took too long for the quick pool: they begin in the slow one. */
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
    add: (statement) => void (known.size < MOST_STATEMENTS && statement.length <= LONGEST_STATEMENT && known.add(statement)),
    delete: (statement) => void known.delete(statement),
    close: () => clearInterval(forgetting),
  }
}
