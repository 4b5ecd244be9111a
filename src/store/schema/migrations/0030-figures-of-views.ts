import type { Dialect } from '../../../sql/dialect.ts'
import { sql } from '../../../sql/sql.ts'
import { alter, type Step } from '../migration-step.ts'

/** What a chart shows, and how much of time a calendar does; JSON as the others (0023). */
export const figuresOfViews = ({ text }: Dialect): Step[] => [
  alter(sql`ALTER TABLE saved_views ADD COLUMN figure ${text} NOT NULL DEFAULT '""'`),
  alter(sql`ALTER TABLE saved_views ADD COLUMN span ${text} NOT NULL DEFAULT '""'`),
]
