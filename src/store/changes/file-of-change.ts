import { fail } from '../../errors.ts'
import { sql } from '../../sql/sql.ts'
import type { HeldFile } from '../ground/changes.ts'
import type { Uses } from '../ground/store.ts'
import { view, type Caller } from '../model/access.ts'
import type { Content } from './content.ts'
import { columnsOf, wholeChanges } from './list-changes.ts'

/** The two sides of a change: what a field held before, and after. */
const sides = ['from', 'to']

/**
 * The files that a field of a record had before a change (`from`) or after it (`to`); undefined where the change does not exist for the
 * caller.
 * @throws `file.field_not_found` where they see no file field of this name in the table of the change.
 */
export async function filesOfChange(
  store: Uses<'db' | 'catalogue'>,
  caller: Caller,
  { change, field, side }: { readonly change: number; readonly field: string; readonly side: string },
): Promise<readonly HeldFile[] | undefined> {
  const catalogue = store.catalogue()
  const visible = (await wholeChanges.visible(store, caller, change)) ?? sql`1 = 1`
  const [rows] = await store.db.readLittle(
    caller,
    sql`SELECT table_id, content FROM ${wholeChanges.from} WHERE id = ${change} AND (${visible})`,
  )
  const [tableId, content] = rows![0] ?? []
  const table = catalogue.tables.get(Number(tableId))
  if (!table) return undefined
  const columns = await columnsOf(store, view(table, caller, catalogue))
  // A field that got another type had a column of its own for its files.
  const ofField = [...columns.values()].filter(({ name, type }) => name === field && type.files)
  if (ofField.length === 0) throw fail('file.field_not_found', { name: field })
  const held = JSON.parse(String(content)) as Content
  return ofField.flatMap(({ column }) => {
    const value = held[column]?.[sides.indexOf(side)]
    return typeof value === 'object' && value !== null ? value.files : []
  })
}
