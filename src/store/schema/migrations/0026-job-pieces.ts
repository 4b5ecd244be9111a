import type { Dialect } from '../../../sql/dialect.ts'
import { constant, sql } from '../../../sql/sql.ts'
import { alter, createTable, type Step } from '../migration-step.ts'

/** Text that jobs write while they run (store/jobs/pieces.ts); jobs are found by their files, so that these stay. */
export const jobPieces = ({ integer, text }: Dialect): Step[] => [
  createTable(
    'job_pieces',
    sql`CREATE TABLE job_pieces (job_id ${integer} NOT NULL, number ${integer} NOT NULL, text ${text} NOT NULL, PRIMARY KEY (job_id, number))`,
  ),
  alter(sql`CREATE INDEX jobs_by_input_file ON jobs (input_file) WHERE input_file <> ${constant('')}`),
  alter(sql`CREATE INDEX jobs_by_result_file ON jobs (result_file) WHERE result_file <> ${constant('')}`),
]
