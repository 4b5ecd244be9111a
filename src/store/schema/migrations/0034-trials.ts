import type { Dialect } from '../../../sql/dialect.ts'
import { constant, sql } from '../../../sql/sql.ts'
import { alter, change, type Step } from '../migration-step.ts'

/** Whether a job only tries an import. What a client sends stands in the input with its quotation marks escaped. */
export const trials = ({ integer }: Dialect): Step[] => [
  alter(sql`ALTER TABLE jobs ADD COLUMN is_trial ${integer} NOT NULL DEFAULT 0`),
  change(sql`UPDATE jobs SET is_trial = 1 WHERE kind = ${constant('import')} AND input LIKE ${constant('%"isTrial":true%')}`),
]
