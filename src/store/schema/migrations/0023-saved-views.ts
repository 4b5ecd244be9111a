import type { Dialect } from '../../../sql/dialect.ts'
import { sql } from '../../../sql/sql.ts'
import { alter, createTable, type Step } from '../migration-step.ts'

/**
 * How pages show a table (store/people/saved-views.ts). `filter`, `sort`, `columns` and `group_by` are JSON. `saved_view_fields`: the fields that
 * the filter of a view names, as `saved_filter_fields` has them for saved filters.
 */
export const savedViews = ({ identity, integer, text }: Dialect): Step[] => [
  createTable(
    'saved_views',
    sql`CREATE TABLE saved_views (id ${identity}, table_id ${integer} NOT NULL, title ${text} NOT NULL, titlek ${text} NOT NULL,
      kind ${text} NOT NULL, kindk ${text} NOT NULL, filter ${text} NOT NULL, sort ${text} NOT NULL, columns ${text} NOT NULL,
      group_by ${text} NOT NULL, user_id ${integer} NOT NULL)`,
  ),
  alter(sql`CREATE INDEX saved_views_by_user ON saved_views (user_id)`),
  createTable(
    'saved_view_fields',
    sql`CREATE TABLE saved_view_fields (view_id ${integer} NOT NULL, field_id ${integer} NOT NULL, PRIMARY KEY (view_id, field_id))`,
  ),
  alter(sql`CREATE INDEX saved_view_fields_by_field ON saved_view_fields (field_id)`),
]
