import type { Dialect } from '../../../sql/dialect.ts'
import { sql } from '../../../sql/sql.ts'
import { alter, type Step } from '../migration-step.ts'

/** Which attributes a change of record_changes (0031) touched, by name; NULL: perhaps all, as of a record that came or went. */
export const changedAttributes = (dialect: Dialect): Step[] =>
  dialect.shared ? [alter(sql`ALTER TABLE record_changes ADD COLUMN attributes text`)] : []
