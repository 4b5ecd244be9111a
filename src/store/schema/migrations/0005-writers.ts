import type { Dialect } from '../../../sql/dialect.ts'
import { sql } from '../../../sql/sql.ts'
import { createTable, type Step } from '../migration-step.ts'

/** The processes that write to a shared database, and the number of the last transaction of each (store/postgres/commit-outcome.ts). */
export const writers = (dialect: Dialect): Step[] =>
  dialect.shared ? [createTable('writers', sql`CREATE TABLE writers (id ${dialect.identity}, number ${dialect.integer} NOT NULL)`)] : []
