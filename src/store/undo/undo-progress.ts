import { fail } from '../../errors.ts'
import { sql } from '../../sql/sql.ts'
import type { Transaction } from '../ground/db.ts'
import type { Uses } from '../ground/store.ts'

/* How far the undo of a batch is: in its row, which each step locks. */

export interface Progress {
  /** All changes from this one on have been undone. */
  readonly position: number
  readonly records: number
  readonly conflicts: number
  /** What was left, but may be undone later, by whoever has more rights: what the caller may not see, too. */
  readonly left: number
  /** Changes before this one have been looked at before the batch grew. */
  readonly floor: number
}

interface Stored extends Progress {
  /** The batch that the undo is; 0: it has changed nothing yet. */
  readonly by: number
  /** Whether the undo that the request worked on has been ended by another process. */
  readonly isOver: boolean
  noted(step: {
    readonly position: number
    readonly records: number
    readonly conflicts: readonly unknown[]
    readonly left: number
  }): Promise<Progress>
}

const endOf = (id: number) => sql`1 + coalesce((SELECT max(last_id) FROM batch_parts WHERE batch_id = ${id}), ${id})`

/**
 * Begins the undo of a batch, unless one is under way. One that is done, but left what may be undone later, is begun again: it goes on as the
 * same batch. @throws `batch.undone`, `batch.unfinished`
 */
export async function begin(store: Uses<'db'>, tx: Transaction, id: number): Promise<void> {
  await tx.run(sql`INSERT INTO batches (id, user_id, token_id, via, made_at)
    SELECT id, user_id, token_id, via, made_at FROM changes WHERE id = ${id} AND batch_id = id ON CONFLICT (id) DO NOTHING`)
  const [row] = await tx.all(
    sql`SELECT undone_by, undoes, undo_position, undo_left FROM batches WHERE id = ${id}${store.db.dialect.forUpdate}`,
  )
  const [undoneBy, undoes, position, left] = row!.map(Number) as [number, number, number, number]
  // What an undone undo had taken back may be undone by another batch by now.
  if (undoneBy !== 0 && (left === 0 || undoes !== 0)) throw fail('batch.undone', { batch: id, by: undoneBy })
  if (undoes !== 0) {
    const [undone] = await tx.all(sql`SELECT undone_by FROM batches WHERE id = ${undoes}`)
    if (undone && Number(undone[0]) !== id) throw fail('batch.unfinished', { batch: undoes })
  }
  if (position === 0)
    await tx.run(sql`UPDATE batches SET undo_position = ${endOf(id)}, undo_end = ${endOf(id)}, undo_floor = 0, undo_left = 0,
      undo_records = 0, undo_conflicts = 0, undone_by = 0 WHERE id = ${id}`)
}

/** `own`: the batch that the request has undone a part in; 0: none yet. */
export async function goOn(store: Uses<'db'>, tx: Transaction, id: number, own: number): Promise<Stored> {
  const [row] = await tx.all(
    sql`SELECT undo_position, undo_records, undo_conflicts, undone_by, undo_left, undo_floor FROM batches WHERE id = ${id}${store.db.dialect.forUpdate}`,
  )
  const [position, records, conflicts, undoneBy, left, floor] = row!.map(Number) as [number, number, number, number, number, number]
  const present = position === 0 ? undoneBy : await undoOf(tx, id)
  const isOther = own !== 0 && own !== present
  return {
    position,
    records,
    conflicts,
    left,
    floor,
    by: isOther ? own : present,
    isOver: position === 0 || isOther,
    async noted(step) {
      const now = {
        position: step.position,
        records: records + step.records,
        conflicts: conflicts + step.conflicts.length,
        left: left + step.left,
        floor,
      }
      await tx.run(sql`UPDATE batches SET undo_position = ${now.position}, undo_records = ${now.records}, undo_conflicts = ${now.conflicts},
        undo_left = ${now.left} WHERE id = ${id}`)
      return now
    },
  }
}

/** The undo of a batch that holds, or is under way; 0: none. */
async function undoOf(tx: Transaction, id: number): Promise<number> {
  const [row] = await tx.all(sql`SELECT id FROM batches WHERE undoes = ${id} AND undoes > 0 AND undone_by = 0 ORDER BY id DESC LIMIT 1`)
  return row ? Number(row[0]) : 0
}

/**
 * Ends the undo of a batch: it is undone, if anything of it was. If it was an undo itself, what that had undone holds again; and so on.
 * `position`: where its last step ended; `by`: the batch that the undo is; 0: none. Another undo, begun since, is left alone. Returns whether
 * it is over; if not, the batch has grown, and the undo goes on.
 */
export async function finish(store: Uses<'db'>, tx: Transaction, id: number, position: number, by: number): Promise<boolean> {
  const [row] = await tx.all(sql`SELECT undo_position, undo_end, ${endOf(id)} FROM batches WHERE id = ${id}${store.db.dialect.forUpdate}`)
  const [stored, end, now] = row!.map(Number) as [number, number, number]
  // Another process has ended it.
  if (stored !== position || (await undoOf(tx, id)) !== by) return true
  // An undo that an earlier version began has no end.
  if (end > 0 && now > end) {
    await tx.run(sql`UPDATE batches SET undo_position = ${now}, undo_end = ${now}, undo_floor = ${end} WHERE id = ${id}`)
    return false
  }
  // What it did stays there for other processes that worked on it.
  await tx.run(sql`UPDATE batches SET undo_position = 0, undone_by = ${by} WHERE id = ${id}`)
  let holds = by
  for (let one = id; one !== 0 && by !== 0;) {
    const [row] = await tx.all(sql`SELECT undoes FROM batches WHERE id = ${one}`)
    const undone = Number(row?.[0] ?? 0)
    if (undone === 0) break
    // What undid it holds if that was not undone itself.
    holds = holds === 0 ? one : 0
    await tx.run(sql`UPDATE batches SET undone_by = ${holds} WHERE id = ${undone}`)
    one = undone
  }
  return true
}
