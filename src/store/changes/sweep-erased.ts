import { sql } from '../../sql/sql.ts'
import type { Uses } from '../ground/store.ts'
import { inSteps } from './steps.ts'
import { stripErasedFields } from './strip-fields.ts'

/** Bytes of the contents that a step erases, about. */
const BYTES = 2_097_152

/**
 * Erases the changes of tables that were erased, the values of fields that were, and which files they name: in steps, between which others
 * write. They are seen by nobody from the moment on in which their table or field is gone; what a process that ends has left, the next one
 * erases. `time`: milliseconds after which it ends all the same.
 */
export async function sweepErased(store: Uses<'db' | 'writeAside' | 'environment'>, time = Infinity): Promise<void> {
  const until = store.environment.now() + time
  await sweepTables(store, until)
  await stripErasedFields(store, until)
}

async function sweepTables(store: Uses<'db' | 'writeAside' | 'environment'>, until: number): Promise<void> {
  for (let last = 0; ;) {
    // By the index over records, not by all changes.
    const [next] = await store.db.read(sql`SELECT min(table_id) FROM changes WHERE table_id > ${last}`)
    if (next![0]![0] === null) return
    last = Number(next![0]![0])
    // Ids of tables are not given again.
    const [there] = await store.db.read(sql`SELECT id FROM tables WHERE id = ${last}`)
    if (there!.length > 0) continue
    await eraseAll(store, last, until)
    if (store.environment.now() >= until) return
  }
}

async function eraseAll(store: Uses<'db' | 'writeAside' | 'environment'>, tableId: number, until: number): Promise<void> {
  const { db, environment } = store
  const { bytesOf, oneOf } = db.dialect
  await inSteps(async (size) => {
    const [rows] = await db.read(sql`SELECT id, ${bytesOf(sql`content`)} FROM changes WHERE table_id = ${tableId} LIMIT ${size}`)
    const ids: number[] = []
    let bytes = 0
    for (const [id, length] of rows!) {
      if ((bytes += Number(length)) > BYTES && ids.length > 0) break
      ids.push(Number(id))
    }
    if (ids.length === 0) return { erased: 0, milliseconds: 0, isEnd: true }
    const statements = [
      sql`DELETE FROM change_files WHERE ${oneOf(sql`change_id`, ids)}`,
      sql`DELETE FROM changes WHERE ${oneOf(sql`id`, ids)}`,
    ]
    const began = environment.now()
    let milliseconds: number
    if (db.dialect.shared) {
      await db.write(async (tx) => {
        for (const statement of statements) await tx.run(statement)
      })
      milliseconds = environment.now() - began
    } else milliseconds = await store.writeAside(async () => statements)
    return { erased: ids.length, milliseconds, isEnd: environment.now() >= until }
  })
}
