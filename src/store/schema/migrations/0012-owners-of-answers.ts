import type { Dialect } from '../../../sql/dialect.ts'
import { sql, type Sql } from '../../../sql/sql.ts'

/** Whose the kept answers are, and their bytes, so that they can be counted (store/people/idempotency.ts). */
export const ownersOfAnswers = ({ integer }: Dialect): Sql[] => [
  sql`ALTER TABLE idempotency ADD COLUMN user_id ${integer} NOT NULL DEFAULT 0`,
  sql`ALTER TABLE idempotency ADD COLUMN size ${integer} NOT NULL DEFAULT 0`,
  sql`CREATE INDEX idempotency_by_user ON idempotency (user_id, size)`,
]
