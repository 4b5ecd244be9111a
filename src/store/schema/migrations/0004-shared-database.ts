import type { Dialect } from '../../../sql/dialect.ts'
import { sql, type Sql } from '../../../sql/sql.ts'

/**
 * What several processes over one database need: the version of the catalogue they all compare theirs with, and counters
 * that grow by rows of their own, so that writers never wait for each other (store/lists/shared-positions.ts).
 */
export const sharedDatabase = (dialect: Dialect): Sql[] => {
  if (!dialect.shared) return []
  const { integer } = dialect
  return [
    sql`CREATE TABLE catalogue_version (version ${integer} NOT NULL)`,
    sql`INSERT INTO catalogue_version (version) VALUES (1)`,
    sql`CREATE TABLE count_changes (table_id ${integer} NOT NULL, block ${integer} NOT NULL, n ${integer} NOT NULL)`,
    sql`CREATE INDEX count_changes_by_table ON count_changes (table_id)`,
    sql`CREATE TABLE region_counts (table_id ${integer} NOT NULL, region ${integer} NOT NULL, n ${integer} NOT NULL,
      changes ${integer} NOT NULL, PRIMARY KEY (table_id, region))`,
    ...dialect.continueIds('groups'),
  ]
}
