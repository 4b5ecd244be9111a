import type { Dialect } from '../../../sql/dialect.ts'
import { sql, type Sql } from '../../../sql/sql.ts'

/** Of which field the title of a record in the trash is a value; 0: of none, or of one that was not written down. */
export const titleFields = ({ integer }: Dialect): Sql[] => [sql`ALTER TABLE trash ADD COLUMN title_field_id ${integer} NOT NULL DEFAULT 0`]
