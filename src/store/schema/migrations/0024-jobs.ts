import type { Dialect } from '../../../sql/dialect.ts'
import { constant, sql } from '../../../sql/sql.ts'
import { alter, createTable, type Step } from '../migration-step.ts'

/**
 * Jobs (store/jobs/). `input`, `position` (where the work goes on after a restart), `result` and `error` are JSON. `input_file`, `result_file`:
 * hashes of stored bytes, '' for none. `holder` has the job until `until_ms` (ground/lease.ts). `tries`: how often it was begun since it last came
 * further.
 */
export const jobs = ({ identity, integer, text }: Dialect): Step[] => [
  createTable(
    'jobs',
    sql`CREATE TABLE jobs (id ${identity}, user_id ${integer} NOT NULL, token_id ${integer} NOT NULL, kind ${text} NOT NULL,
      kindk ${text} NOT NULL, table_id ${integer} NOT NULL, state ${text} NOT NULL, statek ${text} NOT NULL, input ${text} NOT NULL,
      input_file ${text} NOT NULL, done ${integer} NOT NULL, total ${integer} NOT NULL, position ${text} NOT NULL, result ${text} NOT NULL,
      result_file ${text} NOT NULL, error ${text} NOT NULL, batch_id ${integer} NOT NULL, cancel_asked ${integer} NOT NULL,
      tries ${integer} NOT NULL, add_time ${text} NOT NULL, begin_time ${text} NOT NULL, end_time ${text} NOT NULL, holder ${text} NOT NULL,
      until_ms ${integer} NOT NULL)`,
  ),
  alter(sql`CREATE INDEX jobs_by_user ON jobs (user_id)`),
  alter(sql`CREATE INDEX jobs_open ON jobs (user_id, id) WHERE state IN (${constant('queued')}, ${constant('running')})`),
]
