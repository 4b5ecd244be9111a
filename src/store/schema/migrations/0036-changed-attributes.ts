import type { Dialect } from '../../../sql/dialect.ts'
import { sql } from '../../../sql/sql.ts'
import { alter, type Step } from '../migration-step.ts'

/** Which attributes a change of record_changes (0031) touched, by name; NULL: perhaps all, as where a process of an earlier version wrote it. */
export const changedAttributes = (dialect: Dialect): Step[] =>
  dialect.shared ? [alter(sql`ALTER TABLE record_changes ADD COLUMN attributes text`)] : []
