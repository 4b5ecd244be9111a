import { constant, sql } from '../../../sql/sql.ts'
import { alter, type Step } from '../migration-step.ts'

/** The first changes of acts on records, by who made them, for lists of single changes (store/changes/list-batches.ts). */
export const changesByUser = (): Step[] => [
  alter(sql`CREATE INDEX changes_by_user ON changes (user_id, id) WHERE id = batch_id AND table_id > ${constant(0)}`),
]
