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
}

interface Stored extends Progress {
  /** The batch that the undo is; 0: it has changed nothing yet. */
  readonly by: number
  noted(step: { readonly position: number; readonly records: number; readonly conflicts: readonly unknown[] }): Promise<Progress>
}

/** Begins the undo of a batch, unless one is under way. @throws `batch.undone`, `batch.unfinished` */
export async function begin(store: Uses<'db'>, tx: Transaction, id: number): Promise<void> {
  await tx.run(sql`INSERT INTO batches (id, user_id, token_id, via, made_at)
    SELECT id, user_id, token_id, via, made_at FROM changes WHERE id = ${id} AND batch_id = id ON CONFLICT (id) DO NOTHING`)
  const [row] = await tx.all(sql`SELECT undone_by, undoes, undo_position FROM batches WHERE id = ${id}${store.db.dialect.forUpdate}`)
  const [undoneBy, undoes, position] = row!.map(Number) as [number, number, number]
  if (undoneBy !== 0) throw fail('batch.undone', { batch: id, by: undoneBy })
  if (undoes !== 0) {
    const [undone] = await tx.all(sql`SELECT undone_by FROM batches WHERE id = ${undoes}`)
    if (undone && Number(undone[0]) !== id) throw fail('batch.unfinished', { batch: undoes })
  }
  if (position === 0)
    await tx.run(sql`UPDATE batches SET undo_position = 1 + coalesce((SELECT max(last_id) FROM batch_parts WHERE batch_id = ${id}), ${id}),
      undo_records = 0, undo_conflicts = 0 WHERE id = ${id}`)
}

/** @throws `batch.undone` where another request has finished it */
export async function goOn(store: Uses<'db'>, tx: Transaction, id: number): Promise<Stored> {
  const [row] = await tx.all(
    sql`SELECT undo_position, undo_records, undo_conflicts, undone_by FROM batches WHERE id = ${id}${store.db.dialect.forUpdate}`,
  )
  const [position, records, conflicts, undoneBy] = row!.map(Number) as [number, number, number, number]
  if (position === 0) throw fail('batch.undone', { batch: id, by: undoneBy })
  return {
    position,
    records,
    conflicts,
    by: await undoOf(tx, id),
    async noted(step) {
      const now = { position: step.position, records: records + step.records, conflicts: conflicts + step.conflicts.length }
      await tx.run(sql`UPDATE batches SET undo_position = ${now.position}, undo_records = ${now.records}, undo_conflicts = ${now.conflicts}
        WHERE id = ${id}`)
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
 * Returns the batch that undid it; 0: none.
 */
export async function finish(store: Uses<'db'>, tx: Transaction, id: number): Promise<number> {
  await tx.all(sql`SELECT id FROM batches WHERE id = ${id}${store.db.dialect.forUpdate}`)
  const by = await undoOf(tx, id)
  await tx.run(sql`UPDATE batches SET undo_position = 0, undo_records = 0, undo_conflicts = 0, undone_by = ${by} WHERE id = ${id}`)
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
  return by
}
