import { constant, sql, type Sql } from './sql.ts'

/** PostgreSQL names an advisory lock by two numbers: the first is the same for all of ours, so that other programs keep theirs. */
export const LOCK_SPACE = 7201

/** The second number of each. A lock belongs to a transaction and ends with it. */
export const advisoryLocks = {
  /** Every write has it shared; a change of structure or rights has it alone. */
  catalogue: 1,
  /** One process at a time adds up the changes of counts (store/lists/shared-positions.ts). */
  counts: 2,
  /** One process at a time makes an index or changes the columns of tables. */
  structure: 3,
} as const

/** Both numbers, as PostgreSQL's functions take them. */
export const lockKey = (lock: keyof typeof advisoryLocks): Sql => sql`${constant(LOCK_SPACE)}, ${constant(advisoryLocks[lock])}`
