import type { Dialect } from '../../../sql/dialect.ts'
import { sql } from '../../../sql/sql.ts'
import { alter, createTable, type Step } from '../migration-step.ts'

/** Who holds which value of a unique field, where no index over the records can tell (store/records/unique-keys.ts); id: the record's. */
export const uniqueKeys = (dialect: Dialect): Step[] => {
  if (!dialect.keysApart) return []
  const { integer, text } = dialect
  return [
    createTable(
      'unique_keys',
      sql`CREATE TABLE unique_keys (key ${text} NOT NULL, table_id ${integer} NOT NULL, column_name ${text} NOT NULL, id ${integer} NOT NULL,
      PRIMARY KEY (key, table_id, column_name))`,
    ),
    alter(sql`CREATE INDEX unique_keys_by_record ON unique_keys (table_id, column_name, id)`),
  ]
}
