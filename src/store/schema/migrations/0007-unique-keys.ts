import type { Dialect } from '../../../sql/dialect.ts'
import { sql, type Sql } from '../../../sql/sql.ts'

/** Who holds which value of a unique field, where no index over the records can tell (store/records/unique-keys.ts); id: the record's. */
export const uniqueKeys = (dialect: Dialect): Sql[] => {
  if (!dialect.keysApart) return []
  const { integer, text } = dialect
  return [
    sql`CREATE TABLE unique_keys (key ${text} NOT NULL, table_id ${integer} NOT NULL, column_name ${text} NOT NULL, id ${integer} NOT NULL,
      PRIMARY KEY (key, table_id, column_name))`,
    sql`CREATE INDEX unique_keys_by_record ON unique_keys (table_id, column_name, id)`,
  ]
}
