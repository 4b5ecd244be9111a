import { sql } from '../../sql/sql.ts'
import { actions } from '../changes/codes.ts'
import type { Content, Side } from '../changes/content.ts'
import { textOf, type HeldAttribute } from '../changes/list-changes.ts'
import type { Uses } from '../ground/store.ts'
import type { Asker } from '../model/asker.ts'

interface Of {
  readonly tableId: number
  readonly recordId: number
  /** Id of the change after which a column held the value. */
  readonly change: number
}

/**
 * What conversions have made of a value, as its attribute shows it now; undefined where somebody changed it before one of them, or where a job
 * has not settled the record yet. `columns`: those of the attribute, the present one too.
 */
export async function became(
  store: Uses<'db'>,
  by: Asker,
  { tableId, recordId, change }: Of,
  columns: readonly HeldAttribute[],
  [first, value]: readonly [HeldAttribute, Side],
  now: HeldAttribute,
): Promise<string | undefined> {
  const [rows] = await store.db.readLittle(
    by,
    sql`SELECT content FROM changes WHERE table_id = ${tableId} AND record_id = ${recordId} AND id > ${change} AND action = ${actions.convert}
      ORDER BY id`,
  )
  let [held, side] = [first, value]
  for (const [text] of rows!) {
    const content = JSON.parse(String(text)) as Content
    const [before] = content[held.column] ?? []
    if (before === undefined) continue
    if (textOf(held, before) !== textOf(held, side)) return undefined
    const next = columns.find(({ column }) => column !== held.column && content[column])
    // It was emptied, and an empty value stays one.
    if (!next) return textOf(now, now.type.empty as Side)!
    ;[held, side] = [next, content[next.column]![1]]
    if (held.column === now.column) return textOf(now, side)!
  }
  return undefined
}
