import type { Dialect } from '../../../sql/dialect.ts'
import { sql, type Sql } from '../../../sql/sql.ts'

/** The processes that write to a shared database, and the number of the last transaction of each (store/postgres/commit-outcome.ts). */
export const writers = (dialect: Dialect): Sql[] =>
  dialect.shared ? [sql`CREATE TABLE writers (id ${dialect.identity}, number ${dialect.integer} NOT NULL)`] : []
