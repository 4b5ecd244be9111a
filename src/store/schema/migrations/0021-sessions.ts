import type { Dialect } from '../../../sql/dialect.ts'
import { sql } from '../../../sql/sql.ts'
import { alter, type Step } from '../migration-step.ts'

/** Whether a token is the session of a browser (DECISIONS A52). */
export const sessions = ({ integer }: Dialect): Step[] => [alter(sql`ALTER TABLE tokens ADD COLUMN session ${integer} NOT NULL DEFAULT 0`)]
