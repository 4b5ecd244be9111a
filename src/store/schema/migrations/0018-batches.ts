import type { Dialect } from '../../../sql/dialect.ts'
import { sql } from '../../../sql/sql.ts'
import { alter, createTable, type Step } from '../migration-step.ts'

/**
 * Acts of more than one change (store/changes/batches.ts). `id`: the position of the first change. `undone_by`: the batch that took it back;
 * 0: it holds. `undoes`: the batch that it took back; 0: none. `undo_…`: of an undo of it that is not finished, the position of the change
 * that was undone last, the records that were changed, and the conflicts; 0: none is under way.
 * `batch_parts`: which changes belong to it, a row for each of its transactions: those from `id` to `last_id` that have its `batch_id`.
 */
export const batches = ({ integer, text }: Dialect): Step[] => [
  createTable(
    'batches',
    sql`CREATE TABLE batches (id ${integer} NOT NULL PRIMARY KEY, user_id ${integer} NOT NULL, token_id ${integer} NOT NULL, via ${integer} NOT NULL,
      made_at ${text} NOT NULL, undone_by ${integer} NOT NULL DEFAULT 0, undoes ${integer} NOT NULL DEFAULT 0,
      undo_position ${integer} NOT NULL DEFAULT 0, undo_records ${integer} NOT NULL DEFAULT 0, undo_conflicts ${integer} NOT NULL DEFAULT 0)`,
  ),
  createTable(
    'batch_parts',
    sql`CREATE TABLE batch_parts (batch_id ${integer} NOT NULL, id ${integer} NOT NULL, last_id ${integer} NOT NULL, PRIMARY KEY (batch_id, id))`,
  ),
  alter(sql`CREATE INDEX batches_undoing ON batches (undoes) WHERE undoes > 0`),
]
