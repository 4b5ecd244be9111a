import { constant, sql, type Sql } from './sql.ts'

/** The first of the two numbers that name an advisory lock in PostgreSQL: the same for all locks here, and not used by other programs. */
export const LOCK_SPACE = 7201

/** The second number. A lock belongs to a transaction and ends with it. */
export const advisoryLocks = {
  /** Shared for every write; exclusive for a change of structure or rights. */
  catalogue: 1,
  /** Exclusive while the changes of counts are folded (store/positions/shared-positions.ts). */
  counts: 2,
  /** Exclusive while an index is made or columns of tables change. */
  structure: 3,
} as const

/** Both numbers, as PostgreSQL's functions take them. */
export const lockKey = (lock: keyof typeof advisoryLocks): Sql => sql`${constant(LOCK_SPACE)}, ${constant(advisoryLocks[lock])}`
