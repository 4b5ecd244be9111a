import type { Dialect } from '../../../sql/dialect.ts'
import { sql } from '../../../sql/sql.ts'
import { alter, createTable, type Step } from '../migration-step.ts'

/** What users keep for the pages that they use (store/people/user-settings.ts). `value` is JSON. */
export const userSettings = ({ identity, integer, text }: Dialect): Step[] => [
  createTable(
    'user_settings',
    sql`CREATE TABLE user_settings (id ${identity}, user_id ${integer} NOT NULL, name ${text} NOT NULL, namek ${text} NOT NULL, value ${text} NOT NULL)`,
  ),
  alter(sql`CREATE INDEX user_settings_by_user ON user_settings (user_id, namek)`),
]
