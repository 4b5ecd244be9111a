import type { Dialect } from '../../../sql/dialect.ts'
import { sql } from '../../../sql/sql.ts'
import { alter, type Step } from '../migration-step.ts'

/** The name of the file that a job reads or makes, and its folded form. Jobs from before have none. */
export const filesOfJobs = ({ text }: Dialect): Step[] => [
  alter(sql`ALTER TABLE jobs ADD COLUMN file_name ${text} NOT NULL DEFAULT ''`),
  alter(sql`ALTER TABLE jobs ADD COLUMN file_namek ${text} NOT NULL DEFAULT ''`),
]
