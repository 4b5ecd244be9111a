import { Failure } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Node } from '../../filter/ast.ts'
import { parse } from '../../filter/parse.ts'
import { sql, type Sql } from '../../sql/sql.ts'
import type { Caller } from '../model/access.ts'
import type { Db, Transaction } from '../ground/db.ts'
import type { Uses } from '../ground/store.ts'
import { hiddenFields, inList } from './visible.ts'

/*
 * A saved filter reveals the fields that it names. So it is hidden from users from whom one of those fields is hidden. The fields are
 * stored with the filter, so that showing filters does not take reading all expressions.
 */

/** Stored besides the fields of a filter, to tell a filter without fields from one whose fields are not stored yet. No field has this id. */
const NAMED = 0

/** The filters that name no field hidden from the caller; undefined: all. */
export function tellingNothing(store: Uses<'db' | 'catalogue'>, caller: Caller): Sql | undefined {
  const hidden = hiddenFields(store, caller)
  if (hidden.length === 0) return undefined
  return sql`id IN (SELECT filter_id FROM saved_filter_fields WHERE field_id = ${NAMED})
    AND id NOT IN (SELECT filter_id FROM saved_filter_fields WHERE ${inList(store.db.dialect, 'field_id', hidden)})`
}

/** Stores the fields that the filter names. */
export async function noteNames(tx: Transaction, filterId: number, expression: string): Promise<void> {
  await forgetNames(tx, filterId)
  const fields = fieldsIn(expression)
  for (const id of fields ? [NAMED, ...fields] : [])
    await tx.run(sql`INSERT INTO saved_filter_fields (filter_id, field_id) VALUES (${filterId}, ${id})`)
}

export const forgetNames = (tx: Transaction, filterId: number): Promise<number> =>
  tx.run(sql`DELETE FROM saved_filter_fields WHERE filter_id = ${filterId}`)

/** Does so for filters that an earlier version saved, one at a time: they may be long. */
export async function noteNamesOfAll(db: Db): Promise<void> {
  const [rows] = await db.read(sql`SELECT id FROM saved_filters WHERE ${unnamed} ORDER BY id`)
  for (const [id] of rows!)
    await db.write(async (tx) => {
      const [row] = await tx.all(sql`SELECT expression FROM saved_filters WHERE id = ${Number(id)} AND ${unnamed}${db.dialect.forUpdate}`)
      if (row) await noteNames(tx, Number(id), String(row[0]))
    })
}

const unnamed = sql`id NOT IN (SELECT filter_id FROM saved_filter_fields WHERE field_id = ${NAMED})`

/** The ids of the fields that a filter names; undefined for one that cannot be parsed, which may name any field. */
function fieldsIn(text: string): ReadonlySet<number> | undefined {
  const names = (node: Node): string[] => (node.is === 'call' ? node.args.flatMap(names) : node.is === 'name' ? [node.name] : [])
  try {
    return new Set(
      names(parse(text, limits.postedFilter.most)).flatMap((name) => (/^f[1-9]\d{0,14}$/.test(name) ? [Number(name.slice(1))] : [])),
    )
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}
