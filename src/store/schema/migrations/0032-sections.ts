import type { Dialect } from '../../../sql/dialect.ts'
import { sql } from '../../../sql/sql.ts'
import { alter, type Step } from '../migration-step.ts'

/** The heading under which a record shows a field, and its folded form. */
export const sections = ({ text }: Dialect): Step[] => [
  alter(sql`ALTER TABLE fields ADD COLUMN section ${text} NOT NULL DEFAULT ''`),
  alter(sql`ALTER TABLE fields ADD COLUMN sectionk ${text} NOT NULL DEFAULT ''`),
]
