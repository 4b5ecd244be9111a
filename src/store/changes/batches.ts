import { sql, type Sql } from '../../sql/sql.ts'
import type { RecordChange } from '../ground/changes.ts'
import type { Transaction } from '../ground/db.ts'
import type { Uses } from '../ground/store.ts'
import type { Batch, Actor } from '../model/access.ts'
import { viaOf } from './codes.ts'

/*
 * All changes of one request, import or command are a batch, in however many transactions. Its id is the position of its first change, and
 * each change has it. Where there is more than one, the table `batches` has a row for it, and `batch_parts` one for each of its transactions,
 * so that its changes are found by the order of the log. A single change writes neither.
 */

/** A batch that several callers share. `id`: where it has begun already; `job`: in whose row its id is kept. */
export const sharedBatch = (undoes = 0, id = 0, job = 0): Batch => {
  const memory = new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT))
  memory[0] = id
  return { id: memory, undoes, job }
}

/** The changes of one caller within those that a ledger is told of. */
export interface Part {
  readonly by: Actor
  /** Undefined: the batch begins with these changes. */
  readonly known: number | undefined
  readonly via: number
  /** The places of the first and the last one among those. Changes of others may be between them. */
  readonly first: number
  last: number
  count: number
}

/** The batches that callers have begun. */
export interface Begun {
  of(by: Actor): number | undefined
  begin(by: Actor, id: number): void
  /** Where what began with this id was undone. */
  forget(by: Actor): void
}

export function begunBatches(): Begun {
  const begun = new WeakMap<Actor, number>()
  return {
    of: (by) => (by.batch ? by.batch.id[0] || undefined : begun.get(by)),
    begin(by, id) {
      if (by.batch) by.batch.id[0] = id
      else begun.set(by, id)
    },
    forget(by) {
      if (by.batch) by.batch.id[0] = 0
      else begun.delete(by)
    },
  }
}

export function partsOf(changes: readonly RecordChange[], begun: Begun): ReadonlyMap<Actor, Part> {
  const parts = new Map<Actor, Part>()
  for (const [i, { by, act }] of changes.entries()) {
    const part = parts.get(by)
    if (!part) parts.set(by, { by, known: begun.of(by), via: viaOf(act, by.door), first: i, last: i, count: 1 })
    else {
      part.last = i
      part.count++
    }
  }
  return parts
}

/** Writes the rows of these batches; all statements are sent in the turn of the call. `position`: of the change at a place. */
export async function writeParts(
  tx: Pick<Transaction, 'run'>,
  parts: Iterable<Part>,
  madeAt: string,
  position: (place: number) => Sql,
): Promise<void> {
  const statements: Promise<unknown>[] = []
  for (const { by, known, via, first, last, count } of parts) {
    const { undoes = 0, job = 0 } = by.batch ?? {}
    // In the transaction of the first change, so that the job goes on as the same batch whenever its process ends.
    if (job !== 0 && known === undefined) statements.push(tx.run(sql`UPDATE jobs SET batch_id = ${position(first)} WHERE id = ${job}`))
    if (known === undefined && count === 1 && undoes === 0) continue
    const id = known === undefined ? position(first) : sql`${known}`
    const begun = known === undefined ? sql`${madeAt}` : sql`coalesce((SELECT made_at FROM changes WHERE id = ${known}), ${madeAt})`
    statements.push(
      tx.run(sql`INSERT INTO batches (id, user_id, token_id, via, made_at, undoes)
        VALUES (${id}, ${by.userId}, ${by.tokenId}, ${via}, ${begun}, ${undoes}) ON CONFLICT (id) DO NOTHING`),
      tx.run(sql`INSERT INTO batch_parts (batch_id, id, last_id) VALUES (${id}, ${position(first)}, ${position(last)})`),
    )
    // The first transaction of the batch had one change, and wrote no row.
    if (known !== undefined)
      statements.push(
        tx.run(
          sql`INSERT INTO batch_parts (batch_id, id, last_id) VALUES (${known}, ${known}, ${known}) ON CONFLICT (batch_id, id) DO NOTHING`,
        ),
      )
  }
  await Promise.all(statements)
}

/** Forgets batches whose changes have been erased by age, up to this position. */
export async function forgetBatches({ db }: Uses<'db'>, last: number): Promise<void> {
  const [rows] = await db.read(
    sql`SELECT (SELECT count(*) FROM batches WHERE id <= ${last}) + (SELECT count(*) FROM batch_parts WHERE batch_id <= ${last} AND last_id <= ${last})`,
  )
  if (Number(rows![0]![0]) === 0) return
  await db.write(async (tx) => {
    await tx.run(sql`DELETE FROM batch_parts WHERE batch_id <= ${last} AND last_id <= ${last}`)
    await tx.run(sql`DELETE FROM batches WHERE id <= ${last} AND NOT EXISTS (SELECT 1 FROM batch_parts WHERE batch_id = batches.id)`)
  })
}
