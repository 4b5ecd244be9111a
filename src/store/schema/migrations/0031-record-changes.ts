import type { Dialect } from '../../../sql/dialect.ts'
import { sql } from '../../../sql/sql.ts'
import { alter, createTable, type Step } from '../migration-step.ts'

/**
 * Which records transactions of a shared database have changed, for the sets of lists in the memory of each process (lists/shared-log.ts).
 * Nothing of it is needed after a crash: each process reads its sets anew then. The row of the table 0 says before which transaction rows
 * may be missing.
 */
export const recordChanges = (dialect: Dialect): Step[] => {
  if (!dialect.shared) return []
  const { integer } = dialect
  return [
    createTable(
      'record_changes',
      sql`CREATE UNLOGGED TABLE record_changes (table_id ${integer} NOT NULL, xid xid8 NOT NULL DEFAULT pg_current_xact_id(), record_id ${integer} NOT NULL)`,
    ),
    alter(sql`CREATE INDEX record_changes_of_table ON record_changes (table_id, xid)`),
  ]
}
