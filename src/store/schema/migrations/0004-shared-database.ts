import type { Dialect } from '../../../sql/dialect.ts'
import { sql } from '../../../sql/sql.ts'
import { alter, change, createTable, type Step } from '../migration-step.ts'

/**
 * What several processes over one database need: the version of the catalogue they all compare theirs with, and counters
 * that grow by rows of their own, so that writers never wait for each other (store/positions/shared-positions.ts).
 */
export const sharedDatabase = (dialect: Dialect): Step[] => {
  if (!dialect.shared) return []
  const { integer } = dialect
  return [
    createTable('catalogue_version', sql`CREATE TABLE catalogue_version (version ${integer} NOT NULL)`),
    change(sql`INSERT INTO catalogue_version (version) VALUES (1)`),
    createTable(
      'count_changes',
      sql`CREATE TABLE count_changes (table_id ${integer} NOT NULL, block ${integer} NOT NULL, n ${integer} NOT NULL)`,
    ),
    alter(sql`CREATE INDEX count_changes_by_table ON count_changes (table_id)`),
    createTable(
      'region_counts',
      sql`CREATE TABLE region_counts (table_id ${integer} NOT NULL, region ${integer} NOT NULL, n ${integer} NOT NULL,
      changes ${integer} NOT NULL, PRIMARY KEY (table_id, region))`,
    ),
    ...dialect.continueIds('groups').map(change),
  ]
}
