import type { Dialect } from '../../../sql/dialect.ts'
import { sql, type Sql } from '../../../sql/sql.ts'

/** Why an index could not be made (store/indexes/index-build.ts); '' for none. failurek: the same, folded. */
export const indexFailures = ({ text }: Dialect): Sql[] => [
  sql`ALTER TABLE indexes ADD COLUMN failure ${text} NOT NULL DEFAULT ''`,
  sql`ALTER TABLE indexes ADD COLUMN failurek ${text} NOT NULL DEFAULT ''`,
]
