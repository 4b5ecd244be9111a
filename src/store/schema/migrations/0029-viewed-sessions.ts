import type { Dialect } from '../../../sql/dialect.ts'
import { sql } from '../../../sql/sql.ts'
import { alter, type Step } from '../migration-step.ts'

/** The user, or the group, whose rights a session has for the time being (DECISIONS A58); 0: its own. */
export const viewedSessions = ({ integer }: Dialect): Step[] => [
  alter(sql`ALTER TABLE tokens ADD COLUMN view_user ${integer} NOT NULL DEFAULT 0`),
  alter(sql`ALTER TABLE tokens ADD COLUMN view_group ${integer} NOT NULL DEFAULT 0`),
]
