import type { Dialect } from '../../../sql/dialect.ts'
import { sql } from '../../../sql/sql.ts'
import { alter, change, createTable, type Step } from '../migration-step.ts'

/**
 * Counters of a shared database that grow in rows of their own for each connection, changed in place: a row for each
 * change would leave as many dead ones behind, which every list had to step over.
 */
export const blockChanges = (dialect: Dialect): Step[] => {
  if (!dialect.shared) return []
  const { integer } = dialect
  return [
    createTable(
      'block_changes',
      sql`CREATE TABLE block_changes (table_id ${integer} NOT NULL, block ${integer} NOT NULL, lane ${integer} NOT NULL,
      n ${integer} NOT NULL, changes ${integer} NOT NULL, PRIMARY KEY (table_id, block, lane)) WITH (fillfactor = 50)`,
    ),
    change(sql`INSERT INTO block_changes (table_id, block, lane, n, changes)
      SELECT table_id, block, 0, sum(n), count(*) FROM count_changes GROUP BY table_id, block`),
    alter(sql`DROP TABLE count_changes`),
  ]
}
