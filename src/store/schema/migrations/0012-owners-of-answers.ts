import type { Dialect } from '../../../sql/dialect.ts'
import { sql } from '../../../sql/sql.ts'
import { alter, type Step } from '../migration-step.ts'

/** Whose the kept answers are, and their bytes, so that they can be counted (store/people/idempotency.ts). */
export const ownersOfAnswers = ({ integer }: Dialect): Step[] => [
  alter(sql`ALTER TABLE idempotency ADD COLUMN user_id ${integer} NOT NULL DEFAULT 0`),
  alter(sql`ALTER TABLE idempotency ADD COLUMN size ${integer} NOT NULL DEFAULT 0`),
  alter(sql`CREATE INDEX idempotency_by_user ON idempotency (user_id, size)`),
]
