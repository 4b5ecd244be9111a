import type { Dialect } from '../../../sql/dialect.ts'
import { sql } from '../../../sql/sql.ts'
import { alter, type Step } from '../migration-step.ts'

/** Of which field the title of a record in the trash is a value; 0: of none, or of one that was not written down. */
export const titleFields = ({ integer }: Dialect): Step[] => [
  alter(sql`ALTER TABLE trash ADD COLUMN title_field_id ${integer} NOT NULL DEFAULT 0`),
]
