import type { Dialect } from '../../../sql/dialect.ts'
import { sql } from '../../../sql/sql.ts'
import { alter, type Step } from '../migration-step.ts'

/** Whether the fields of a table must have different names. */
export const uniqueFieldNames = ({ integer }: Dialect): Step[] => [
  alter(sql`ALTER TABLE tables ADD COLUMN unique_field_names ${integer} NOT NULL DEFAULT 0`),
]
