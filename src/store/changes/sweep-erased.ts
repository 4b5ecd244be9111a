import { sql } from '../../sql/sql.ts'
import type { Uses } from '../ground/store.ts'
import { inSteps } from './steps.ts'
import { stripErasedFields } from './strip-fields.ts'

/** Bytes of the contents that a step erases, about. */
const BYTES = 2_097_152

type Used = Uses<'db' | 'writeAside' | 'environment'>

/**
 * Erases the changes of all tables that were erased, the values of all fields that were, and which files they name: in steps, between which
 * others write. They are seen by nobody from the moment on in which their table or field is gone; what a process that ends has left, the next
 * one erases.
 */
export async function sweepErased(store: Used): Promise<void> {
  for (let last = 0; ;) {
    // By the index over records, not by all changes.
    const [next] = await store.db.read(sql`SELECT min(table_id) FROM changes WHERE table_id > ${last}`)
    if (next![0]![0] === null) break
    last = Number(next![0]![0])
    // Ids of tables are not given again.
    const [there] = await store.db.read(sql`SELECT id FROM tables WHERE id = ${last}`)
    if (there!.length === 0) await eraseAll(store, last, Infinity)
  }
  await stripErasedFields(store, Infinity)
}

/** What was erased: an entry of the trash, by its kind and the id of the table or field. */
type Erased = Readonly<{ kind: 'record' | 'field' | 'table'; itemId: number }>

/** The same for one entry of the trash that was erased. `time`: milliseconds after which it ends; `sweepErased` goes on where it ended. */
export async function sweepEntry(store: Used, { kind, itemId }: Erased, time = Infinity): Promise<void> {
  const until = store.environment.now() + time
  if (kind === 'table') await eraseAll(store, itemId, until)
  if (kind === 'field') await stripErasedFields(store, until, itemId)
}

async function eraseAll(store: Used, tableId: number, until: number): Promise<void> {
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
