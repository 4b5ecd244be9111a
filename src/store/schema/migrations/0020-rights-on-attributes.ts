import type { Dialect } from '../../../sql/dialect.ts'
import { sql } from '../../../sql/sql.ts'
import { alter, change, type Step } from '../migration-step.ts'

/**
 * A rule may let its group see the users that it assigns. Saved filters also have the system attributes that they name (0010): those of
 * earlier versions are read again when the database is opened.
 */
export const rightsOnAttributes = ({ integer }: Dialect): Step[] => [
  alter(sql`ALTER TABLE access ADD COLUMN assignable ${integer} NOT NULL DEFAULT 0`),
  change(sql`DELETE FROM saved_filter_fields`),
]
