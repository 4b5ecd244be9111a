import type { Dialect } from '../../../sql/dialect.ts'
import { sql } from '../../../sql/sql.ts'
import { alter, type Step } from '../migration-step.ts'

/** Why an index could not be made (store/indexes/index-build.ts); '' for none. failurek: the same, folded. */
export const indexFailures = ({ text }: Dialect): Step[] => [
  alter(sql`ALTER TABLE indexes ADD COLUMN failure ${text} NOT NULL DEFAULT ''`),
  alter(sql`ALTER TABLE indexes ADD COLUMN failurek ${text} NOT NULL DEFAULT ''`),
]
