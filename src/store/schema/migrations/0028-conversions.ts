import type { Dialect } from '../../../sql/dialect.ts'
import { sql } from '../../../sql/sql.ts'
import { createTable, type Step } from '../migration-step.ts'

/** Fields with two columns while a job converts their values (store/catalogue/conversions.ts). `source` and `target`: JSON of these columns. */
export const conversions = ({ identity, integer, text }: Dialect): Step[] => [
  createTable(
    'conversions',
    sql`CREATE TABLE conversions (id ${identity}, table_id ${integer} NOT NULL, field_id ${integer} NOT NULL, job_id ${integer} NOT NULL,
      user_id ${integer} NOT NULL, token_id ${integer} NOT NULL, phase ${text} NOT NULL,
      last_id ${integer} NOT NULL DEFAULT 0, source ${text} NOT NULL, target ${text} NOT NULL)`,
  ),
]
