import type { Dialect } from '../../../sql/dialect.ts'
import { sql } from '../../../sql/sql.ts'
import { alter, type Step } from '../migration-step.ts'

/**
 * More about the undo of a batch (0018). `undo_end`: the end of the batch when the undo began; `undo_floor`: changes below have been looked
 * at before the batch grew; 0: none. `undo_left`: what was left, but may be undone later, by whoever has more rights; it stays when the undo
 * is done.
 */
export const undos = ({ integer }: Dialect): Step[] =>
  [sql`undo_end`, sql`undo_floor`, sql`undo_left`].map((column) =>
    alter(sql`ALTER TABLE batches ADD COLUMN ${column} ${integer} NOT NULL DEFAULT 0`),
  )
