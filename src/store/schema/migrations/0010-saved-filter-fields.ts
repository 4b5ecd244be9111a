import type { Dialect } from '../../../sql/dialect.ts'
import { sql } from '../../../sql/sql.ts'
import { alter, createTable, type Step } from '../migration-step.ts'

/** The fields that each saved filter names, and 0 where these are written down (store/catalogue/hidden-names.ts). */
export const savedFilterFields = ({ integer }: Dialect): Step[] => [
  createTable(
    'saved_filter_fields',
    sql`CREATE TABLE saved_filter_fields (filter_id ${integer} NOT NULL, field_id ${integer} NOT NULL, PRIMARY KEY (filter_id, field_id))`,
  ),
  alter(sql`CREATE INDEX saved_filter_fields_by_field ON saved_filter_fields (field_id)`),
  alter(sql`CREATE INDEX saved_filters_by_user ON saved_filters (user_id)`),
]
