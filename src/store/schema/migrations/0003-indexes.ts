import type { Dialect } from '../../../sql/dialect.ts'
import { name, sql } from '../../../sql/sql.ts'
import { alter, createTable, type Step } from '../migration-step.ts'

/** What is known of each index that lists have asked for (store/indexes/indexes.ts). */
export const indexTables = (dialect: Dialect): Step[] => {
  const integer = (column: string) => sql`${name(column)} ${dialect.integer} NOT NULL DEFAULT 0`
  const text = (column: string) => sql`${name(column)} ${dialect.text} NOT NULL DEFAULT ''`
  return [
    // index_name and made_of: '' where it is not there; covered: last record that a text index knows; bytes: when it was made
    createTable(
      'indexes',
      sql`CREATE TABLE indexes (id ${dialect.identity}, ${integer('table_id')}, ${text('attribute')}, ${text('kind')}, ${text('wish')},
      ${text('state')}, ${text('index_name')}, ${text('made_of')}, ${text('made_at')}, ${text('last_used')}, ${integer('uses')}, ${integer('bytes')},
      ${integer('covered')})`,
    ),
    alter(sql`CREATE UNIQUE INDEX indexes_by_attribute ON indexes (table_id, attribute, kind)`),
  ]
}
