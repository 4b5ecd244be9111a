import { arrayOf } from '../../sql/postgres.ts'
import { sql, type Param, type Sql } from '../../sql/sql.ts'
import type { RecordChange } from '../ground/changes.ts'
import type { Transaction } from '../ground/db.ts'
import type { Uses } from '../ground/store.ts'

/* Which bytes the changes in the log name (table change_files). They are kept as long as one of these changes. */

const columns = ['hash', 'change_id', 'table_id', 'field_id']

/** For each change, its place in the list and the files that it names: table, field and hash, each once. */
function filesIn(changes: readonly RecordChange[]): (readonly [place: number, hash: string, tableId: number, fieldId: number])[] {
  return changes.flatMap(({ act, image, tableId }, place) => {
    // What is erased is kept nowhere.
    if (!image || act === 'erase') return []
    const named = new Map<string, readonly [number, string, number, number]>()
    for (const side of [image.before, image.after])
      for (const [attribute, files] of side?.files ?? [])
        for (const { hash } of files) named.set(`${attribute} ${hash}`, [place, hash, tableId, Number(attribute.slice(1))])
    return [...named.values()]
  })
}

/** On a database to which one connection writes: the first of the changes is at the position `first`. */
export async function noteFiles(tx: Transaction, changes: readonly RecordChange[], first: number): Promise<void> {
  const rows = filesIn(changes).map(([place, hash, tableId, fieldId]) => [hash, first + place, tableId, fieldId])
  if (rows.length > 0) await tx.insert('change_files', columns, rows)
}

/** On a database of several processes, in one statement: `position` makes that of a change from its place in the list. */
export async function noteFilesAt(tx: Transaction, changes: readonly RecordChange[], position: (place: Sql) => Sql): Promise<void> {
  const rows = filesIn(changes)
  if (rows.length === 0) return
  const given = (at: number): Param => arrayOf(rows.map((row) => row[at]!))
  await tx.run(sql`INSERT INTO change_files (hash, change_id, table_id, field_id) SELECT hash, ${position(sql`place`)}, table_id, field_id
    FROM unnest(${given(0)}::bigint[], ${given(1)}::text[], ${given(2)}::bigint[], ${given(3)}::bigint[])
      AS given (place, hash, table_id, field_id)`)
}

/** Before changes are erased: those that meet the condition do not name files any more. */
export const forgetFiles = (tx: Transaction, condition: Sql): Promise<number> =>
  tx.run(sql`DELETE FROM change_files WHERE change_id IN (SELECT id FROM changes WHERE ${condition})`)

/** Rows of one step. */
const STEP = 500

/** After the changes up to `last` were erased: they name no files any more. */
export async function forgetFilesUpTo({ db }: Uses<'db'>, last: number): Promise<void> {
  const step = sql`DELETE FROM change_files WHERE id IN (SELECT id FROM change_files WHERE change_id <= ${last} ORDER BY change_id LIMIT ${STEP})`
  while ((await db.write((tx) => tx.run(step))) > 0);
}
